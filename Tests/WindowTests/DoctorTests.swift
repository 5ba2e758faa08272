import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("The doctor, where there is a display")
  struct DoctorTests {
    @Test("Where all is well it says so, and its window goes by itself")
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
      #expect(report.ways.contains("paste"), "an answer is pasted into a window")
      #expect(report.errors.contains("tokentry: info: keyring: "))
      #expect(!report.errors.contains("sandbox"), "only what is wrong is told")
      #expect(windows.text.contains("MapNotify"))
      #expect(report.seconds < 30)
      #expect(desk.filesAtHome == [])
    }

    @Test("With --silent nothing is shown, and rendering stays unknown")
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

    @Test("Where there can be no sandbox it says why", arguments: chosen(SandboxTests.obstacles, at: 0, 3))
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

    @Test("A message bus with which no page is shown is named, with what helps")
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

    @Test("A window that stays blank is noticed, and so is what a login has found to work")
    func blank() async throws {
      let desk = try await Desk()
      let blank = try desk.blank(curedBy: "WEBKIT_DISABLE_COMPOSITING_MODE")
      let report = try await desk.doctor(variables: blank)
      #expect(report["rendering"]?.state == "warning", "\(report.text)")
      let folder = desk.folder + "/home/.local/state/tokentry"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let isKept = FileManager.default.createFile(
        atPath: folder + "/rendering", contents: Data("no-compositing\n".utf8),
        attributes: [.posixPermissions: 0o600])
      #expect(isKept)
      let cured = try await desk.doctor(variables: blank)
      #expect(cured["rendering"]?.state == "ok", "\(cured.text)")
      #expect(cured["rendering"]?.message.contains("no-compositing is remembered") == true)
    }
  }
}

/// What the doctor has said.
private struct Report {
  /// One check.
  struct Check {
    let state: String
    let message: String
    let hint: String?
  }

  let status: Int32
  let text: String
  let errors: String
  let seconds: Double
  let ways: [String]
  private let checks: [String: Check]

  init(of doctor: Program) async throws {
    let start = ContinuousClock.now
    status = try #require(await doctor.end(), "\(doctor.errors)")
    seconds = (ContinuousClock.now - start) / .seconds(1)
    (text, errors) = (doctor.text, doctor.errors)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    ways = object["ways"] as? [String] ?? []
    let list = try #require(object["checks"] as? [[String: String]], "\(text)")
    checks = list.reduce(into: [:]) {
      $0[$1["name"] ?? ""] = Check(state: $1["state"] ?? "", message: $1["message"] ?? "", hint: $1["hint"])
    }
  }

  subscript(_ name: String) -> Check? { checks[name] }
}

extension Desk {
  fileprivate func doctor(
    _ options: String..., variables: [String: String] = [:], inside words: [String] = []
  ) async throws -> Report {
    let words = words + [try Self.program("tokentry"), "doctor"] + options
    // A browser that is there on every machine, so that this is about the window alone.
    let environment = environment.merging(["BROWSER": "true"]) { $1 }.merging(variables) { $1 }
    var report: Report
    var tries = 0
    // On a busy machine two windows may take longer than the doctor waits for them.
    repeat {
      report = try await Report(
        of: Program(
          words[0], Array(words.dropFirst()), environment: environment,
          errorPath: "\(folder)/\(UUID().uuidString)"))
      tries += 1
    } while report["rendering"] == nil && tries < 20
    return report
  }
}
