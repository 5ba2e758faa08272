import GLibSupport
import GnuTLSCrypto
import LoginCore
import SoupNetwork
import UserAgents

/// Looks whether connections can be encrypted, and against which authorities.
struct EncryptionCheck: Check {
  let name = "tls"

  func findings() async -> [Finding] {
    guard EncryptionSupport.isThere else {
      return [Finding(name, .failed, "GLib cannot encrypt connections", hint: "install glib-networking")]
    }
    let count = SystemTrust.authorityCount
    guard count > 0 else {
      return [
        Finding(
          name, .failed, "this machine trusts no certificate authority",
          hint: "install ca-certificates; --trust HOST=CERT.pem trusts one certificate")
      ]
    }
    return [Finding(name, .ok, "\(count) certificate authorities are trusted")]
  }
}

/// Tells which proxies the environment names; whether they work only a login shows.
struct ProxyCheck: Check {
  let name = "proxy"
  let environment: Environment

  func findings() async -> [Finding] {
    let names = ["https_proxy", "http_proxy", "all_proxy", "no_proxy"].flatMap { [$0, $0.uppercased()] }
    let set = names.compactMap { name in environment[name].map { "\(name)=\(RedactedURL($0))" } }
    if set.isEmpty { return [Finding(name, .ok, "the environment names none")] }
    return [Finding(name, .ok, "the environment says \(set.joined(separator: " "))")]
  }
}

/// Looks whether a browser could bring an answer back to this machine.
struct LoopbackCheck: Check {
  let name = "loopback"

  func findings() async -> [Finding] {
    do throws(Failure) {
      _ = try LoopbackListener(for: .ofThisMachine(), cryptography: GnuTLSCryptography())
      return [Finding(name, .ok, "an answer can come to this machine")]
    } catch {
      return [Finding(name, .failed, error.message, hint: "bring up the interface lo: `ip link set lo up`")]
    }
  }
}
