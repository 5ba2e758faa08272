// swift-tools-version: 6.2
import PackageDescription

/// Every target is Swift 6 and free of warnings.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The core additionally contains no unsafe construct that is not marked as such.
let pure: [SwiftSetting] = strict + [.strictMemorySafety()]

let package = Package(
  name: "tokentry",
  products: [
    .library(name: "LoginCore", targets: ["LoginCore"]),
  ],
  targets: [
    .target(name: "LoginCore", swiftSettings: pure),

    .testTarget(name: "LoginCoreTests", dependencies: ["LoginCore"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
