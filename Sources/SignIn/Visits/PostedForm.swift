import GLibSupport
import HTMLForms
import LoginCore

/// The form with which a visit begins: a SAML request, for example.
package struct PostedForm: Sendable, Equatable {
  /// The address in the page that sends the form. nil if the form goes to the first page itself.
  package let action: String?
  package let parameters: [Parameter]

  /// More than any SAML request has, in bytes.
  package static let maximumSize = 512 * 1_024

  /// Reads a body of the type `application/x-www-form-urlencoded`, or a page whose only form is posted by a script. The
  /// script does not run: the form is sent as it is in the page.
  ///
  /// Returns nil for anything else.
  package init?(_ bytes: [UInt8]) {
    let text = Array(bytes.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed())
    if text.first == UInt8(ascii: "<") {
      let forms = HTMLPage(text).forms
      guard forms.count == 1, case let form = forms[0].submissionByScript, form.isPost else {
        return nil
      }
      (action, parameters) = (form.action, form.parameters)
    } else {
      guard text.allSatisfy({ $0.isVisible }),
        let form = ParameterList(form: text, upTo: Callback.maximumParameters)
      else { return nil }
      (action, parameters) = (nil, form.parameters)
    }
    if parameters.isEmpty { return nil }
  }

  /// Returns the address to which the form goes if the first page has this one.
  package func target(from url: String) -> String? {
    guard let action, !action.isEmpty else { return url }
    return resolve(action, against: url)
  }
}
