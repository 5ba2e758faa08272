import Foundation
import Testing

@Suite("Libraries that are loaded on demand")
struct LateLibraryTests {
  @Test("Libraries that a kept token does not need are not linked")
  func librariesAreLate() throws {
    let libraries = try Products.output(of: "ldd", [Self.program().path()])
    for late in [
      "libgio", "libgobject", "libgmodule", "libsecret", "libsoup", "libgnutls", "libxml2", "libqrencode",
    ] {
      #expect(!libraries.contains(late), "\(late)")
    }
  }

  @Test("The note for packagers lists the libraries that the program was built with")
  func fileNames() throws {
    let built = try ["gio-2.0", "gobject-2.0", "secret-1", "soup-3.0", "gnutls", "xml2", "qrencode"].map {
      name in
      let file = try Products.output(of: "gcc", ["-print-file-name=lib\(name).so"])
      let header = try Products.output(of: "objdump", ["-p", file.trimmingCharacters(in: .newlines)])
      return try #require(header.firstMatch(of: /SONAME +(\S+)/)).output.1
    }
    #expect(try Set(Self.notedFiles().values) == Set(built.map(String.init)))
  }

  @Test(
    "The answer names a library that cannot be loaded",
    arguments: ["objects", "desktop", "http", "cryptography", "forms"])
  func missing(feature: String) throws {
    let name = try #require(try Self.notedFiles()[feature])
    let run = try Self.run(["--headless-test"], hiding: name)
    #expect(run.status == 70)
    #expect(run.messages.hasPrefix("tokentry: error: "))
    #expect(run.messages.contains(name))
    let object = try #require(try JSONSerialization.jsonObject(with: run.answer) as? [String: Any])
    #expect(object["error"] as? String == "internal_error")
    #expect(object["origin"] as? String == "tokentry")
    #expect(try #require(object["error_description"] as? String).contains(name))
  }

  @Test(
    "GnuTLS is initialized if loading it does not do that",
    arguments: ["GNUTLS_NO_IMPLICIT_INIT", "LD_PRELOAD"])
  func readied(variable: String) throws {
    let modules = try Products.output(of: "pkg-config", ["--variable=giomoduledir", "gio-2.0"])
    let module = modules.trimmingCharacters(in: .newlines) + "/libgiognutls.so"
    try #require(FileManager.default.fileExists(atPath: module))
    let value = variable == "LD_PRELOAD" ? module : "1"
    let run = try Self.run(Self.random, environment: [variable: value])
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.messages.isEmpty)
  }

  @Test("The error says why a library could not be initialized")
  func neverReady() throws {
    let name = try #require(try Self.notedFiles()["cryptography"])
    let source = """
      int gnutls_global_init(void) { return -1; }
      const char *gnutls_strerror(int error) { return error == -1 ? "out of order" : "ready"; }
      """
    let run = try Self.run(Self.random, besides: name) { library in
      let file = library.appendingPathExtension("c")
      try Data(source.utf8).write(to: file)
      _ = try Products.output(of: "gcc", ["-shared", "-o", library.path(), file.path()])
    }
    #expect(run.status == 70)
    #expect(run.messages.contains("out of order"))
    #expect(String(decoding: run.answer, as: UTF8.self).contains("cannot be used: out of order\""))
  }

  @Test("If the output is not JSON, a library that cannot be loaded is named only on standard error")
  func missingForText() throws {
    let name = try #require(try Self.notedFiles()["http"])
    let run = try Self.run(["--headless-test", "--output", "token"], hiding: name)
    #expect(run.status == 70)
    #expect(run.answer.isEmpty)
    #expect(run.messages.contains(name))
  }

  @Test(
    "A helper reads its question without loading GIO, which is slow",
    arguments: ["objects", "desktop"])
  func question(feature: String) throws {
    let name = try #require(try Self.notedFiles()[feature])
    let run = try Self.run(
      ["helper", "git", "get"], input: "protocol=https\nhost=h.example\n\n", hiding: name)
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.answer.isEmpty && run.messages.isEmpty, "\(run.messages)")
  }

  /// A command that needs random bytes.
  private static let random = ["explain", "--provider", "gitlab", "--client-id", "c"]

  private static func program() throws -> URL { try Products.folder().appending(path: "tokentry") }

  /// The library file for each feature, from the program's note for packagers.
  private static func notedFiles() throws -> [String: String] {
    let note = FileManager.default.temporaryDirectory.appending(path: "note-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: note) }
    _ = try Products.output(
      of: "objcopy", ["--dump-section", ".note.dlopen=\(note.path())", program().path(), "/dev/null"])
    let text = try String(decoding: Data(contentsOf: note), as: UTF8.self)
    let entries = text.matches(of: /"feature":"([^"]+)"[^\]]*"soname":\["([^"]+)"\]/)
    return Dictionary(uniqueKeysWithValues: entries.map { (String($0.output.1), String($0.output.2)) })
  }

  private typealias Run = (status: Int32, answer: Data, messages: String)

  /// Runs the program with a text file in place of a library.
  private static func run(_ arguments: [String], input: String = "", hiding library: String) throws -> Run {
    try run(arguments, input: input, besides: library) { try Data("not a library".utf8).write(to: $0) }
  }

  /// Runs the program with another file in place of a library. The loader uses the first file with the library's name.
  private static func run(
    _ arguments: [String], input: String = "", besides library: String, made: (URL) throws -> Void
  ) throws -> Run {
    let folder = FileManager.default.temporaryDirectory.appending(path: "late-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try made(folder.appending(path: library))
    let environment = ["LD_LIBRARY_PATH": folder.path(), "TOKENTRY_STORE": "file:\(folder.path())store"]
    return try run(arguments, input: input, environment: environment)
  }

  private static func run(
    _ arguments: [String], input: String = "", environment: [String: String]
  ) throws -> Run {
    let process = Process()
    process.executableURL = try program()
    process.arguments = arguments
    process.environment = environment
    let (question, output, errors) = (Pipe(), Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (question, output, errors)
    try question.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try question.fileHandleForWriting.close()
    try process.run()
    let answer = try output.fileHandleForReading.readToEnd() ?? Data()
    let messages = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, answer, String(decoding: messages, as: UTF8.self))
  }
}
