import CGLib
import Foundation
import LoginCore

/// One way to parse a callback that it already holds in the form in which it wants it.
struct Parser {
  let name: String
  /// Parses it `times` times and returns how many parameters came out, so that no work can be left out.
  let parse: (_ times: Int) -> Int
}

extension Parser {
  /// As a login does: the redirect is compared, both channels are decoded, and no name may be there twice.
  static func loginCore(_ text: String) throws -> Parser {
    let policy = NavigationPolicy(redirectURI: try RedirectURI(Inputs.redirectURI))
    let uri = Array(text.utf8)
    return Parser(name: "LoginCore") { times in
      var count = 0
      for _ in 0..<times {
        guard case .callback(let callback) = policy.decision(for: uri),
          let channels = try? callback.channels(),
          channels.query.repeatedName == nil, channels.fragment.repeatedName == nil
        else { break }
        count += channels.query.parameters.count + channels.fragment.parameters.count
      }
      return count
    }
  }

  /// `g_uri_parse` and `g_uri_parse_params`.
  ///
  /// This does less: no redirect is compared, of two equal names the last one wins, and the order is lost.
  /// It is stricter in that a `%` without digits and broken UTF-8 are errors; the inputs here have neither.
  /// The component has to stay encoded until it is split, or an escaped `&` would separate.
  static func glib(_ text: String, _ channel: Inputs.Channel) -> Parser {
    let uri = text.utf8CString
    return Parser(name: "GLib") { times in
      uri.withUnsafeBufferPointer { uri in
        var count = 0
        for _ in 0..<times {
          guard let parts = g_uri_parse(uri.baseAddress, G_URI_FLAGS_ENCODED, nil) else { break }
          let parameters = channel == .query ? g_uri_get_query(parts) : g_uri_get_fragment(parts)
          if let table = g_uri_parse_params(parameters, -1, "&", G_URI_PARAMS_WWW_FORM, nil) {
            count += Int(g_hash_table_size(table))
            g_hash_table_unref(table)
          }
          g_uri_unref(parts)
        }
        return count
      }
    }
  }

  /// `URLComponents.queryItems`, for the query only: Foundation splits no fragment.
  ///
  /// This does less, too: a `+` stays, and equal names are not noticed.
  static func foundation(_ text: String) -> Parser {
    Parser(name: "Foundation") { times in
      var count = 0
      for _ in 0..<times { count += URLComponents(string: text)?.queryItems?.count ?? 0 }
      return count
    }
  }
}
