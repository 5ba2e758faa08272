import Foundation
import LoginKit

// An application with LoginKit, for tests that compare it with the `tokentry` command. Its only argument is a JSON object
// with its wishes. It prints one JSON object per line: each event, and the result or the failure of each call. With
// `servers`, it makes the calls at each of these, which are issuers and APIs. An empty store is the keyring.

struct Wishes: Decodable {
  let calls: [String]
  let issuer, store, api: String
  var preset, client, secret, grant, responseType, redirect, scope, way, user, password: String?
  var parameters: [String: String]?
  var servers: [String]?
  var bindsTokens, signingIn: Bool?
  var deadline: Int?
}

let wishes = try JSONDecoder().decode(Wishes.self, from: Data(CommandLine.arguments[1].utf8))

func show(_ line: JSONObject) { FileHandle.standardOutput.write(Data("\(line.text)\n".utf8)) }

func makeClient(_ issuer: String, _ api: String) throws -> OAuthClient {
  var client = try OAuthClient(
    issuer: issuer, clientID: wishes.client ?? "", clientSecret: wishes.secret)
  if let path = wishes.preset {
    let preset = try Preset(Array(Data(contentsOf: URL(filePath: path))))
    let provider = try preset.provider(variables: [:], clientID: wishes.client ?? "")
    client = try OAuthClient(provider: provider, clientID: wishes.client ?? "", clientSecret: wishes.secret)
  }
  if !wishes.store.isEmpty { client.store = .folder(wishes.store) }
  client.allowedOrigins = [api]
  client.deadline = wishes.deadline.map { .seconds($0) } ?? client.deadline
  client.login.scope = wishes.scope
  client.login.parameters = ParameterList(wishes.parameters ?? [:])
  if let grant = wishes.grant.flatMap(GrantType.init) { client.login.grant = grant }
  if let type = wishes.responseType.flatMap(ResponseType.init) { client.login.responseType = type }
  if let uri = wishes.redirect { client.login.redirectURI = try RedirectURI(uri) }
  client.login.provider.bindsTokens = wishes.bindsTokens ?? false
  client.way =
    switch wishes.way {
    case "browser": .browser
    case "window": .window
    case "paste": .paste
    case "device": .device
    case "headless": .headless(form: ["username": "ada"])
    case nil: nil
    case let way?: fatalError("no way: \(way)")
    }
  client.onEvent = { event in
    let name: String? =
      switch event {
      case .opening: "opening"
      case .opened: "opened"
      case .address: "address"
      case .forward: "forward"
      case .late: "late"
      case .code: "code"
      case .trouble: "trouble"
      case .begun, .signedIn, .failed: nil
      }
    if let name { show(["event": .string(name), "text": .string("\(event)")]) }
  }
  return client
}

guard let now = UTCDate(secondsSince1970: Int64(Date().timeIntervalSince1970)) else {
  fatalError("the machine's clock is beyond the year 9999")
}

func result(of call: String, by client: OAuthClient) async throws(Failure) -> JSONObject {
  switch call {
  case "login":
    if let user = wishes.user, let password = wishes.password {
      return try await client.signIn(user: user, password: password, account: "work").json(at: now)
    }
    return try await client.signIn(account: "work").json(at: now)
  case "token":
    return try await client.freshToken(account: "work", signingIn: wishes.signingIn ?? false).json(at: now)
  case "request":
    let answer = try await client.request(
      (client.allowedOrigins.first ?? "") + "/api", account: "work", signingIn: wishes.signingIn ?? false)
    return [
      "status": .number(JSONNumber(Int64(answer.status))),
      "body": .string(String(decoding: answer.body, as: UTF8.self)),
    ]
  case "logout": try await client.signOut(account: "work")
  case "forget client": try await client.forgetClient()
  default: throw Failure(.internalError, "no such call")
  }
  return [:]
}

let places = wishes.servers.map { $0.map { ($0, $0) } } ?? [(wishes.issuer, wishes.api)]
for (issuer, api) in places {
  let client = try makeClient(issuer, api)
  for call in wishes.calls {
    do throws(Failure) {
      show(["call": .string(call), "result": .object(try await result(of: call, by: client))])
    } catch {
      show([
        "call": .string(call), "failure": .object(error.report), "advice": error.advice.map { .string($0) },
      ])
    }
  }
}
