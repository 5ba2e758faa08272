// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")]
let core = Target.Dependency.product(name: "LoginCore", package: "tokentry")
let kit = Target.Dependency.product(name: "LoginKit", package: "tokentry")

let package = Package(
  name: "stranger",
  dependencies: [.package(name: "tokentry", path: "../..")],
  targets: [
    .executableTarget(name: "stranger", dependencies: [core], swiftSettings: strict),
    .executableTarget(name: "console", dependencies: [kit], swiftSettings: strict),
    .executableTarget(name: "service", dependencies: [kit], swiftSettings: strict),
    .executableTarget(name: "desktop", dependencies: [kit, "CGtk"], swiftSettings: strict),
    .systemLibrary(name: "CGtk", pkgConfig: "gtk+-3.0"),
  ]
    // Programs that somebody wrote from the documentation alone.
    + ["cancel", "device", "kept", "logout", "many", "register", "transport", "window"].map {
      .executableTarget(name: $0, dependencies: [kit], swiftSettings: strict)
    },
  swiftLanguageModes: [.v6]
)
