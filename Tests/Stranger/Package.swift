// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "stranger",
  dependencies: [.package(name: "tokentry", path: "../..")],
  targets: [
    .executableTarget(
      name: "stranger", dependencies: [.product(name: "LoginCore", package: "tokentry")],
      swiftSettings: [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")])
  ],
  swiftLanguageModes: [.v6]
)
