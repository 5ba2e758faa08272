import LoginCore
import LoginWays
import TestSupport
import Testing

@Suite("A window that dies, or whose page cannot be seen")
struct WindowAgentRenderingTests {
  @Test("A window that dies is started again, once")
  func restart() async throws {
    let once = try await WindowVisit(
      """
      [ -e started ] || { touch started; kill -9 $$; }
      echo '{"callback":{"uri":"https://app.example/done?code=1&state=S","main_frame":true}}'; exec sleep 60
      """)
    #expect(try once.callback == "https://app.example/done?code=1&state=S")
    #expect(once.notices == ["restarted"])
    #expect(try await WindowVisit("exit 1").code == "window_failed")
  }

  @Test("Where it finds no display any more when it is started again, the display has taken it along")
  func displayEnded() async throws {
    let refusal = #"echo '{"failed":{"error":"no_display","description":"there is none"}}'"#
    let first = try await WindowVisit(refusal)
    #expect(first.result.failure == .way(.displayClosed))
    let second = try await WindowVisit("[ -e started ] || { touch started; kill -9 $$; }; \(refusal)")
    #expect(second.result.failure == .way(.displayEnded))
    #expect(second.notices == ["restarted"])
  }

  @Test("A window whose page stays blank is started with the next rendering, with the same page")
  func blank() async throws {
    let run = try await WindowVisit(
      """
      echo "$line" >>all
      case $line in
        *no-compositing*) echo '{"painted":{}}'
          echo '{"callback":{"uri":"https://app.example/done?code=1&state=S","main_frame":true}}'; exec sleep 60;;
        *) echo '{"blank":{}}';;
      esac
      """)
    #expect(try run.callback == "https://app.example/done?code=1&state=S")
    #expect(run.notices == ["blank no-compositing", "painted no-compositing"])
    let lines = run.file("all").split(separator: "\n")
    try #require(lines.count == 2)
    #expect(lines[1] == lines[0].replacing("}}", with: ",\"rendering\":\"no-compositing\"}}"))
  }

  @Test("Blank pages and a death together come to an end", arguments: ["blank", "death"])
  func ladder(_ first: String) async throws {
    let die = first == "death" ? "[ -e died ] || { touch died; kill -9 $$; }" : ""
    let run = try await WindowVisit("echo >>starts; \(die)\necho '{\"blank\":{}}'")
    #expect(run.code == "window_failed")
    let notices = ["blank no-compositing", "blank software"]
    #expect(run.notices == (first == "death" ? ["restarted", "blank software"] : notices))
  }

  @Test("A page that painted at first is nothing to remember")
  func paintedAtFirst() async throws {
    let run = try await WindowVisit(#"echo '{"painted":{}}'; echo '{"closed":{"by":"user"}}'"#)
    #expect(run.notices == [])
  }

  @Test("A page that may be asked for only once is not opened again after that")
  func once() async throws {
    let page = #"echo '{"page":{"origin":"https://as.example","secure":true,"main_frame_loaded":false}}'"#
    for (script, windows) in [("\(page); kill -9 $$", 1), ("echo '{\"blank\":{}}'", 1), ("kill -9 $$", 2)] {
      let run = try await WindowVisit("echo x >>starts; \(script)", mayOpenTwice: false)
      #expect(run.code == "window_failed")
      #expect(run.file("starts").filter { $0 == "x" }.count == windows, "\(script)")
      #expect(run.file("opened").contains("\"opens_once\":true"))
    }
  }
}
