import LoginWays
import Wording

@testable import LoginCore

/// Why no way leads to the user.
extension WordTable {
  private static let wrongAddressHint =
    "register the redirect URI at the provider as the application names it, byte for byte; or name the registered "
    + "one with --redirect-uri"

  static let way: [Row] = [
    Row(
      .way(.obstacle(.noPlaceToPaste)), "no_user_agent",
      "there is neither a terminal nor a window to paste an answer into"),
    Row(
      .way(.obstacle(.noDeviceCodes)), "no_user_agent",
      "the provider is not known to give out codes for another device",
      hint: "--device-authorization-endpoint URL says where it does"),
    Row(
      .way(.obstacle(.noPlaceForCode)), "no_user_agent",
      "there is neither a terminal nor a window to show a code in"),
    Row(
      .way(.obstacle(.codeOnPage)), "no_user_agent", "a window cannot read a code off a page",
      hint: "--agent browser lets you paste it"),
    Row(
      .way(.obstacle(.noBrowserNorTerminal)), "no_user_agent",
      "there is neither a display for a browser nor a terminal",
      hint: "--browser COMMAND opens the page; for tests there is --headless-test"),
    Row(
      .way(.obstacle(.noBrowser)), "no_user_agent", "there is no display for a browser",
      hint: "--browser COMMAND opens the page"),
    Row(
      .way(.obstacle(.noWayBack)), "no_user_agent",
      "a browser cannot hand this answer back, and there is neither a terminal nor a window to paste it into"),
    Row(
      .way(.obstacle(.schemeNotRegistered)), "no_user_agent",
      "no browser can hand an answer to a scheme of its own back",
      hint: "--register-scheme makes it possible, and --agent window sees the scheme by itself"),
    Row(
      .way(.obstacle(.noMessageBus)), "no_user_agent",
      "a scheme's answer comes over the session's message bus, and there is none"),
    Row(
      .way(.obstacle(.messageBusUnreachable)), "no_user_agent", "the session's message bus cannot be reached"),
    Row(
      .way(.obstacle(.stateTaken)), "no_user_agent",
      "another program waits on the message bus for the answer to a login with this state"),
    Row(.way(.obstacle(.noHome)), "no_user_agent", "the scheme cannot be registered without a home"),
    Row(
      .way(.obstacle(.notWritable(path: "/a"))), "no_user_agent",
      "the scheme cannot be registered: /a is not writable"),
    Row(
      .way(.obstacle(.portInUse(8_080))), "no_user_agent",
      "the port 8080 of the redirect URI is in use by another program",
      hint: "end that program, or register a redirect URI without a port if the provider allows it"),
    Row(
      .way(.obstacle(.unreachable("no address is free"))), "no_user_agent",
      "no browser can reach this machine: no address is free"),
    Row(
      .way(.conflict(.postedAnswer)), "invalid_configuration",
      "only a browser can post an answer (response_mode form_post), and only to a redirect URI on this machine"
    ),
    Row(
      .way(.conflict(.fragment)), "invalid_configuration",
      "a browser sends no server the fragment in which this answer is",
      hint: "use --response-type code, or --agent window"),
    Row(
      .way(.conflict(.tokenOnCommandLine)), "invalid_configuration",
      "a browser hands a scheme's addresses to a command line, where everybody could read this token",
      hint: "use --response-type code, or --agent window"),
    Row(
      .way(.conflict(.schemeWithoutState)), "invalid_configuration",
      "a browser finds its way back to a scheme only with a state", hint: "--agent window needs none"),
    Row(
      .way(.displayOfOther(user: "ann", command: "sudo -u ann tokentry")), "no_display",
      "the display is that of ann, and root shows no pages there",
      hint: "run it as that user: sudo -u ann tokentry"),
    Row(
      .way(.noDisplay), "no_display", "there is no display",
      hint: "a window needs DISPLAY or WAYLAND_DISPLAY; for tests there is --headless-test"),
    Row(.way(.window(.notInstalled)), "window_failed", "the window failed: tokentry-window is not installed"),
    Row(
      .way(.window(.notFound(["/a/tokentry-window", "/b/tokentry-window"]))), "window_failed",
      "the window failed: there is no /a/tokentry-window or /b/tokentry-window"),
    Row(
      .way(.window(.cannotStart(path: "/a", "Permission denied"))), "window_failed",
      "the window failed: /a: Permission denied"),
    Row(
      .way(.window(.endedAtOnce)), "window_failed",
      "the window failed: it ended at once: one of its libraries may be missing"),
    Row(.way(.window(.endedWithoutWord)), "window_failed", "the window failed: it ended without a word"),
    Row(.way(.window(.endedTwice)), "window_failed", "the window failed: it ended twice"),
    Row(
      .way(.window(.endedForGood)), "window_failed",
      "the window failed: it ended, and its page cannot be asked for again"),
    Row(.way(.window(.blank)), "window_failed", "the window failed: its page stays blank"),
    Row(.way(.window(.viewEnded(.memory))), "window_failed", "the window failed: it took too much memory"),
    Row(.way(.window(.viewEnded(.crash))), "window_failed", "the window failed: it crashed"),
    Row(
      .way(.window(.reported("the first line opens no page"))), "window_failed",
      "the window failed: the first line opens no page"),
    Row(
      .way(.noSandbox("bwrap: No permissions")), "window_failed",
      "the sandbox around the pages cannot be made: bwrap: No permissions",
      hint: "install bubblewrap, and allow it to make user namespaces; `bwrap --ro-bind / / true` tells more"),
    Row(
      .application(PageRefusal.address("a:/x", redirectURI: "a:/x/")), "redirect_mismatch",
      "the provider leads to a:/x, which is not the redirect URI a:/x/", hint: wrongAddressHint,
      details: ["received": "a:/x", "redirect_uri": "a:/x/", "differs": ["slash"]]),
    Row(
      .application(UserAfterRefusal.closed(.address("a:/x", redirectURI: "a:/x/"))), "cancelled",
      "the window was closed: the provider leads to a:/x, which is not the redirect URI a:/x/",
      hint: wrongAddressHint,
      details: ["received": "a:/x", "redirect_uri": "a:/x/", "differs": ["slash"]]),
    Row(
      .application(UserAfterRefusal.waited(.address("a:/x", redirectURI: "b:/x"))), "timeout",
      "nobody signed in in time: the provider leads to a:/x, which is not the redirect URI b:/x",
      hint: wrongAddressHint,
      details: ["received": "a:/x", "redirect_uri": "b:/x", "differs": ["scheme"]]),
    Row(
      .application(PageRefusal.password(host: "as.example")), "bad_provider_response",
      "as.example asks for a password with HTTP authentication, which the window does not do",
      details: ["host": "as.example"]),
    Row(
      .application(PageRefusal.download(host: "as.example", type: "application/pdf")),
      "bad_provider_response",
      "as.example sends a file (application/pdf) in place of a page",
      details: ["host": "as.example", "type": "application/pdf"]),
    Row(
      .application(PageRefusal.nothing(host: "as.example", status: 204)), "bad_provider_response",
      "as.example answers with HTTP 204 and no page", details: ["host": "as.example", "status": 204]),
    Row(
      .application(PageRefusal.failed(host: "as.example", status: 503)), "bad_provider_response",
      "as.example answers with HTTP 503", details: ["host": "as.example", "status": 503]),
    Row(
      .application(HeadlessFault.redirects(20)), "bad_provider_response",
      "the provider leads on and on: more than 20 redirects"),
    Row(
      .application(HeadlessFault.forms(10)), "bad_provider_response",
      "the provider asks on and on: more than 10 pages with forms"),
    Row(
      .application(HeadlessFault.nowhere), "bad_provider_response", "a page leads to an address that is none"),
    Row(
      .application(HeadlessFault.address("ftp://as.test", .notHTTPS)), "bad_provider_response",
      #"a page leads to "ftp://as.test", which is not https (plain http is for loopback addresses only)"#),
    Row(
      .application(HeadlessFault.listEnded), "cancelled", "the list of navigations ended before the redirect"),
    Row(
      .application(HeadlessFault.list("Is a directory")), "invalid_option",
      "the navigations cannot be read: Is a directory"),
  ]
}
