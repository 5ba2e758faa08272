import LoginCore
import Testing

@testable import WindowProtocol

@Suite("DeviceInstruction")
struct DeviceInstructionTests {
  private static let instruction: DeviceInstruction = {
    var instruction = DeviceInstruction(userCode: "WDJB-MJHT", verificationURI: "https://as.example/device")
    instruction.completeURI = "https://as.example/device?user_code=WDJB-MJHT"
    instruction.secondsLeft = 898
    instruction.picture = CodePicture(size: 2) { $0 == $1 }
    instruction.lacksBrowser = true
    return instruction
  }()

  private static let line =
    #"{"device":{"user_code":"WDJB-MJHT","verification_uri":"https://as.example/device","#
    + #""verification_uri_complete":"https://as.example/device?user_code=WDJB-MJHT","expires_in":898,"#
    + #""qr":["10","01"],"problem":"no_browser"}}"#

  @Test("The line has the member names of RFC 8628, and the QR code in ones and zeros")
  func line() {
    #expect(WindowCommand.device(Self.instruction).line == Self.line + "\n")
    #expect(WindowCommand(line: Array(Self.line.utf8)) == .device(Self.instruction))
  }

  @Test("A code that has expired says so instead of any other problem")
  func expired() {
    var instruction = Self.instruction
    (instruction.hasExpired, instruction.lacksBrowser) = (true, false)
    let line = Self.line.replacing("no_browser", with: "expired")
    #expect(WindowCommand.device(instruction).line == line + "\n")
    #expect(WindowCommand(line: Array(line.utf8)) == .device(instruction))
  }

  @Test("The time left is between zero and a day", arguments: [("-1", 0), ("1e18", 86_400)])
  func time(number: String, seconds: Int64) {
    let line =
      #"{"device":{"user_code":"A","verification_uri":"https://as.example/d","expires_in":\#(number)}}"#
    guard case .device(let instruction)? = WindowCommand(line: Array(line.utf8)) else {
      Issue.record("the line is not a device command")
      return
    }
    #expect(instruction.secondsLeft == seconds)
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
