import LoginCore
import Wording

/// What a failure comes to, for tests of what a caller or a person learns of it.
extension Failure {
  package var code: String { Report(self).verdict.code }
  package var message: String { Report(self).message.source }
  package var hint: String? { Report(self).hint?.source }
}
