/// What is said of a crash. It is written down here, since nothing can be put together after one, and since putting it
/// together before would take a twentieth of the time of the shortest command.
package enum CrashText {
  /// The JSON object of ``RunFault/crash``, with its line feed.
  package static var object: StaticString {
    """
    {"error":"internal_error","error_description":"a defect in tokentry: it crashed","origin":"tokentry","retryable":false}

    """
  }
  /// The line on standard error.
  package static var message: StaticString { "tokentry: error: a defect in tokentry: it crashed\n" }
}
