import GLibSupport
import HTMLForms
import LoginCore

/// The form with which a visit begins: a SAML request, for example.
struct PostedForm: Sendable, Equatable {
  /// The address in the page that sends the form. nil if the form goes to the first page itself.
  let action: String?
  let parameters: [Parameter]

  /// More than any SAML request has, in bytes.
  static let maximumSize = 512 * 1_024

  /// Reads a body of the type `application/x-www-form-urlencoded`, or a page whose only form is posted by a script. The
  /// script does not run: the form is sent as it is in the page.
  init(_ bytes: [UInt8]) throws(Failure) {
    let text = Array(bytes.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed())
    if text.first == UInt8(ascii: "<") {
      let forms = HTMLPage(text).forms
      guard forms.count == 1, case let form = forms[0].submissionByScript, form.isPost else {
        throw Self.unreadable
      }
      (action, parameters) = (form.action, form.parameters)
    } else {
      guard text.allSatisfy({ $0.isVisible }),
        let form = ParameterList(form: text, upTo: Callback.maximumParameters)
      else { throw Self.unreadable }
      (action, parameters) = (nil, form.parameters)
    }
    if parameters.isEmpty { throw Self.unreadable }
  }

  private static let unreadable = Failure.takes(
    Option.post.flag, "a file with an encoded form, or with a page whose only form is posted")

  /// Returns the address to which the form goes if the first page has this one.
  func target(from url: String) -> String? {
    guard let action, !action.isEmpty else { return url }
    return resolve(action, against: url)
  }
}
