import LoginCore

extension PresetFault.Reason {
  package var words: Sentence {
    switch self {
    case .notJSON(let reason): reason.words
    case .unknownMember(let name, let nearest):
      nearest.map { "unknown member \"\(name.forDisplay(limit: 60))\", did you mean \"\($0)\"?" }
        ?? "unknown member \"\(name.forDisplay(limit: 60))\""
    case .kind(let member, let wanted, let found):
      "\(member.forDisplay(limit: 80)) must be \(wanted.words), and is \(found.words)"
    case .choice(let text, let choices):
      "\"\(text.forDisplay(limit: 60))\" is not one of \(choices.verbatim.list)"
    case .responseType(let text): "\"\(text.forDisplay(limit: 60))\" is not a response type"
    case .variableName: "a variable's name must be made of letters, digits and underscores"
    case .reservedVariable: "client_id is always a variable"
    case .reservedParameter(let name): "the request sets the parameter \(name) itself"
    case .defaultWithoutVariable(let name): "{\(name.forDisplay(limit: 60))} is not a variable of this preset"
    case .issuerPattern: "id_token_issuer must be an https URL with one {claim} in its path"
    case .windowSize: "window_size must be a width and a height, each from 200 to 10000, such as 960x720"
    case .authorizationScheme: "authorization_scheme must be made of letters, digits and hyphens"
    case .header(let name, let fault): "\(name.forDisplay(limit: 60)): \(fault.words)"
    case .template(let member, let fault): "\(member): \(fault.words)"
    }
  }
}

extension TemplateFault {
  fileprivate var words: Sentence {
    switch self {
    case .unknownVariable(let name): "{\(name)} is not a variable of this preset"
    case .value(let name, let position): "the value of \(name) is not \(position.words)"
    case .address(let text, let fault): "\"\(text.forDisplay(limit: 100))\" is \(fault.words)"
    }
  }
}

extension TemplateFault.Position {
  fileprivate var words: Sentence {
    switch self {
    case .text, .pathOrQuery: "text"
    case .scheme: "a scheme"
    case .server: "a host with an optional port and path"
    case .hostPart: "part of a host name"
    case .port: "a port"
    }
  }
}

extension JSONKind {
  fileprivate var words: Sentence {
    switch self {
    case .null: "null"
    case .flag: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONFault {
  package var words: Sentence { "line \(line): \(reason.words)" }
}

extension JSONFault.Reason {
  var words: Sentence {
    switch self {
    case .tooLarge: "the document is too large"
    case .tooDeep: "objects and arrays are nested too deeply"
    case .notUTF8: "the text is not UTF-8"
    case .unexpectedEnd: "the document ends too early"
    case .unexpectedCharacter(let found): "\(found.named) is not allowed here"
    case .trailingComma: "there is a comma before the closing bracket"
    case .trailingCharacters: "there is more after the end of the document"
    case .notAnObject: "the document is not a JSON object"
    case .controlCharacterInString: "a control character in a string must be escaped"
    case .invalidEscape: "this escape does not exist in JSON"
    case .loneSurrogate: "half a surrogate pair"
    case .repeatedName(let name): "the member \"\(name.forDisplay(limit: 60))\" appears twice"
    }
  }
}

extension Unicode.Scalar {
  /// The character for a reader, who may not see it as it is.
  fileprivate var named: String {
    let shown = String(self).forDisplay(limit: 1)
    if !shown.isEmpty, properties.generalCategory != .format {
      return shown == "\"" ? "'\"'" : "\"\(shown)\""
    }
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension AddressFault {
  /// What is wrong, to be read after "VALUE is …".
  package var words: Sentence {
    switch self {
    case .notAbsolute: "not an absolute URL"
    case .notHTTPS: "not https (plain http is for loopback addresses only)"
    case .forbiddenScheme(let scheme): "a URL with the scheme \(scheme), to which no provider can redirect"
    case .fragment: "a URL with a fragment"
    case .query: "a URL with a query"
    case .notAnOrigin: "more than a scheme, a host and a port"
    case .credentials: "a URL with a user name in it"
    case .illegalCharacter: "a URL with a character that must be escaped (in hosts: punycode)"
    case .dotSegment: "a URL with . or .. as a part of its path"
    case .ambiguousHost: "a URL whose host is an IP address in an unusual form"
    case .notPublic:
      "an address on this machine or in a private network, which a server elsewhere may not name"
    case .port: "a URL with a port that browsers block"
    case .portNumber: "a URL whose port is not a number from 1 to 65535"
    }
  }
}
