import LoginCore
import Testing

@testable import WindowProtocol

@Suite("Question")
struct QuestionTests {
  @Test("The line has the names that tokentry-window(1) documents, and the QR code in ones and zeros")
  func line() {
    let line =
      #"{"ask":{"title":"Sign in","paragraphs":["Open this."],"problem":"No.","icon":"device","#
      + #""address":"https://as.example/d","code":"A-B","expires_in":898,"ends_sign_in":true,"qr":["10","01"],"secret":"PIN","#
      + #""choices":["anna"],"details":["Small"],"buttons":[{"id":"once","label":"_Once"}],"guarded":true,"#
      + #""about_page":true}}"#
    #expect(WindowCommand.ask(.whole).line == line + "\n")
  }

  @Test("The words for a terminal are not sent to the window")
  func prompt() {
    var question = Question("A")
    question.prompt = "PIN:"
    #expect(!WindowCommand.ask(question).line.contains("PIN"))
  }

  @Test(
    "Members that cannot be used count as missing", arguments: [#"[{"id":"a"}]"#, #"[{"label":"b"}]"#, "[1]"])
  func unusable(buttons: String) {
    let line = #"{"ask":{"title":"A","icon":"x","expires_in":-1,"buttons":\#(buttons)}}"#
    guard case .ask(let question)? = WindowCommand(line: Array(line.utf8)) else {
      Issue.record("the line is not a question")
      return
    }
    #expect(question.buttons == [] && question.icon == .warning && question.secondsLeft == nil)
  }

  @Test("The time left is between zero and a day", arguments: [("0", 0), ("86400", 86_400), ("1e18", nil)])
  func time(number: String, seconds: Int64?) {
    let line = #"{"ask":{"title":"A","expires_in":\#(number)}}"#
    guard case .ask(let question)? = WindowCommand(line: Array(line.utf8)) else {
      Issue.record("the line is not a question")
      return
    }
    #expect(question.secondsLeft == seconds)
  }

  @Test("A QR code is read from its rows, module by module")
  func picture() throws {
    let picture = CodePicture(size: 3) { row, column in row == 0 || column == 2 }
    #expect(picture.rows == ["111", "001", "001"])
    #expect(CodePicture(picture.rows) == picture)
    #expect(picture.isDark(row: 1, column: 2))
    #expect(!picture.isDark(row: 2, column: 1))
    #expect(!picture.isDark(row: 0, column: 3) && !picture.isDark(row: -1, column: 0))
  }

  @Test(
    "Rows that are not a square of ones and zeros are not a QR code",
    arguments: [
      [], ["1", "1"], ["11"], ["10", "0"], ["12", "00"], ["1é", "00"],
      [String](repeating: String(repeating: "1", count: 178), count: 178),
    ])
  func noPicture(rows: [String]) { #expect(CodePicture(rows) == nil) }
}

extension Question {
  /// A question with all members that are sent.
  static let whole: Question = {
    var question = Question("Sign in", "Open this.")
    (question.problem, question.icon, question.details) = ("No.", .device, ["Small"])
    (question.address, question.code, question.secondsLeft) = ("https://as.example/d", "A-B", 898)
    (question.picture, question.endsSignIn) = (CodePicture(size: 2) { $0 == $1 }, true)
    (question.secret, question.choices) = ("PIN", ["anna"])
    question.buttons = [Button("once", "_Once")]
    (question.isGuarded, question.isAboutPage) = (true, true)
    return question
  }()
}
