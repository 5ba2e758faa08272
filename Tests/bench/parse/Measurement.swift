/// Times of parsers that take turns, so that whatever else the machine does meets all of them alike.
struct Measurement {
  /// Nanoseconds for one parse, for each parser and round.
  private let rounds: [[Double]]

  /// Each parser's turn in a round parses as often as `times` says for it.
  init(of parsers: [Parser], times: [Int], rounds count: Int) {
    let clock = ContinuousClock()
    for (parser, times) in zip(parsers, times) { _ = parser.parse(times) }
    rounds = (0..<count).map { round in
      var figures = [Double](repeating: 0, count: parsers.count)
      for turn in parsers.indices {
        // Every parser gets to be the first as often as the others.
        let index = (turn + round) % parsers.count
        let elapsed = clock.measure { _ = parsers[index].parse(times[index]) }
        figures[index] = elapsed / .nanoseconds(times[index])
      }
      return figures
    }
  }

  /// The median time of a parser, in nanoseconds.
  func time(_ index: Int) -> Double { median(rounds.map { $0[index] }) }

  /// The median over the rounds of how many times as long the first takes as the second.
  func ratio(_ index: Int, to other: Int) -> Double { median(rounds.map { $0[index] / $0[other] }) }

  private func median(_ figures: [Double]) -> Double { figures.sorted()[figures.count / 2] }
}
