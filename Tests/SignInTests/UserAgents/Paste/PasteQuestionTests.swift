import LoginCore
import Testing
import WindowProtocol

@testable import SignIn

@Suite("The page that asks for a pasted answer")
struct PasteQuestionTests {
  @Test("The window asks for a code only if a code alone is an answer", arguments: [true, false])
  func code(acceptsCode: Bool) {
    let question = Question.paste(
      acceptsCode, comesBack: false, nil, showsPages: false, opensBrowser: true)
    #expect(question.paragraphs[0].contains("the code or the address") == acceptsCode)
    #expect(question.secret?.contains("Code") == acceptsCode)
    let again = Question.paste(
      acceptsCode, comesBack: false, .somethingElse, showsPages: false, opensBrowser: true)
    #expect(again.problem?.contains("a code or an address") == acceptsCode)
  }

  @Test(
    "After a wrong text the window says what is wrong, and after a browser that did not open how to go on")
  func problems() {
    let lost = Question.paste(false, comesBack: true, .noBrowser, showsPages: false, opensBrowser: true)
    #expect(lost.problem == nil)
    #expect(lost.details == ["Couldn't open a browser. Copy the link and open it in your browser."])
    #expect(lost.buttons.map(\.id) == ["continue", "copy"])
    let refused = Question.paste(false, comesBack: true, .anotherLogin, showsPages: true, opensBrowser: true)
    #expect(refused.problem == "That address belongs to a different sign-in.")
    #expect(refused.paragraphs[0].hasPrefix("Try again with the address"))
    #expect(refused.buttons.map(\.id) == ["continue", "copy", "here"])
  }
}
