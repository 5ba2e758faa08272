import Foundation
@testable import Platform
import Testing

@testable import WindowProtocol

/// Linux's facts about processes, and the caller that they identify.
@Suite("RequestingProgram")
struct CallerTests {
  private static let slice = "0::/user.slice/user-1000.slice/user@1000.service/app.slice"

  private static let applications = [
    InstalledApplication(identifier: "org.acme.Mail", name: "Acme Mail", executable: "/opt/acme/mail"),
    InstalledApplication(identifier: "calendar", name: "Calendar", executable: "/usr/bin/python3.11"),
    InstalledApplication(identifier: "twin-1", name: "One", executable: "/usr/bin/twin"),
    InstalledApplication(identifier: "twin-2", name: "Two", executable: "/usr/bin/twin"),
  ]

  @Test(
    "The control group names the application, in every form that systemd and snap use",
    arguments: [
      (
        "app-gnome-org.acme.Mail-4711.scope",
        RequestingProgram(.application, "org.acme.Mail", name: "Acme Mail")
      ),
      ("app-org.acme.Mail@0a1b.service", RequestingProgram(.application, "org.acme.Mail", name: "Acme Mail")),
      (
        "app-org.acme.Mail@autostart.service",
        RequestingProgram(.application, "org.acme.Mail", name: "Acme Mail")
      ),
      (
        "app-org.gnome.Terminal.slice/vte-spawn-1.scope",
        RequestingProgram(.application, "org.gnome.Terminal")
      ),
      (#"app-gnome-my\x2dmail-4711.scope"#, RequestingProgram(.application, "my-mail")),
      (
        "app-flatpak-org.acme.Mail-4711.scope",
        RequestingProgram(.flatpak, "org.acme.Mail", name: "Acme Mail")
      ),
      ("snap.acme-mail.acme-mail-0a1b.scope", RequestingProgram(.snap, "acme-mail")),
    ])
  func controlGroup(unit: String, caller: RequestingProgram) {
    let parent = ProcessFacts(executable: "/usr/bin/bash", controlGroup: "\(Self.slice)/\(unit)\n")
    #expect(RequestingProgram([parent], controlGroup: nil, Self.applications) == caller)
    let own = "\(Self.slice)/\(unit)"
    #expect(
      RequestingProgram([], controlGroup: own, Self.applications) == caller,
      "our own group, after the parent has ended")
  }

  @Test(
    "A control group of another kind names no application",
    arguments: [
      "session-2.scope", "acme.service", "app-.scope", "app.slice", "vte-spawn-1.scope", "snap.x.scope",
    ])
  func otherUnits(unit: String) {
    #expect(RequestingProgram([], controlGroup: "\(Self.slice)/\(unit)", Self.applications) == nil)
  }

  @Test("Control groups of version 1 are ignored")
  func versionOne() {
    #expect(
      RequestingProgram([], controlGroup: "1:name=systemd:/app-gnome-x-1.scope", Self.applications) == nil)
  }

  @Test(
    "Outside of sandboxes and control groups the caller is the nearest program that is not a shell",
    arguments: [
      (["/opt/acme/mail"], RequestingProgram(.application, "org.acme.Mail", name: "Acme Mail")),
      (
        ["/usr/bin/dash", "/usr/bin/timeout", "/usr/bin/git"], RequestingProgram(.executable, "/usr/bin/git")
      ),
      // Many applications share an interpreter, and two desktop entries start the same program.
      (["/usr/bin/python3.11"], RequestingProgram(.executable, "/usr/bin/python3.11")),
      (["/usr/bin/twin"], RequestingProgram(.executable, "/usr/bin/twin")),
      (
        ["/usr/bin/timeout", "/usr/bin/sudo", "/usr/bin/zsh"], RequestingProgram(.executable, "/usr/bin/zsh")
      ),
      (["/home/ann/bash\u{1B}[1m\u{202E}x"], RequestingProgram(.executable, "/home/ann/bash [1mx")),
    ])
  func executables(paths: [String], caller: RequestingProgram) {
    let facts = paths.map { ProcessFacts(executable: $0, controlGroup: "0::/init.scope") }
    #expect(RequestingProgram(facts, controlGroup: nil, Self.applications) == caller)
  }

  @Test(
    "An interpreter is named by its script, and a shell only if no other program is there",
    arguments: [
      ("/usr/bin/python3.11", "python3 -u ./acme-mail.py login", "/home/ann/acme-mail.py", "acme-mail.py"),
      ("/usr/bin/python3.11", "python3 -m acme.mail", "acme.mail", "acme.mail"),
      ("/usr/bin/python3.11", "python3 -Ic code", nil, "python3.11"),
      ("/usr/bin/python3.11", "python3", nil, "python3.11"),
      ("/usr/bin/python3.11", "python3 -m", nil, "python3.11"),
      ("/usr/bin/python3.11", "python3 -mevil good.py", nil, "python3.11"),
      ("/usr/bin/python3.11", "python3 -cCODE good.py", nil, "python3.11"),
      ("/usr/bin/python3.11", "python3 ./folder/", nil, "python3.11"),
      ("/usr/bin/perl", "perl -I lib evil.pl", nil, "perl"),
      ("/usr/bin/perl", "perl -MEvil good.pl", nil, "perl"),
      ("/usr/bin/node", "node --eval=CODE good.js", nil, "node"), ("/usr/bin/node", "node", nil, "node"),
      ("/usr/bin/node", "node --require ./hook /opt/acme/mail.js", "/opt/acme/mail.js", "mail.js"),
      ("/usr/bin/node", "node -p 1", nil, "node"),
      ("/usr/lib/jvm/java", "java -cp a:b -jar mail.jar", "/home/ann/mail.jar", "mail.jar"),
      ("/usr/bin/perl", "perl -ne code file", nil, "perl"),
      ("/usr/bin/bash", "bash -e deploy.sh", "/home/ann/deploy.sh", "deploy.sh"),
      ("/usr/bin/bash", "bash -lc exec", nil, "bash"), ("/usr/bin/bash", "bash /dev/fd/63", nil, "bash"),
      ("/usr/bin/python3.11", "python3 /proc/self/fd/3", nil, "python3.11"),
      ("/usr/bin/git", "git fetch", nil, "git"),
    ] as [(String, String, String?, String)])
  func scripts(path: String, words: String, script: String?, name: String) {
    let process = ProcessFacts(
      executable: path, arguments: words.split(separator: " ").map(String.init), folder: "/home/ann")
    let wrapper = ProcessFacts(executable: "/usr/bin/timeout", arguments: ["timeout", "9", "x"])
    let caller = RequestingProgram([wrapper, process], controlGroup: nil, Self.applications)
    #expect(caller == RequestingProgram(.executable, path, script: script))
    #expect(Requester(application: nil, caller: caller).name == name)
    #expect(Requester(application: "Acme Mail", caller: caller).name == "Acme Mail")
  }

  @Test(
    "A script decides alone which code runs if only known flags stand before it",
    arguments: [
      ("python3 good.py x", true), ("python3 -uB -I good.py -m evil", true),
      ("python3 -X dev good.py", false),
      ("perl -w good.pl", true), ("node good.js --eval x", true), ("node --require ./evil good.js", false),
      ("java -jar good.jar", true), ("java -cp evil -jar good.jar", false),
      ("java -jar -cp evil good.jar", false), ("java Good", false),
      ("bash -e good.sh", true),
      ("bun run good.js", false), ("python3 -m good", false),
    ])
  func whole(words: String, isWhole: Bool) {
    let words = words.split(separator: " ").map(String.init)
    let process = ProcessFacts(executable: "/usr/bin/\(words[0])", arguments: words, folder: "/home/ann")
    #expect(RequestingProgram.script(of: process)?.isWhole == isWhole)
  }

  @Test(
    "A file whose name a reader would not see is named by its path",
    arguments: [
      ("\u{3164}", "<U+3164>"), ("\u{2800}", "<U+2800>"), ("\u{A0}", "<U+00A0>"), ("\u{200B}", "<U+200B>"),
      ("\u{AD}", "<U+00AD>"), (" ", "<U+0020>"), ("\u{202E}", "<U+202E>"),
    ])
  func unseen(name: String, shown: String) {
    for facts in [
      ProcessFacts(executable: "/opt/\(name)"),
      ProcessFacts(executable: "/usr/bin/python3", arguments: ["python3", "/opt/\(name)"]),
    ] {
      let caller = RequestingProgram([facts], controlGroup: nil, [])
      #expect(Requester(application: nil, caller: caller).name == "/opt/\(shown)")
    }
    let seen = RequestingProgram([ProcessFacts(executable: "/opt/a\(name)b")], controlGroup: nil, [])
    #expect(Requester(application: nil, caller: seen).name?.hasPrefix("/opt") == false)
  }

  @Test("The script's file is that of the path in the words of a running process")
  func scriptFile() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "script-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try "import time; print(flush=True); time.sleep(60)".write(
      toFile: folder + "/good.py", atomically: false, encoding: .utf8)
    try FileManager.default.createDirectory(atPath: folder + "/folder", withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: folder + "/good.py", toPath: folder + "/folder/__main__.py")
    func fact(_ words: [String]) throws -> ProcessFacts? {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/python3")
      (process.arguments, process.currentDirectoryURL) = (words, URL(filePath: folder))
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      defer { process.terminate() }
      _ = output.fileHandleForReading.availableData
      return RequesterProcesses.chain(from: process.processIdentifier) { _ in false }.first
    }
    var file = stat()
    try #require(stat(folder + "/good.py", &file) == 0)
    for words in [["good.py"], ["-u", folder + "/good.py"]] {
      #expect(try fact(words)?.scriptFile == "\(file.st_dev):\(file.st_ino)")
    }
    #expect(try fact(["folder"])?.scriptFile == nil)
    let code = try fact(["-c", "import time; print(flush=True); time.sleep(60)"])
    #expect(code?.scriptFile == nil && code?.arguments.count == 3)
  }

  @Test("The search stops at a process whose program is unknown")
  func unknown() {
    #expect(RequestingProgram([], controlGroup: nil, Self.applications) == nil)
    #expect(RequestingProgram([ProcessFacts(), ProcessFacts()], controlGroup: "", Self.applications) == nil)
    let editor = ProcessFacts(executable: "/usr/bin/editor")
    #expect(RequestingProgram([ProcessFacts(), editor], controlGroup: nil, []) == nil)
    let shell = ProcessFacts(executable: "/usr/bin/bash")
    #expect(
      RequestingProgram([shell, ProcessFacts(), editor], controlGroup: nil, [])
        == RequestingProgram(.executable, "/usr/bin/bash"))
  }

  @Test("The name that an application claims is cut to one short line without bidirectional controls")
  func claimedName() {
    #expect(Requester(application: "Acme\n\u{202E}Mail\u{0}", caller: nil).application == "Acme Mail")
    #expect(Requester(application: " \u{200F}\t", caller: nil).application == nil)
    let long = Requester(application: String(repeating: "x", count: 500), caller: nil).application
    #expect(long?.count == 61 && long?.hasSuffix("…") == true)
  }

  @Test(
    "The window reads the requester as it was sent",
    arguments: [
      Requester(application: "Acme Mail", caller: RequestingProgram(.flatpak, "org.acme.Mail", name: "Mail")),
      Requester(
        application: nil,
        caller: RequestingProgram(.executable, "/usr/bin/python3", script: "/opt/acme/mail.py")),
      Requester(application: nil, caller: nil),
    ])
  func roundTrip(requester: Requester) {
    var opening = WindowOpening(url: nil, redirectURIs: [])
    opening.options.requester = requester
    #expect(WindowCommand(line: Array(WindowCommand.open(opening).line.utf8)) == .open(opening))
  }
}
