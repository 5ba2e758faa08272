import Testing

/// A wrong expectation is reported, whichever part of a step it is in; a right one is not.
@Suite("Comparison")
struct ComparisonTests {
  private let step = Step(
    line: 7, command: "x", output: [.exact("one"), .glob(Glob("t?o*"))], error: [.exact("oh")], status: 2)
  private let run = CommandRun(
    output: Array("one\ntwo!\n".utf8), error: Array("oh\n".utf8), end: .exited(2))

  @Test("nothing is reported where everything is as expected")
  func agreement() {
    #expect(Comparison(step: step, run: run).report == nil)
  }

  @Test(
    "every kind of difference in standard output is reported",
    arguments: [
      "", "one\n", "one\ntwo", "one\ntwo\nthree\n", "one\n\ntwo\n", "two\none\n", "One\ntwo\n",
      "one\r\ntwo\n", "one \ntwo\n", "one\nt\no\n", "\u{1B}one\ntwo\n",
    ])
  func outputDifference(_ output: String) throws {
    var run = run
    run.output = Array(output.utf8)
    let differences = Comparison(step: step, run: run).differences
    #expect(differences.count == 1)
    #expect(try #require(differences.first).hasPrefix("standard output"))
  }

  @Test("standard error is not standard output")
  func errorDifference() throws {
    var run = run
    run.output += run.error
    run.error = []
    let differences = Comparison(step: step, run: run).differences
    #expect(differences.map { $0.prefix(15) } == ["standard output", "standard error "])
  }

  @Test(
    "every other end is reported",
    arguments: [CommandRun.End.exited(0), .exited(3), .signalled(2), .overdue(seconds: 20)])
  func endDifference(_ end: CommandRun.End) {
    var run = run
    run.end = end
    #expect(Comparison(step: step, run: run).differences.count == 1)
  }

  @Test("the report shows the command, the lines that agree and both sides of those that do not")
  func report() {
    let run = CommandRun(output: Array("one\nten\nmore\n".utf8), error: Array("oh\n".utf8), end: .exited(0))
    #expect(
      Comparison(step: step, run: run).report == """
        $ x
        exit status: expected 2, was 0
        standard output (- expected, + printed):
            one
          - t?o* (glob)
          + ten
          + more
        """)
  }

  @Test("composed and decomposed letters are different lines")
  func bytes() {
    #expect(!ExpectedLine("\u{E9}").matches("e\u{301}"))
  }
}
