import Foundation
import TestSupport
import Testing

/// FreeRDP's side of a dialogue with its helper.
enum FreeRDPClient {
  /// Says what begins with `>` and hears what begins with `<`; tells what the helper ended with, and how soon.
  private static let program = #"""
    import os, subprocess, sys, time
    (reading, down), (up, writing) = os.pipe(), os.pipe()
    helper = subprocess.Popen(
        [sys.argv[1], f"--cmdInFd=P{reading:X}", f"--cmdOutFd=P{writing:X}"], pass_fds=(reading, writing))
    os.close(reading), os.close(writing)
    answers = os.fdopen(up)
    for line in sys.stdin:
        if line.startswith("> "):
            os.write(down, line[2:].encode())
        elif line.startswith("< "):
            heard = answers.readline()
            assert heard == line[2:], f"{heard!r} in place of {line[2:]!r}"
    os.close(down)
    start = time.monotonic()
    print(helper.wait(10), time.monotonic() - start < 3, repr(answers.read()))
    """#

  /// What it tells at the end of a dialogue: the helper's status, whether that came soon, and what was left to hear.
  static func hold(
    _ lines: [String], _ more: [String: String] = ["TOKENTRY_HEADLESS_TEST": "1"]
  ) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "freerdp-\(UUID().uuidString)")
      .path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let link = folder + "/freerdp-webview-aad-helper"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: try Program.executable().path())
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-c", Self.program, link]
    process.environment = ["HOME": folder, "PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": folder].merging(more) {
      $1
    }
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    try input.give(lines.joined(separator: "\n") + "\n")
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let left = try? FileManager.default.contentsOfDirectory(atPath: folder + "/tokentry/sessions")
    #expect(left ?? [] == [], "cookies end with the connection")
    return text
  }

  /// The version that the helper names.
  static func version() throws -> String {
    try Program.run(["--version"]).output.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
  }
}
