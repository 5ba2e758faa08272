import Foundation
import GLibSupport
import TestSupport
import Testing

@testable import SignIn

@Suite("BrowserOpener")
struct BrowserOpenerTests {
  @Test(
    "The address replaces %s in the command, or else is the last argument",
    arguments: [
      (["firefox"], ["firefox", "URL"]), (["firefox", "--new-window"], ["firefox", "--new-window", "URL"]),
      (["open", "%s", "--wait"], ["open", "URL", "--wait"]), (["x", "--url=%s!"], ["x", "--url=URL!"]),
      (["x", "100%"], ["x", "100%", "URL"]), (["x", "%d", "%s"], ["x", "%d", "URL"]),
    ])
  func naming(words: [String], expected: [String]) { #expect(words.naming("URL") == expected) }

  @Test("The variable BROWSER lists commands with colons between them")
  func variable() {
    let methods = BrowserOpener.commands(in: "a -b:c %s::'bad") { command in
      command == "'bad" ? nil : command.isEmpty ? [] : command.components(separatedBy: " ")
    }
    #expect(methods == [.command(["a", "-b"]), .command(["c", "%s"])])
  }

  @Test("The first command that does not fail is used, and keeps running")
  func order() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "opened").path()
    let isOpen = await open([
      .command(["/nowhere/browser"]), .command(["false"]),
      .command(["sh", "-c", "echo \"$1\" >\(file); echo $$ >\(file)-pid; exec sleep 30", "sh"]),
      .command(["sh", "-c", "echo again >>\(file)"]),
    ])
    #expect(isOpen)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "https://as.example/?a=b&c='d'\n")
    let number = try String(contentsOfFile: file + "-pid", encoding: .utf8)
    let process = try #require(pid_t(number.trimmingCharacters(in: .newlines)))
    #expect(kill(process, SIGKILL) == 0, "the browser still runs")
    waitpid(process, nil, 0)
  }

  @Test(
    "If all methods fail, no browser is open",
    arguments: [
      [], [.command(["/nowhere/browser"]), .command(["sh", "-c", "kill $$"])], [.desktop(["false"])],
    ] as [[BrowserOpener.Method]])
  func allFail(_ methods: [BrowserOpener.Method]) async {
    #expect(await !open(methods))
  }

  @Test("The program that asks the desktop reads the address from its input, not from its arguments")
  func desktop() async throws {
    let script = "read -r url; [ \"$url\" = \"https://as.example/?a=b&c='d'\" ] && [ -z \"$1\" ]"
    #expect(await open([.desktop(["sh", "-c", script])]))
  }

  @Test(
    "The desktop's browser gets the address of the entrance, a command the address itself",
    arguments: [
      .desktop(["sh", "-c", "read -r url; [ \"$url\" = http://127.0.0.1:8/x ]"]),
      .command(["test", "https://as.example/", "="]),
    ] as [BrowserOpener.Method])
  func entrance(_ method: BrowserOpener.Method) async throws {
    let isOpen = await onMainLoop {
      await BrowserOpener([method]).open("https://as.example/") { "http://127.0.0.1:8/x" }
    }
    #expect(isOpen)
  }

  @Test(
    "A command or a desktop's browser that fails late is reported",
    arguments: [
      (.command(["sh", "-c", "sleep 2; exit 1"]), true), (.command(["sh", "-c", "sleep 2; exit 0"]), false),
      (.desktop(["sh", "-c", "exec >&-; sleep 2; exit 1"]), true),
      // A desktop that asks the user first.
      (.desktop(["sh", "-c", "sleep 2; exec >&-; sleep 2; exit 1"]), true),
    ] as [(BrowserOpener.Method, Bool)])
  func failsLate(_ method: BrowserOpener.Method, isReported: Bool) async throws {
    signal(SIGPIPE) { _ in }  // as in the program: a command may end before it has read the address
    let hasFailed = await onMainLoop { () async -> Bool in
      let failed = FirstResult<Bool, Never>()
      let opener = BrowserOpener([method])
      let isOpen = await opener.open("https://as.example/", failed: { failed.finish(.success(true)) })
      #expect(isOpen)
      let end = GLibActor.task {
        try? await pause(for: isReported ? .seconds(60) : .seconds(3))
        failed.finish(.success(false))
      }
      let hasFailed = await failed.result().get()
      // LeakSanitizer would report a task that still waits when the tests end.
      end.cancel()
      await end.value
      return hasFailed
    }
    #expect(hasFailed == isReported)
  }

  @Test("A browser that ends late leaves no process behind")
  func ending() async throws {
    let process = try DetachedProcess(["sleep", "60"])
    await onMainLoop {
      #expect(await BrowserOpener.status(of: process, within: .milliseconds(1)) == nil)
      kill(process.identifier, SIGKILL)
      while kill(process.identifier, 0) == 0 { try? await pause(for: .milliseconds(5)) }
    }
  }

  @Test("The browser has its own session, none of our descriptors, and none of the caller's secrets")
  func detached() async {
    // In a process of its own, because no other thread may read the environment while it changes.
    await #expect(processExitsWith: .exitCode(7)) {
      setenv("TOKENTRY_CLIENT_SECRET", "hidden", 1)
      let leak = Glibc.open("/dev/null", O_RDONLY)  // without O_CLOEXEC
      let script = """
        [ -z "$TOKENTRY_CLIENT_SECRET" ] && [ ! -e /proc/$$/fd/\(leak) ] &&
        [ "$(readlink /proc/$$/fd/1)" = /dev/null ] && [ "$(readlink /proc/$$/fd/2)" = /dev/null ] &&
        [ "$(cut -d' ' -f6 /proc/$$/stat)" = $$ ]
        """
      exit(await Self.open([.command(["sh", "-c", script])]) ? 7 : 1)
    }
  }

  private func open(_ methods: [BrowserOpener.Method]) async -> Bool { await Self.open(methods) }

  private static func open(_ methods: [BrowserOpener.Method]) async -> Bool {
    signal(SIGPIPE) { _ in }  // as in the program: a command may end before it has read the address
    return await onMainLoop { await BrowserOpener(methods).open("https://as.example/?a=b&c='d'") }
  }
}
