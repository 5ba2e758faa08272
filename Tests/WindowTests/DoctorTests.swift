import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("`tokentry doctor` with a display")
  struct DoctorTests {
    @Test("If all is well the doctor says so, and its window closes by itself")
    func well() async throws {
      let desk = try await Desk()
      let windows = try await desk.screen.watchWindows()
      let report = try await desk.doctor()
      #expect(report.status == 0, "\(report.text)")
      for name in ["display", "window", "sandbox", "rendering", "tls", "loopback", "state_folder"] {
        #expect(report[name]?.state == "ok", "\(name): \(report.text)")
      }
      #expect(report["window"]?.message.contains("WebKitGTK 2.") == true)
      #expect(report["keyring"]?.state == "warning")
      #expect(report["keyring"]?.hint?.contains("--store file:") == true)
      #expect(report.ways.contains("window"))
      #expect(report.ways.contains("paste"), "a window can take a pasted answer")
      #expect(report.errors.contains("tokentry: info: keyring: "))
      #expect(!report.errors.contains("sandbox"), "messages name only what is wrong")
      #expect(windows.text.contains("MapNotify"))
      #expect(report.seconds < 30)
      #expect(desk.filesAtHome == [])
    }

    @Test("With --silent no window appears, and rendering is unknown")
    func silent() async throws {
      let desk = try await Desk()
      let windows = try await desk.screen.watchWindows()
      let report = try await desk.doctor("--silent", "-v")
      #expect(report.status == 0, "\(report.text)")
      #expect(report["sandbox"]?.state == "ok")
      #expect(report["rendering"]?.state == "unknown")
      #expect(report.errors.contains("tokentry: info: sandbox: WebKit's sandbox works"))
      #expect(!windows.text.contains("MapNotify"))
    }

    @Test("A sandbox that does not work is explained", arguments: chosen(SandboxTests.obstacles, at: 0, 3))
    func noSandbox(_ obstacle: String, _ words: String) async throws {
      let desk = try await Desk()
      let report = try await desk.doctor(inside: Namespace.mounts(obstacle))
      #expect(report["sandbox"]?.state == "failed", "\(report.text)")
      #expect(report["sandbox"]?.message.contains(words) == true)
      let isOfBubblewrap = report["sandbox"]?.hint?.contains("install bubblewrap") == true
      #expect(isOfBubblewrap != words.contains("X11"))
      #expect(!report.ways.contains("window"))
      #expect(report.seconds < 30)
    }

    @Test("A message bus that keeps the window from showing pages is named, with a remedy")
    func noBus() async throws {
      let desk = try await Desk()
      let report = try await desk.doctor(
        variables: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nobody/bus"],
        inside: try Namespace.copy(in: desk.folder))
      #expect(report["window"]?.state == "failed", "\(report.text)")
      #expect(report["window"]?.message.contains("unset DBUS_SESSION_BUS_ADDRESS") == true)
      #expect(report["window"]?.hint == nil)
      #expect(!report.ways.contains("window"))
    }

    @Test("A display that cannot be opened is named")
    func noDisplay() async throws {
      let desk = try await Desk()
      let report = try await desk.doctor(variables: ["DISPLAY": ":4096"])
      #expect(report["display"]?.state == "failed", "\(report.text)")
      #expect(report["display"]?.message == "the display :4096 cannot be opened")
      #expect(!report.ways.contains("window"))
      #expect(!report.ways.contains("paste"))
    }

    @Test("A window that stays blank is a warning, unless a login has found a rendering that works")
    func blank() async throws {
      let desk = try await Desk()
      let blank = try desk.blank(curedBy: "WEBKIT_DISABLE_COMPOSITING_MODE")
      let report = try await desk.doctor(variables: blank)
      #expect(report["rendering"]?.state == "warning", "\(report.text)")
      let folder = desk.folder + "/home/.local/state/tokentry"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let isKept = FileManager.default.createFile(
        atPath: folder + "/rendering", contents: Data("software\n".utf8),
        attributes: [.posixPermissions: 0o600])
      #expect(isKept)
      let cured = try await desk.doctor(variables: blank)
      #expect(cured["rendering"]?.state == "ok", "\(cured.text)")
      #expect(cured["rendering"]?.message.contains("software is remembered") == true)
    }
  }
}

/// The answer of the doctor.
private struct Report {
  struct Answer: Decodable {
    let ways: [String]
    let checks: [Check]
  }

  struct Check: Decodable {
    let name, state, message: String
    let hint: String?
  }

  let status: Int32
  let text: String
  let errors: String
  let seconds: Double
  private let answer: Answer

  init(of doctor: Program) async throws {
    let start = ContinuousClock.now
    status = try #require(await doctor.end(), "\(doctor.errors)")
    seconds = (ContinuousClock.now - start) / .seconds(1)
    (text, errors) = (doctor.text, doctor.errors)
    answer = try JSONDecoder().decode(Answer.self, from: Data(text.utf8))
  }

  var ways: [String] { answer.ways }

  subscript(_ name: String) -> Check? { answer.checks.first { $0.name == name } }
}

extension Desk {
  fileprivate func doctor(
    _ options: String..., variables: [String: String] = [:], inside words: [String] = []
  ) async throws -> Report {
    // BROWSER makes a browser available, so that the window alone decides about the result.
    let variables = ["BROWSER": "true"].merging(variables) { $1 }
    var report: Report
    var tries = 0
    // On a busy machine two windows may take longer than the doctor waits for them.
    repeat {
      report = try await Report(of: tokentry(["doctor"] + options, variables: variables, inside: words))
      tries += 1
    } while report["rendering"] == nil && tries < 20
    return report
  }
}
