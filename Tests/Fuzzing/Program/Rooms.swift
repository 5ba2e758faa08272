/// The rooms of the program alone, which is a large one: what is instrumented is looked at after every input.
enum Rooms {
  static let all: [Room] = [.request, .git, .helpers, .listener]
}
