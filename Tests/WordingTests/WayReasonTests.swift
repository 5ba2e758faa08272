import LoginCore
import Testing

@testable import LoginWays
@testable import Wording

/// What is said of a way that is taken.
@Suite("Why a way is taken")
struct WayReasonTests {
  @Test(
    "The reason is read behind the name of the way",
    arguments: [
      (.asked, "it was asked for"), (.preset(.window), "the preset prefers the window"),
      (
        .deviceCodes,
        "a page opened here cannot come back, and the provider offers sign-in with a code on another device"
      ), (.fragment, "an answer in the fragment of a URL reaches no server on this machine"),
      (.loopback, "the redirect URI is on this machine, so a browser can hand the answer back"),
      (.page, "the redirect URI is a page from which no browser hands the answer back"),
      (.registeredScheme, "the scheme of the redirect URI is registered for the login"),
      (.privateScheme, "the redirect URI has a scheme of its own, which only the window sees"),
      (.codePage, "the provider shows a code, which the user has to bring back"),
    ] as [(WayChoice.Cause, String)])
  func causes(_ cause: WayChoice.Cause, _ words: String) {
    #expect(WayChoice.Reason(cause: cause, obstacle: nil, addition: nil).words.source == words)
  }

  @Test("What is in the way of the best, and what the window does besides, stand behind it")
  func more() {
    let reason = WayChoice.Reason(cause: .page, obstacle: .way(.noDisplay), addition: .takesPaste)
    #expect(
      reason.words.source
        == "the redirect URI is a page from which no browser hands the answer back, but there is no display, "
        + "and the answer is pasted into a window")
    #expect(
      WayChoice.Reason(cause: .asked, obstacle: nil, addition: .showsCode).words.source
        == "it was asked for, and a window shows the code")
  }

  @Test("A grant that knows one way says so, and whether somebody can see its code")
  func agents() {
    #expect(
      AgentReason.grant(.device, showsWindow: true).words.source.hasSuffix(", and a window shows the code"))
    #expect(
      AgentReason.grant(.device, showsWindow: false).words.source.hasSuffix("no display for its window"))
    #expect(!AgentReason.grant(.device, showsWindow: nil).words.source.contains("window"))
    #expect(AgentReason.test.words == "a test was asked for")
  }
}
