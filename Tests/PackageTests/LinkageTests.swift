import Foundation
import Testing

@Suite("What the products are linked with")
struct LinkageTests {
  @Test("The program that talks to the caller loads neither GTK nor WebKit nor Foundation")
  func tokentryLinksNoToolkit() throws {
    let libraries = try Products.output(of: "ldd", [Products.folder().appending(path: "tokentry").path()])
    #expect(libraries.contains("libglib-2.0"), "ldd lists the libraries at all")
    for unwanted in ["libgtk", "libgdk", "webkit", "javascriptcore", "libX11", "libwayland", "Foundation"] {
      #expect(!libraries.contains(unwanted), "\(unwanted)")
    }
  }

  // A release is built without it, and would not be: it has the largest part of the runtime that nothing here needs.
  @Test("No program uses the engine of regular expressions", arguments: ["tokentry", "tokentry-window"])
  func noRegularExpressions(program: String) throws {
    let symbols = try Products.output(
      of: "nm", ["--dynamic", "--undefined-only", Products.folder().appending(path: program).path()])
    #expect(symbols.contains("$sS"), "nm lists the symbols of the runtime at all")
    let used = symbols.split(separator: "\n").filter { $0.contains("17_StringProcessing") }
    #expect(used == [])
  }

  @Test("The core can be linked with nothing but the Swift runtime and the C library")
  func coreLinksRuntimeOnly() throws {
    // The build leaves the objects of sources behind that are gone.
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

  /// Where the toolchain keeps the shared libraries of its runtime.
  private static func runtimeFolder() throws -> String {
    let text = try Products.output(of: "swiftc", ["-print-target-info"])
    let info = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let paths = try #require(info["paths"] as? [String: Any])
    return try #require((paths["runtimeLibraryPaths"] as? [String])?.first)
  }

  @Test("No source of the core imports anything")
  func coreImportsNothing() throws {
    let sources = try Products.files(in: "Sources/LoginCore", withExtension: "swift")
    try #require(sources.count > 20)
    for source in sources {
      let lines = try String(contentsOf: source, encoding: .utf8).split(separator: "\n")
      let imports = lines.filter { line in
        line.split(separator: " ").first {
          !["public", "package", "internal", "private", "@testable"].contains($0)
        }
          == "import"
      }
      #expect(imports == [], "\(source.lastPathComponent)")
    }
  }
}
