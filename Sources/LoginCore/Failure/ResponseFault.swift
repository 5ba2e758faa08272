/// Why an answer is none of OAuth.
public enum ResponseFault: Sendable, Equatable {
  /// A redirect, which no credential follows.
  case redirect(from: EndpointName)
  /// A status that says neither yes nor why not.
  case status(Int, from: EndpointName)
  /// Something that is not one JSON object.
  case notJSON(JSONFault.Reason, status: Int, from: EndpointName)
  /// A member that has to be text and is not.
  case notText(String, from: EndpointName)
  /// A member that is not there.
  case missing(String, from: EndpointName)
  /// A member that is of the wrong kind, or cannot be used.
  case unusable(String, from: EndpointName)
  /// A member that is no address which could be asked.
  case address(String, AddressFault, from: EndpointName)
  /// A client that was made for other redirect URIs than were asked for.
  case otherRedirectURIs
  /// A client that is to prove itself in a way that is not known here.
  case clientAuthentication(String)
  /// Claims that are signed, which was not asked for.
  case signedUserinfo
  /// The issuer does not describe itself at any of the standards' addresses.
  case noMetadata(Issuer)
  /// The issuer cannot describe itself now, with this status.
  case metadataStatus(Issuer, Int)
  /// What the issuer says of itself is not one JSON object.
  case metadata(Issuer, JSONFault.Reason)
  /// What the issuer says of itself lacks this.
  case metadataMember(Issuer, String)
  /// What an API says of itself, at this address: its status where that says nothing of an error, or what is wrong with
  /// its JSON.
  case resourceStatus(Int, at: String), resourceJSON(JSONFault.Reason, at: String)
  /// What an API says of itself, at this address, has a member that cannot be used.
  case resourceMember(String, at: String)
  /// More answers before the answer than any server has reason to send.
  case interimAnswers
  /// A body in a coding that was not asked for, or one that is damaged.
  case coding, undecodable
  /// What the HTTP library says of it.
  case library(String)

  /// Whether it may be better the next time.
  package var isPassing: Bool {
    switch self {
    case .status(let status, _), .metadataStatus(_, let status), .resourceStatus(let status, _):
      status.isPassingStatus
    default: false
    }
  }
}
