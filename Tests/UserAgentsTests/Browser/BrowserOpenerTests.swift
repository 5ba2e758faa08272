import Foundation
import GLibSupport
import TestSupport
import Testing

@testable import UserAgents

@Suite("Opening a browser")
struct BrowserOpenerTests {
  @Test(
    "The address comes where the command says, or last",
    arguments: [
      (["firefox"], ["firefox", "URL"]), (["firefox", "--new-window"], ["firefox", "--new-window", "URL"]),
      (["open", "%s", "--wait"], ["open", "URL", "--wait"]), (["x", "--url=%s!"], ["x", "--url=URL!"]),
      (["x", "100%"], ["x", "100%", "URL"]), (["x", "%d", "%s"], ["x", "%d", "URL"]),
    ])
  func naming(words: [String], expected: [String]) { #expect(words.naming("URL") == expected) }

  @Test("The variable BROWSER holds several commands")
  func variable() {
    let means = BrowserOpener.commands(in: "a -b:c %s::'bad") { command in
      command == "'bad" ? nil : command.isEmpty ? [] : command.components(separatedBy: " ")
    }
    #expect(means == [.command(["a", "-b"]), .command(["c", "%s"])])
  }

  @Test("The first that does not fail is used, and is not waited for")
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
    #expect(kill(process, SIGKILL) == 0, "nobody has waited for its end")
    waitpid(process, nil, 0)
  }

  @Test("If all fail, none is open")
  func none() async {
    #expect(await !open([]))
    #expect(await !open([.command(["/nowhere/browser"]), .command(["sh", "-c", "kill $$"])]))
    #expect(await !open([.desktop(["false"])]))
  }

  @Test("A program that asks the desktop reads the address, which is on no command line")
  func desktop() async throws {
    let script = "read -r url; [ \"$url\" = \"https://as.example/?a=b&c='d'\" ] && [ -z \"$1\" ]"
    #expect(await open([.desktop(["sh", "-c", script])]))
  }

  @Test("The desktop's browser goes through an entrance, and a command, which may lead elsewhere, does not")
  func entrance() async throws {
    let script = "read -r url; [ \"$url\" = http://127.0.0.1:8/x ]"
    let isOpen = await onMainLoop {
      await BrowserOpener([.desktop(["sh", "-c", script])]).open("https://as.example/") {
        "http://127.0.0.1:8/x"
      }
    }
    #expect(isOpen)
    let isWhole = await onMainLoop {
      await BrowserOpener([.command(["test", "https://as.example/", "="])]).open("https://as.example/") {
        "http://127.0.0.1:8/x"
      }
    }
    #expect(isWhole)
  }

  @Test(
    "A command that finds out late that it cannot open has seemed to, and is told of; one that ends well is not"
  )
  func late() async throws {
    for (status, isTold) in [(1, true), (0, false)] {
      let hasFailed = await onMainLoop { () async -> Bool in
        let failed = FirstResult<Bool, Never>()
        let opener = BrowserOpener([.command(["sh", "-c", "sleep 2; exit \(status)"])])
        let isOpen = await opener.open("https://as.example/", failed: { failed.finish(.success(true)) })
        #expect(isOpen)
        // Nothing tells that nothing has failed.
        let end = GLibActor.task {
          try? await pause(for: isTold ? .seconds(60) : .seconds(3))
          failed.finish(.success(false))
        }
        let hasFailed = await failed.result().get()
        // What still waits when the tests end would be a leak.
        end.cancel()
        await end.value
        return hasFailed
      }
      #expect(hasFailed == isTold)
    }
  }

  @Test("A browser has none of our descriptors, its own session, and no secret of the caller's")
  func detached() async {
    // In a process of its own: nobody else may look at the environment while it changes.
    await #expect(processExitsWith: .exitCode(7)) {
      setenv("TOKENTRY_CLIENT_SECRET", "hidden", 1)
      let leak = Glibc.open("/dev/null", O_RDONLY)  // not closed on exec
      let script = """
        [ -z "$TOKENTRY_CLIENT_SECRET" ] && [ ! -e /proc/$$/fd/\(leak) ] &&
        [ "$(readlink /proc/$$/fd/1)" = /dev/null ] && [ "$(readlink /proc/$$/fd/2)" = /dev/null ] &&
        [ "$(cut -d' ' -f6 /proc/$$/stat)" = $$ ]
        """
      exit(await Self.open([.command(["sh", "-c", script])]) ? 7 : 1)
    }
  }

  private func open(_ means: [BrowserOpener.Means]) async -> Bool { await Self.open(means) }

  private static func open(_ means: [BrowserOpener.Means]) async -> Bool {
    signal(SIGPIPE) { _ in }  // as the program does: a command may have ended when it is told the address
    return await onMainLoop { await BrowserOpener(means).open("https://as.example/?a=b&c='d'") }
  }
}
