import LoginCore

/// A page that our window shows in place of a web page, and that a terminal shows as lines. The program that asks writes the
/// words, in the user's language. A value in them may stand between the characters of `Isolate`: it is shown in bold there.
package struct Question: Sendable, Equatable {
  package var title = ""
  package var paragraphs: [String] = []
  /// Why the user is asked again, or should be careful.
  package var problem: String?
  package var icon = Icon.warning
  /// The address of a page for another device, and the code to type in there. Both can be copied.
  package var address: String?
  package var code: String?
  /// The time that is left to type in the code. The window counts it down.
  package var secondsLeft: Int64?
  /// True if the whole sign-in ends then, and not only the code.
  package var endsSignIn = false
  /// The address as a QR code.
  package var picture: CodePicture?
  /// The label of a field for a text that nobody else should see.
  package var secret: String?
  /// The user may choose one of these, which are names from elsewhere.
  package var choices: [String] = []
  /// Small print.
  package var details: [String] = []
  /// The first is the usual one. It stands beside the field if there is one.
  package var buttons: [Button] = []
  /// True if it comes up unasked: keys and clicks that were meant for another window must not answer it.
  package var isGuarded = false
  /// True if it is about the web page behind it, which waits for the answer. Any other question replaces all pages.
  package var isAboutPage = false
  /// Asks for a line at the terminal. The window does not get it.
  package var prompt = ""

  package enum Icon: String, CaseIterable, Sendable {
    case warning, browser, device, password, offline, network, insecure
  }

  package struct Button: Equatable, MemberCoded {
    package private(set) var id = ""
    /// An underscore precedes the letter that presses the button together with Alt.
    package private(set) var label = ""

    package init() {}

    package init(_ id: String, _ label: String) { (self.id, self.label) = (id, label) }

    package mutating func code(_ coder: inout MemberCoder) {
      coder.required("id", &id, .text)
      coder.required("label", &label, .text)
    }
  }

  /// The user's answer: a button and the text in the field, or a choice.
  package struct Answer: Sendable, Equatable {
    package var button: String?
    package var text: String?
    package var choice: Int?

    package init(button: String? = nil, text: String? = nil, choice: Int? = nil) {
      (self.button, self.text, self.choice) = (button, text, choice)
    }
  }

  package init(_ title: String, _ paragraphs: String...) {
    (self.title, self.paragraphs) = (title, paragraphs)
  }
}

extension Question {
  /// The text of the question, for a mail to people who can help.
  package var report: String { ([title] + paragraphs + details).joined(separator: "\n") + "\n" }
}

extension Question.Answer: Redacted {}

/// The buttons that the window itself carries out. It reports all others.
extension Question.Button {
  /// The window's wish to continue in a browser, as from its other buttons.
  package static let browser = "browser"
  /// Copies the link.
  package static let copy = "copy"
  /// Goes back to the web pages.
  package static let here = "here"
  /// Closes the window.
  package static let close = "close"
  /// Copies the text of the question.
  package static let details = "details"
}

extension Question: MemberCoded {
  /// A day.
  private static let longestTime: Int64 = 86_400

  package init() { self.init("") }

  package mutating func code(_ coder: inout MemberCoder) {
    coder.required("title", &title, .notEmpty)
    coder.texts("paragraphs", &paragraphs)
    coder.text("problem", &problem)
    coder.value("icon", &icon, else: .warning, .choice())
    coder.text("address", &address)
    coder.text("code", &code)
    coder.value("expires_in", &secondsLeft, .number(in: 0...Self.longestTime))
    coder.flag("ends_sign_in", &endsSignIn)
    var rows = picture?.rows ?? []
    coder.texts("qr", &rows)
    picture = CodePicture(rows)
    coder.text("secret", &secret)
    coder.texts("choices", &choices)
    coder.texts("details", &details)
    coder.value("buttons", &buttons, else: [], .list(.object))
    coder.flag("guarded", &isGuarded)
    coder.flag("about_page", &isAboutPage)
  }
}

extension Question.Answer: MemberCoded {
  package init() { self.init(button: nil) }

  package mutating func code(_ coder: inout MemberCoder) {
    coder.text("button", &button)
    coder.text("text", &text)
    coder.value("choice", &choice, .count)
  }
}
