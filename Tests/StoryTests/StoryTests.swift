import Testing

/// Every story of `Tests/Stories`, told to the real program.
@Suite("Stories")
struct StoryTests {
  @Test("there are stories to tell")
  func storiesAreFound() {
    #expect(!Story.usual.isEmpty && !Story.poor.isEmpty, "too few in \(Story.directory)")
  }

  @Test("the program keeps to the story", arguments: Story.usual)
  func story(_ story: Story) throws {
    try tell(story)
  }

  /// Apart, since a sanitizer maps terabytes.
  @Test("the program keeps to the story with little memory", arguments: Story.poor)
  func poorStory(_ story: Story) throws {
    try tell(story)
  }

  private func tell(_ story: Story) throws {
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
      // What follows a command that hung would only repeat its failure, as long after each time.
      if case .overdue = run.end { return }
    }
  }
}
