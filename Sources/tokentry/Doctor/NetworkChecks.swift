import GLibSupport
import GnuTLSCrypto
import LoginCore
import SoupNetwork
import UserAgents
import Wording

/// Looks whether connections can be encrypted, and against which authorities.
struct EncryptionCheck: Check {
  let name = "tls"

  func findings() async -> [Finding] {
    guard EncryptionSupport.isThere else { return [Finding(name, .failed, .noEncryption)] }
    let count = SystemTrust.authorityCount
    return [count > 0 ? Finding(name, .ok, .authorities(count)) : Finding(name, .failed, .noAuthorities)]
  }
}

/// Tells which proxies the environment names; whether they work only a login shows.
struct ProxyCheck: Check {
  let name = "proxy"
  let environment: Environment

  func findings() async -> [Finding] {
    let names = ProxyVariables.names
    if let unfit = names.first(where: { environment[$0].map { !ProxyVariables.isAddress($0) } ?? false }) {
      return [Finding(name, .warning, .noProxy(variable: unfit))]
    }
    if !names.contains(where: { environment[$0] != nil }),
      let unused = ProxyVariables.unused.first(where: { environment[$0] != nil })
    {
      return [Finding(name, .warning, .unusedProxy(variable: unused))]
    }
    let set = (names + ["no_proxy", "NO_PROXY"]).compactMap { name in
      environment[name].map { "\(name)=\(Redaction.address($0))" }
    }
    return [Finding(name, .ok, .proxies(set))]
  }
}

/// Looks whether a browser could bring an answer back to this machine.
struct LoopbackCheck: Check {
  let name = "loopback"

  let cryptography: any Cryptography

  func findings() async -> [Finding] {
    do throws(Failure) {
      _ = try LoopbackListener(for: .ofThisMachine(), cryptography: cryptography)
      return [Finding(name, .ok, .loopback)]
    } catch {
      return [Finding(name, .failed, .loopbackUnusable(error))]
    }
  }
}
