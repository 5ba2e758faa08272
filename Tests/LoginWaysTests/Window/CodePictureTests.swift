import Testing

@testable import LoginWays

@Suite("The picture of a code")
struct CodePictureTests {
  @Test("What is written as rows is read again, module by module")
  func rows() throws {
    let picture = CodePicture(size: 3) { row, column in row == 0 || column == 2 }
    #expect(picture.rows == ["111", "001", "001"])
    #expect(CodePicture(picture.rows) == picture)
    #expect(picture.isDark(row: 1, column: 2))
    #expect(!picture.isDark(row: 2, column: 1))
  }

  @Test(
    "What is no square of ones and zeros is no picture",
    arguments: [
      [], ["1", "1"], ["11"], ["10", "0"], ["12", "00"], ["1é", "00"],
      [String](repeating: String(repeating: "1", count: 178), count: 178),
    ])
  func refused(rows: [String]) { #expect(CodePicture(rows) == nil) }
}
