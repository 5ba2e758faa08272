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
    let names = ["https_proxy", "http_proxy", "all_proxy", "no_proxy"].flatMap { [$0, $0.uppercased()] }
    let set = names.compactMap { name in environment[name].map { "\(name)=\(Redaction.address($0))" } }
    let unfit = names.first { variable in
      !variable.lowercased().hasPrefix("no_")
        && environment[variable].map { $0.startOfAuthority == nil } ?? false
    }
    return [
      unfit.map { Finding(name, .warning, .noProxy(variable: $0)) } ?? Finding(name, .ok, .proxies(set))
    ]
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
