import LoginWays
import Wording

@testable import LoginCore

/// Why no way leads to the user.
extension WordTable {
  private static let wrongAddressHint =
    "register exactly this redirect URI with the provider, or give the registered "
    + "one with --redirect-uri"

  static let way: [Row] = [
    Row(
      .way(.obstacle(.noPlaceToPaste)), "no_user_agent",
      "there is neither a terminal nor a window to paste an answer into"),
    Row(
      .way(.obstacle(.noDeviceCodes)), "no_user_agent",
      "the provider is not known to offer sign-in with a code on another device",
      hint: "if it does, add --device-authorization-endpoint URL"),
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
      .way(.obstacle(.browserFailed(command: "firefox"))), "no_user_agent",
      "the browser could not be opened: \"firefox\" failed", hint: "see --browser and BROWSER"),
    Row(
      .way(.obstacle(.browserFailed(command: nil))), "no_user_agent",
      "the desktop's browser could not be opened", hint: "--browser COMMAND opens the page"),
    Row(
      .way(.obstacle(.noBrowser)), "no_user_agent", "there is no display for a browser",
      hint: "--browser COMMAND opens the page"),
    Row(
      .way(.obstacle(.noWayBack)), "no_user_agent",
      "a browser cannot hand this answer back, and there is neither a terminal nor a window to paste it into"),
    Row(
      .way(.obstacle(.schemeNotRegistered)), "no_user_agent",
      "a browser cannot hand back an answer that goes to a private scheme",
      hint: "add --register-scheme, or use --agent window"),
    Row(
      .way(.obstacle(.noMessageBus)), "no_user_agent",
      "the answer to a private scheme comes over the session bus, and there is none"),
    Row(
      .way(.obstacle(.messageBusUnreachable)), "no_user_agent", "the session bus cannot be reached"),
    Row(
      .way(.obstacle(.stateTaken)), "no_user_agent",
      "another program is waiting for the answer to a login with the same state"),
    Row(.way(.obstacle(.noHome)), "no_user_agent", "the scheme cannot be registered: HOME is not set"),
    Row(
      .way(.obstacle(.notWritable(path: "/a"))), "no_user_agent",
      "the scheme cannot be registered: /a is not writable"),
    Row(
      .way(.obstacle(.portInUse(8_080))), "no_user_agent",
      "the port 8080 of the redirect URI is in use by another program",
      hint: "end that program, or register a redirect URI without a port if the provider allows it"),
    Row(
      .way(.obstacle(.unreachable("no address is free"))), "no_user_agent",
      "a browser cannot reach this machine: no address is free"),
    Row(
      .way(.conflict(.postedAnswer)), "invalid_configuration",
      "only a browser can post an answer (response_mode form_post), and only to a redirect URI on this machine"
    ),
    Row(
      .way(.conflict(.fragment)), "invalid_configuration",
      "the answer is in the URL's fragment, which a browser does not send to a server",
      hint: "use --response-type code, or --agent window"),
    Row(
      .way(.conflict(.tokenOnCommandLine)), "invalid_configuration",
      "a browser would put this token on a command line, where every user could read it",
      hint: "use --response-type code, or --agent window"),
    Row(
      .way(.conflict(.schemeWithoutState)), "invalid_configuration",
      "a browser's answer to a private scheme needs a state", hint: "use --agent window, which needs none"),
    Row(
      .way(.displayOfOther(user: "ann", command: "sudo -u ann tokentry")), "no_display",
      "the display is that of ann, and root shows no pages there",
      hint: "run it as that user: sudo -u ann tokentry"),
    Row(
      .way(.noDisplay), "no_display", "there is no display",
      hint: "a window needs DISPLAY or WAYLAND_DISPLAY; for tests there is --headless-test"),
    Row(
      .way(.displayClosed), "no_display", "the display cannot be opened",
      hint: "run it as the user of the desktop, or see DISPLAY, WAYLAND_DISPLAY and XAUTHORITY"),
    Row(.way(.displayEnded), "no_display", "the display has ended, and the window with it"),
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
    Row(.way(.window(.endedWithoutWord)), "window_failed", "the window failed: it ended without saying why"),
    Row(.way(.window(.endedTwice)), "window_failed", "the window failed: it ended twice"),
    Row(
      .way(.window(.endedForGood)), "window_failed",
      "the window failed: it ended, and its page cannot be requested again"),
    Row(.way(.window(.blank)), "window_failed", "the window failed: its page stays blank"),
    Row(.way(.window(.viewEnded(.memory))), "window_failed", "the window failed: it took too much memory"),
    Row(.way(.window(.viewEnded(.silence))), "window_failed", "the window failed: it stopped responding"),
    Row(.way(.window(.viewEnded(.crash))), "window_failed", "the window failed: it crashed"),
    Row(
      .way(.window(.reported("the first line opens no page"))), "window_failed",
      "the window failed: the first line opens no page"),
    Row(
      .way(.noSandbox("bwrap: No permissions")), "window_failed",
      "the sandbox around the pages cannot be set up: bwrap: No permissions",
      hint:
        "install bubblewrap, and allow it to create user namespaces; `bwrap --ro-bind / / true` tells more"),
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
      "as.example asks for a password with HTTP authentication, which the window does not support",
      details: ["host": "as.example"]),
    Row(
      .application(PageRefusal.download(host: "as.example", type: "application/pdf")),
      "bad_provider_response",
      "as.example sends a file (application/pdf) instead of a page",
      details: ["host": "as.example", "type": "application/pdf"]),
    Row(
      .application(PageRefusal.nothing(host: "as.example", status: 204)), "bad_provider_response",
      "as.example answers with HTTP 204 and no page", details: ["host": "as.example", "status": 204]),
    Row(
      .application(PageRefusal.failed(host: "as.example", status: 503)), "bad_provider_response",
      "as.example answers with HTTP 503", details: ["host": "as.example", "status": 503]),
    Row(
      .application(HeadlessFault.redirects(20)), "bad_provider_response",
      "the provider redirected more than 20 times"),
    Row(
      .application(HeadlessFault.forms(10)), "bad_provider_response",
      "the provider showed more than 10 pages with forms"),
    Row(
      .application(HeadlessFault.nowhere), "bad_provider_response",
      "a page leads to something that is not a URL"),
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
