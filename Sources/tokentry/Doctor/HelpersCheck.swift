import Glibc
import LoginCore
import Wording

/// Looks which programs find this one as their helper. No login needs that.
struct HelpersCheck: Check {
  let name = "helpers"
  let environment: Environment

  func findings() async -> [Finding] {
    let linked = Personalities.all.filter { $0.link != nil }
    let found = linked.filter(finds).map { $0.name }
    return [
      Finding(name, .ok, .helpers(found, missing: linked.map { $0.name }.filter { !found.contains($0) }))
    ]
  }

  /// Terraform has a folder of its own for what belongs to it.
  private func finds(_ personality: any Personality.Type) -> Bool {
    guard let link = personality.link else { return false }
    let plugin = environment["HOME"].map { "\($0)/.terraform.d/plugins/\(link)" }
    let places = [environment.program(link), personality == TerraformHelper.self ? plugin : nil]
    return places.contains { place in place.map(isThisProgram) == true }
  }

  private func isThisProgram(_ path: String) -> Bool {
    var (this, other) = (stat(), stat())
    return stat("/proc/self/exe", &this) == 0 && stat(path, &other) == 0 && this.st_ino == other.st_ino
      && this.st_dev == other.st_dev
  }
}
