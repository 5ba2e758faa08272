import Testing

/// Every story of `Tests/Stories`, told to the real program.
@Suite("Stories")
struct StoryTests {
  @Test("there are stories to tell")
  func storiesAreFound() {
    #expect(!Story.all.isEmpty, "none in \(Story.directory)")
  }

  @Test("the program keeps to the story", arguments: Story.all)
  func story(_ story: Story) throws {
    let steps = try story.steps()
    let sandbox = try Sandbox(executable: TestedExecutable.path())
    defer { sandbox.remove() }
    for step in steps {
      let run = try sandbox.run(step.command)
      if let report = Comparison(step: step, run: run).report {
        Issue.record(
          "\(story.testDescription):\(step.line):\n\(report)",
          sourceLocation: story.location(line: step.line))
      }
      // What follows a command that hung would only repeat its failure, 20 s later each time.
      if case .overdue = run.end { return }
    }
  }
}
