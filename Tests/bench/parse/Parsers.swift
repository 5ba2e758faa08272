import CGLib
import Foundation
import LoginCore

/// A parser that holds its input in the form that it needs.
struct Parser {
  let name: String
  /// Parses the input `times` times and returns the number of parameters, so that the compiler cannot remove the work.
  let parse: (_ times: Int) -> Int
}

extension Parser {
  /// Tokentry's parser, used as in a login: it compares the redirect, decodes both channels and checks for repeated names.
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
  /// They do less: they compare no redirect, keep only the last of repeated names and lose the order. They also refuse a
  /// `%` without digits and broken UTF-8, which these inputs do not have. The component stays encoded until it is split,
  /// because an escaped `&` must not separate parameters.
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

  /// `URLComponents.queryItems`, only for the query, because Foundation does not split fragments. It also does less: it
  /// keeps a `+` and does not notice repeated names.
  static func foundation(_ text: String) -> Parser {
    Parser(name: "Foundation") { times in
      var count = 0
      for _ in 0..<times { count += URLComponents(string: text)?.queryItems?.count ?? 0 }
      return count
    }
  }
}
