// swift-tools-version: 6.2
import PackageDescription

let kit = Target.Dependency.product(name: "LoginKit", package: "tokentry")

let package = Package(
  name: "callers",
  // In a package of your own: .package(url: "https://…/tokentry.git", from: "0.1.0")
  dependencies: [.package(name: "tokentry", path: "../../..")],
  targets: [
    .executableTarget(name: "console", dependencies: [kit]),
    .executableTarget(name: "service", dependencies: [kit]),
    .executableTarget(name: "server", dependencies: [kit]),
    .executableTarget(name: "desktop", dependencies: [kit, "CGTK4"]),
    .systemLibrary(name: "CGTK4", pkgConfig: "gtk4"),
  ],
  swiftLanguageModes: [.v6]
)
