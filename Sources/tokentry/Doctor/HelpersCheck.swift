import Glibc
import LoginCore
import Wording

/// Looks which programs find this one as their helper. No login needs that.
struct HelpersCheck: Check {
  let name = "helpers"
  let environment: Environment

  func findings() async -> [Finding] {
    let found = HelperProtocols.all.filter { $0.places(in: environment).contains(where: isThisProgram) }
    let names = found.map { $0.name }
    let missing = HelperProtocols.all.map { $0.name }.filter { !names.contains($0) }
    return [Finding(name, .ok, .helpers(names, missing: missing))]
  }

  private func isThisProgram(_ path: String) -> Bool {
    var (this, other) = (stat(), stat())
    return stat("/proc/self/exe", &this) == 0 && stat(path, &other) == 0 && this.st_ino == other.st_ino
      && this.st_dev == other.st_dev
  }
}
