import GLibSupport
import Glibc
import GnuTLSCrypto
import Language
import LoginCore
import Platform
import SignIn
import SoupNetwork

/// Checks whether connections can be encrypted, and how many certificate authorities are trusted.
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
    let trusted = Message(
      count, one: "\(count) certificate authority is trusted",
      other: "\(count) certificate authorities are trusted")
    return [Finding(name, .ok, trusted)]
  }
}

/// Lists the proxies in the environment. Only a login shows whether they work.
struct ProxyCheck: Check {
  let name = "proxy"
  let environment: Environment

  func findings() async -> [Finding] { [finding] }

  private var finding: Finding {
    let names = ProxyVariables.names
    if let unfit = names.first(where: { environment[$0].map { !ProxyVariables.isAddress($0) } ?? false }) {
      return Finding(
        name, .warning, "\(unfit) is not the address of a proxy", hint: "such as http://proxy.example:3128")
    }
    if !names.contains(where: { environment[$0] != nil }),
      let unused = ProxyVariables.unused.first(where: { environment[$0] != nil })
    {
      return Finding(name, .warning, "\(unused) is not used", hint: "set https_proxy")
    }
    let set = (names + ["no_proxy", "NO_PROXY"]).compactMap { name in
      environment[name].map { "\(name)=\(Redaction.address($0))" }
    }
    return Finding(
      name, .ok,
      set.isEmpty
        ? "no proxy set" : "set to \(set.joined(separator: " "))")
  }
}

/// Checks whether this machine can receive an answer from a browser.
struct LoopbackCheck: Check {
  let name = "loopback"
  let cryptography: any Cryptography

  func findings() async -> [Finding] {
    do throws(Failure) {
      _ = try LoopbackListener(for: .ofThisMachine(), cryptography: cryptography)
      return [Finding(name, .ok, "a browser can return an answer to this machine")]
    } catch {
      return [
        Finding(
          name, .failed, error.message, hint: "bring up the interface lo: `ip link set lo up`")
      ]
    }
  }
}

/// Checks the folders for locks and sessions: whether they can be written, and only by this user.
struct FolderCheck: Check {
  let name = "folders"
  let environment: Environment

  func findings() async -> [Finding] {
    [
      finding("runtime_folder", environment["XDG_RUNTIME_DIR"], isPrivate: true, unset: "XDG_RUNTIME_DIR"),
      finding("state_folder", environment.stateFolder, isPrivate: false, unset: "HOME"),
    ]
  }

  private func finding(
    _ name: String, _ folder: String?, isPrivate: Bool, unset variable: String
  ) -> Finding {
    guard let folder else { return Finding(name, .warning, "\(variable) is not set") }
    var status = stat()
    guard let existing = Self.nearestExisting(folder), stat(existing, &status) == 0,
      access(existing, W_OK) == 0
    else { return Finding(name, .warning, "\(folder, upTo: 200) cannot be written") }
    if let fault = OpenFile.fault(ofFolder: existing) {
      return Finding(name, .warning, fault.message, hint: fault.hint)
    }
    guard existing == folder else { return Finding(name, .ok, "\(folder, upTo: 200) can be created") }
    guard status.st_uid == geteuid() else {
      return Finding(name, .warning, "\(folder, upTo: 200) belongs to another user")
    }
    guard !isPrivate || status.st_mode & 0o077 == 0 else {
      guard OpenFile.isUsersOwn(status, folder) else {
        return Finding(
          name, .warning, "\(folder, upTo: 200) is shared with other users", hint: FileError.ownFolder)
      }
      return Finding(
        name, .warning, "\(folder, upTo: 200) is open to other users",
        hint: "chmod 700 \(folder, upTo: 200)")
    }
    return Finding(name, .ok, "only you can access \(folder, upTo: 200)")
  }

  /// Returns the folder, or the folder above it in which it would be created.
  private static func nearestExisting(_ path: String) -> String? {
    var path = path
    while access(path, F_OK) != 0 {
      guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
      path = String(path[..<slash])
    }
    return path
  }
}

/// Asks the agent that keeps the accounts, or else the one that may run here for programs elsewhere.
struct AgentCheck: Check {
  let name = "agent"
  /// The link to the agent that the caller has named.
  let named: AgentLink?
  /// The link to the agent at the default socket, if there is a folder for it.
  let own: AgentLink?

  func findings() async -> [Finding] {
    let variable = "XDG_RUNTIME_DIR"
    guard let link = named ?? own else { return [Finding(name, .unknown, "\(variable) is not set")] }
    if named == nil, access(link.path, F_OK) != 0 {
      return [Finding(name, .ok, "no agent is running; only programs elsewhere need one")]
    }
    do throws(Failure) {
      _ = try await link.answer(to: "accounts", [:])
      return [Finding(name, .ok, "an agent answers at \(link.path, upTo: 200)")]
    } catch {
      return [Finding(name, named == nil ? .warning : .failed, error)]
    }
  }
}

/// Lists the programs that find this one as their helper. Logins do not need that.
struct HelpersCheck: Check {
  let name = "helpers"
  let environment: Environment

  func findings() async -> [Finding] {
    let found = HelperProtocols.all.filter { $0.places(in: environment).contains(where: isThisProgram) }
    let names = found.map { $0.name }
    let missing = HelperProtocols.all.map { $0.name }.filter { !names.contains($0) }
    return [
      Finding(
        name, .ok,
        names.isEmpty ? "not set up as a helper" : "set up as a helper of \(names.verbatim.list)",
        hint: missing.isEmpty ? nil : "`tokentry helper` says how to set up \(missing.verbatim.list)")
    ]
  }

  private func isThisProgram(_ path: String) -> Bool {
    var (this, other) = (stat(), stat())
    return stat("/proc/self/exe", &this) == 0 && stat(path, &other) == 0 && this.st_ino == other.st_ino
      && this.st_dev == other.st_dev
  }
}
