import Foundation
import Testing

@Suite("Linkage")
struct LinkageTests {
  @Test("tokentry does not load GTK, WebKit or Foundation")
  func tokentryLinksNoToolkit() throws {
    let libraries = try Products.output(of: "ldd", [Products.folder().appending(path: "tokentry").path()])
    #expect(libraries.contains("libglib-2.0"), "ldd lists the libraries")
    for unwanted in ["libgtk", "libgdk", "webkit", "javascriptcore", "libX11", "libwayland", "Foundation"] {
      #expect(!libraries.contains(unwanted), "\(unwanted)")
    }
  }

  // The regular expressions are a large part of the Swift runtime, which a release links in if they are used.
  @Test("The programs do not use Swift's regular expressions", arguments: ["tokentry", "tokentry-window"])
  func noRegularExpressions(program: String) throws {
    let symbols = try Products.output(
      of: "nm", ["--dynamic", "--undefined-only", Products.folder().appending(path: program).path()])
    #expect(symbols.contains("$sS"), "nm lists the symbols of the runtime")
    let used = symbols.split(separator: "\n").filter { $0.contains("17_StringProcessing") }
    #expect(used == [])
  }

  @Test("LoginCore needs only the Swift runtime and the C library")
  func coreLinksRuntimeOnly() throws {
    // Objects of deleted sources may still be in the build folder, so list the sources instead.
    let folder = try Products.folder().appending(path: "LoginCore.build")
    let objects = try Products.files(in: "Sources/LoginCore", withExtension: "swift")
      .map { folder.appending(path: $0.lastPathComponent + ".o") }
    try #require(!objects.isEmpty)
    let library = FileManager.default.temporaryDirectory.appending(path: "core-\(UUID().uuidString).so")
    defer { try? FileManager.default.removeItem(at: library) }
    let runtime = ["-lswiftCore", "-lswift_Concurrency", "-lswiftSwiftOnoneSupport"]
    _ = try Products.output(
      of: "gcc",
      ["-shared", "-o", library.path(), "-Wl,--no-undefined", "-L\(Self.runtimeFolder())"]
        + objects.map { $0.path() } + runtime)
  }

  /// The folder of the Swift runtime's shared libraries.
  private static func runtimeFolder() throws -> String {
    let text = try Products.output(of: "swiftc", ["-print-target-info"])
    let info = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let paths = try #require(info["paths"] as? [String: Any])
    return try #require((paths["runtimeLibraryPaths"] as? [String])?.first)
  }
}
