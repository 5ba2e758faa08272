/// A URL that came back to one of the redirect URIs of a login, not yet believed.
///
/// Only ``NavigationPolicy`` makes one, so whoever holds a callback knows that the redirect was compared.
/// Query and fragment are two channels and are never merged: a redirect without a fragment inherits that of
/// the page before it (RFC 9110 section 10.2.2), so the other channel may hold anything.
public struct Callback: Sendable {
  /// The URL as it was reported.
  let uri: [UInt8]
  /// Whether it was a redirect URI itself, or another form in which the provider sends it.
  public let redirect: RedirectCheck
  /// Both channels, decoded once for all who ask.
  private let decoded: Result<Channels, Failure>

  /// The longest callback that is read, in bytes.
  package static let maximumLength = 256 * 1_024
  /// The most parameters that are read, in both channels together.
  package static let maximumParameters = 256

  /// `added` is where the part that was added to the redirect URI begins.
  init(uri: [UInt8], added: Int, redirect: RedirectCheck) {
    // One byte over the limit is kept as the evidence that it was passed.
    self.uri = uri.count > Self.maximumLength ? Array(uri.prefix(Self.maximumLength + 1)) : uri
    self.redirect = redirect
    decoded = Self.decode(self.uri, from: added)
  }

  /// The callback as text, for a caller that parses it with a library of its own.
  package func text() throws(Failure) -> String {
    if uri.count > Self.maximumLength { throw Self.tooLong }
    guard let text = String(validating: uri, as: UTF8.self) else {
      throw .untrusted(.malformedCallback(.notUTF8))
    }
    return text
  }

  /// Whether a state is somewhere in what was kept of it.
  func repeats(_ state: State) -> Bool {
    let text = Array(state.revealed().utf8)
    return uri.indices.contains { uri[$0] == text.first && uri[$0...].starts(with: text) }
  }

  /// Both channels, decoded and within the limits.
  package func channels() throws(Failure) -> Channels { try decoded.get() }

  private static func decode(_ uri: [UInt8], from added: Int) -> Result<Channels, Failure> {
    if uri.count > maximumLength { return .failure(tooLong) }
    let mark = UInt8(ascii: "#")
    let most = maximumParameters + 1
    var channels = Channels()
    var end = added
    if end < uri.count, uri[end] != mark {
      end = channels.query.append(formEncoded: uri.span, from: end + 1, isQuery: true, upTo: most)
    }
    if end < uri.count, uri[end] == mark {
      channels.fragment.append(formEncoded: uri.span, from: end + 1, upTo: most)
    }
    guard channels.query.parameters.count + channels.fragment.parameters.count < most else {
      return .failure(.untrusted(.malformedCallback(.tooManyParameters)))
    }
    return .success(channels)
  }

  private static var tooLong: Failure { .untrusted(.malformedCallback(.tooLong)) }

  /// The two places of a URL in which a provider can answer.
  package struct Channels: Sendable {
    package internal(set) var query = ParameterList()
    package internal(set) var fragment = ParameterList()
  }
}

/// A callback holds a code or a token.
extension Callback: Redacted {}

/// How exactly a callback is the redirect URI that was asked for.
public enum RedirectCheck: String, Sendable {
  /// The redirect URI of the request itself.
  case exact
  /// Another form of it that the provider is known to send.
  case alias
}
