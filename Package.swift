// swift-tools-version: 6.2
import PackageDescription

/// Swift 6, and every warning is an error.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The core also marks every unsafe construct.
let pure: [SwiftSetting] = strict + [.strictMemorySafety()]

/// Tests report the line at which they fail, so they need no debug information, which takes a fifth of their compile
/// time.
let tests: [SwiftSetting] = strict + [.unsafeFlags(["-Xfrontend", "-gnone"])]

/// SwiftPM passes the libraries that LateLibraries loads on demand to the linker; lld is told to ignore them. A kept token is
/// printed in 3.1 ms instead of 8.4 ms.
let late: [LinkerSetting] = [
  .unsafeFlags(
    ["-use-ld=lld"]
      + [
        "gio-2.0", "gobject-2.0", "gmodule-2.0", "secret-1", "soup-3.0", "gnutls", "xml2", "qrencode",
      ].flatMap { ["-Xlinker", "--remap-inputs=*/lib\($0).so=/dev/null"] })
]

/// A release has full RELRO. The static Swift runtime would otherwise export thousands of symbols to every library that
/// is loaded, and its relocations take half a megabyte unless they are packed.
let release: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
      "-Xlinker", "-z", "-Xlinker", "now",
    ],
    .when(configuration: .release))
]

/// In a release of `tokentry`, C++'s library is linked in, since data/build.sh puts a link to it here: loading it takes a
/// tenth of the time in which a kept token is printed. The window has it loaded for WebKit anyway.
let withStandardLibrary: [LinkerSetting] = [
  .unsafeFlags(["-L.build/static"], .when(configuration: .release))
]

let package = Package(
  name: "tokentry",
  products: [
    .library(name: "LoginCore", targets: ["LoginCore"]),
    .library(name: "LoginKit", targets: ["LoginKit"]),
  ],
  targets: [
    .systemLibrary(
      name: "CGLib", path: "Sources/CLibraries/CGLib", pkgConfig: "glib-2.0",
      providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(
      name: "CGnuTLS", path: "Sources/CLibraries/CGnuTLS", pkgConfig: "gnutls",
      providers: [.apt(["libgnutls28-dev"])]),
    .systemLibrary(
      name: "CLibXML", path: "Sources/CLibraries/CLibXML", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(
      name: "CQREncode", path: "Sources/CLibraries/CQREncode", pkgConfig: "libqrencode",
      providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(
      name: "CSecret", path: "Sources/CLibraries/CSecret", pkgConfig: "glib-2.0",
      providers: [.apt(["libsecret-1-dev"])]),
    .systemLibrary(
      name: "CSoup", path: "Sources/CLibraries/CSoup", pkgConfig: "glib-2.0",
      providers: [.apt(["libsoup-3.0-dev"])]),
    .systemLibrary(name: "CLinux", path: "Sources/CLibraries/CLinux"),
    .systemLibrary(
      name: "CWebKitGTK", path: "Sources/CLibraries/CWebKitGTK", pkgConfig: "webkit2gtk-4.1",
      providers: [.apt(["libwebkit2gtk-4.1-dev"])]),

    .target(
      name: "LateLibraries", dependencies: ["CGLib", "CSecret", "CSoup", "CGnuTLS", "CLibXML", "CQREncode"],
      cSettings: [.treatAllWarnings(as: .error)]),

    .target(name: "LoginCore", swiftSettings: pure),
    .target(name: "WindowProtocol", dependencies: ["LoginCore"], swiftSettings: pure),
    .target(
      name: "Language", dependencies: ["LoginCore", "WindowProtocol", "CLinux"], swiftSettings: strict),
    .target(name: "GLibSupport", dependencies: ["CGLib", "CLinux"], swiftSettings: strict),
    .target(
      name: "Platform", dependencies: ["LoginCore", "WindowProtocol", "GLibSupport", "CGLib", "CLinux"],
      swiftSettings: strict),
    .target(
      name: "GnuTLSCrypto", dependencies: ["LoginCore", "CGnuTLS"], swiftSettings: strict),
    .target(
      name: "SoupNetwork", dependencies: ["LoginCore", "GLibSupport", "CGLib", "CSoup"],
      swiftSettings: strict),
    .target(
      name: "SecretStore", dependencies: ["LoginCore", "GLibSupport", "Platform", "CGLib", "CSecret"],
      swiftSettings: strict),
    .target(
      name: "HTMLForms", dependencies: ["LoginCore", "CLibXML"], swiftSettings: strict),
    .target(
      name: "SignIn",
      dependencies: [
        "LoginCore", "WindowProtocol", "Language", "Platform", "GLibSupport", "HTMLForms", "SoupNetwork",
        "GnuTLSCrypto", "SecretStore", "CQREncode",
      ],
      swiftSettings: strict),
    .target(
      name: "LoginKit",
      dependencies: [
        "LoginCore", "WindowProtocol", "Language", "Platform", "GLibSupport", "GnuTLSCrypto", "SoupNetwork",
        "SecretStore", "SignIn", "CGLib",
      ],
      swiftSettings: strict),
    .target(
      name: "DemoProvider", dependencies: ["LoginCore", "GLibSupport", "SoupNetwork"], swiftSettings: strict),
    .executableTarget(
      name: "tokentry",
      dependencies: [
        "LoginCore", "WindowProtocol", "Language", "Platform", "GLibSupport", "GnuTLSCrypto", "SoupNetwork",
        "SecretStore", "SignIn", "DemoProvider", "LateLibraries", "CLinux", "HTMLForms",
      ],
      swiftSettings: strict, linkerSettings: late + release + withStandardLibrary),
    .executableTarget(
      name: "tokentry-window",
      dependencies: [
        "LoginCore", "WindowProtocol", "Language", "Platform", "GLibSupport", "CWebKitGTK", "CLinux",
      ],
      swiftSettings: strict, linkerSettings: release),

    .testTarget(
      name: "LoginCoreTests", dependencies: ["LoginCore"], exclude: ["Snapshots"], swiftSettings: tests),
    .testTarget(
      name: "WindowProtocolTests", dependencies: ["WindowProtocol", "LoginCore"], swiftSettings: tests),
    .testTarget(
      name: "LanguageTests", dependencies: ["Language", "WindowProtocol", "LoginCore", "Environment"],
      swiftSettings: tests),
    // All tests are one program, so a single target of tests brings this into it.
    .target(
      name: "Environment", path: "Tests/Environment", cSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "TestSupport",
      dependencies: ["GLibSupport", "GnuTLSCrypto", "LoginCore", "CGLib", "CLinux"],
      path: "Tests/TestSupport",
      exclude: ["stand-in.py", "close-window.py", "cover-window.py", "keyboard.c"],
      swiftSettings: strict,
      // What only tests and the window call is not found late; by these names the linker does not overlook them.
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "-l:libgio-2.0.so.0", "-Xlinker", "-l:libgobject-2.0.so.0"])
      ]),
    .testTarget(
      name: "PlatformTests", dependencies: ["LoginCore", "WindowProtocol", "Platform", "CLinux"],
      swiftSettings: strict),
    .testTarget(
      name: "GLibSupportTests", dependencies: ["GLibSupport", "TestSupport", "CGLib"], swiftSettings: strict),
    .testTarget(
      name: "GnuTLSCryptoTests", dependencies: ["GnuTLSCrypto", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "HTMLFormsTests", dependencies: ["HTMLForms"], swiftSettings: strict),
    .testTarget(
      name: "SoupNetworkTests", dependencies: ["SoupNetwork", "TestSupport", "CGLib"], swiftSettings: strict),
    .testTarget(
      name: "SecretStoreTests",
      dependencies: ["SecretStore", "TestSupport", "GLibSupport", "save-repeatedly"], swiftSettings: strict),
    .executableTarget(
      name: "save-repeatedly", dependencies: ["LoginCore", "SecretStore", "GLibSupport"],
      path: "Tests/programs/save-repeatedly", swiftSettings: strict),
    .testTarget(
      name: "HTTPServerTests", dependencies: ["SoupNetwork", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "DemoProviderTests",
      dependencies: ["DemoProvider", "SoupNetwork", "GnuTLSCrypto", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SignInTests",
      dependencies: [
        "SignIn", "WindowProtocol", "Platform", "Language", "SoupNetwork", "GnuTLSCrypto", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "LoginKitTests",
      dependencies: [
        "LoginKit", "LoginCore", "WindowProtocol", "Platform", "GLibSupport", "SoupNetwork", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "tokentryTests",
      dependencies: [
        "tokentry", "LoginCore", "LoginKit", "WindowProtocol", "Language", "Platform", "SignIn",
        "SecretStore", "CLinux",
      ],
      exclude: ["Snapshots"],
      swiftSettings: strict),
    // These tests and those below run the built programs, and are not compiled against them.
    .testTarget(
      name: "ProgramTests", dependencies: ["TestSupport", "LoginCore", "GnuTLSCrypto", "CLinux"],
      exclude: [
        "Helpers/recipe_lines.py", "at-terminal.py", "other-keyring.py", "portal.py", "secret-portal.py",
        "services.py",
        "session-manager.py", "Agent/far-login.py", "BoundTokens/proofs.py", "Faults/faulty.c",
        "Helpers/Dialogues", "Helpers/imap.py", "Helpers/coding-agents.txt", "Helpers/programs.py",
        "Helpers/requirements.txt",
      ],
      swiftSettings: tests),
    .testTarget(name: "PackageTests", swiftSettings: strict),
    // Tests/tools/fuzz.sh links these files with libFuzzer; the tests only read the seeds.
    .testTarget(
      name: "FuzzingTests",
      dependencies: [
        "tokentry", "LoginCore", "WindowProtocol", "Language", "Platform", "GLibSupport", "SecretStore",
        "HTMLForms",
        "SignIn", "CGLib",
      ],
      path: "Tests/Fuzzing", exclude: ["Seeds", "Words"], swiftSettings: strict),
    .testTarget(
      name: "WindowTests", dependencies: ["TestSupport", "SignIn", "WindowProtocol"],
      exclude: [
        "accessible.py", "clipboard.py", "hold-display.py", "parent.py", "settings-portal.py", "blank.c",
        "breaks.c", "late.c", "lingering.c", "lost.c", "passkeys.c", "patient.c", "slow-disk.c", "wayland.c",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "InteropTests", dependencies: ["TestSupport"],
      exclude: [
        "identities.py", "far.py", "faults.py", "mock.py", "glewlwyd.py", "glewlwyd.conf", "fronts.py",
        "issuers.py",
        "mcp_sdk.py",
        "mcp_sdk.txt",
        "requirements.txt",
      ],
      swiftSettings: tests),
    .executableTarget(
      name: "kit-login", dependencies: ["LoginKit"], path: "Tests/programs/Kit", swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// For `Tests/run.sh core`: the targets without a library of the system, which need only Swift.
if Context.environment["TOKENTRY_CORE"] != nil {
  let core: Set = ["LoginCore", "WindowProtocol", "Language", "CLinux", "Environment"]
  package.products.removeAll { $0.name != "LoginCore" }
  package.targets.removeAll {
    !core.contains($0.name) && !core.contains($0.name.replacing("Tests", with: ""))
  }
}
