import Testing

/// What the lines of a story mean, and which files are refused as stories.
@Suite("StoryParser")
struct StoryParserTests {
  @Test("a step has a command, its output, its errors and its status")
  func wholeStep() throws {
    let steps = try StoryParser.steps(
      of: """
        # Title

        Prose.

          $ cat <<END
          > one
          >
          >   two
          > END
          one
          ! tokentry: error: * (glob)
          two
          [3]
        # comment
          $ true
        """)
    #expect(
      steps == [
        Step(
          line: 5, command: "cat <<END\none\n\n  two\nEND", output: [.exact("one"), .exact("two")],
          error: [.glob(Glob("tokentry: error: *"))], status: 3),
        Step(line: 15, command: "true"),
      ])
    #expect(steps.map(\.expectedStatus) == [3, 0])
  }

  @Test("an empty line of output is two spaces, an empty line of standard error a lone mark")
  func emptyLines() throws {
    let steps = try StoryParser.steps(of: "# T\n  $ x\n  \n  a\n  !\n")
    #expect(
      steps == [Step(line: 2, command: "x", output: [.exact(""), .exact("a")], error: [.exact("")])])
  }

  @Test("marks without a space after them are output")
  func marksWithoutSpace() throws {
    let steps = try StoryParser.steps(of: "# T\n  $ x\n  $y\n  >z\n  !w\n  [a]\n  []\n  [1] \n")
    #expect(steps.first?.output == ["$y", ">z", "!w", "[a]", "[]", "[1] "].map { .exact($0) })
  }

  @Test("prose ends a step")
  func proseEndsStep() {
    #expect(throws: StoryFault.orphan(line: 4)) { try StoryParser.steps(of: "# T\n  $ x\n\n  a\n") }
  }

  @Test(
    "what is not a story is refused",
    arguments: [
      ("", StoryFault.noTitle),
      ("  $ true\n", .noTitle),
      ("# T\nprose\n", .noCommand),
      ("# T\n\t$ x\n", .indentation(line: 2)),
      ("# T\n $ x\n", .indentation(line: 2)),
      ("# T\n  output\n", .orphan(line: 2)),
      ("# T\n  > more\n", .orphan(line: 2)),
      ("# T\n  $ x\n  out\n  > more\n", .lateContinuation(line: 4)),
      ("# T\n  $ x\n  [1]\n  out\n", .afterStatus(line: 4)),
      ("# T\n  $ x\n  [1]\n  [1]\n", .afterStatus(line: 4)),
      ("# T\n  $ x\n  [256]\n", .status(line: 3)),
      ("# T\n  $ x\n  [99999999999999999999]\n", .status(line: 3)),
    ])
  func refused(_ text: String, _ fault: StoryFault) {
    #expect(throws: fault) { try StoryParser.steps(of: text) }
  }
}
