import LoginCore

extension CommandRun {
  /// `tokentry navigate`: takes the user to a page and prints the URL that came back, for callers with an
  /// OAuth library of their own.
  func navigate(_ settings: Settings) async throws(Failure) -> String {
    guard let url = settings[.url] else { throw .caller(.invalidOption("navigate needs --url")) }
    guard let redirect = settings[.redirectURI] else {
      throw .caller(.invalidOption("navigate needs --redirect-uri"))
    }
    let redirectURI: RedirectURI
    do throws(AddressFault) {
      redirectURI = try RedirectURI(redirect)
    } catch {
      throw .caller(.invalidOption("--redirect-uri: \"\(redirect.forDisplay(limit: 100))\" is \(error)"))
    }
    do throws(AddressFault) {
      // Only a page is asked for here, so its fragment belongs to it.
      _ = try Endpoint(url.splitOnce(at: "#").0)
    } catch {
      throw .caller(
        .invalidOption("--url: \"\(url.splitOnce(at: "?").0.forDisplay(limit: 100))\" is \(error)"))
    }
    let asked = AskedOf(url)
    let question = try Self.question(settings, redirectURI, asked.responseMode)
    let agent = try await route(settings, question).agent
    var visit = Visit(
      url: url, policy: NavigationPolicy(redirectURI: redirectURI),
      state: asked.state)
    visit.isPosted = asked.responseMode == .formPost
    switch try await arrival(of: visit, with: agent) {
    case .callback(let callback):
      let object: JSONObject = ["callback": .string(try callback.text())]
      return object.text + "\n"
    case .errorPage(let uri, _):
      throw .defect("the page \(uri) ended a visit that knows no error pages")
    case .code: throw .defect("a code alone ended a visit that needs an address")
    }
  }

  /// The URL names the redirect URI already, so no port can be chosen for it any more.
  private static func question(
    _ settings: Settings, _ redirectURI: RedirectURI, _ mode: ResponseMode
  ) throws(Failure) -> WayChoice.Question {
    var question = WayChoice.Question(
      redirectURI: redirectURI, responseMode: mode, asked: settings.askedWay)
    question.registersScheme = settings.has(.registerScheme)
    if case .loopback(_, port: nil) = redirectURI.place {
      if question.asked == .browser {
        throw .caller(
          .invalidConfiguration("a browser can come back to this machine only if --redirect-uri has a port"))
      }
      question.preset = [.window]
    }
    return question
  }

  /// Whatever the visit brings, what it has opened is closed afterwards.
  func arrival(of visit: Visit, with agent: any UserAgent) async throws(Failure) -> Arrival {
    do throws(Failure) {
      let arrival = try await agent.visit(visit)
      await agent.dismiss()
      return arrival
    } catch {
      await agent.dismiss()
      throw error
    }
  }
}

/// What a request of the caller's own making asks for, as far as it decides where the answer will be and what it
/// repeats.
private struct AskedOf {
  let state: State?
  let responseMode: ResponseMode

  init(_ url: String) {
    let query = url.splitOnce(at: "#").0.splitOnce(at: "?").1 ?? ""
    let parameters = ParameterList(form: Array(query.utf8), upTo: Callback.maximumParameters)
    state = parameters?["state"].map { State($0) }
    let type = parameters?["response_type"].flatMap(ResponseType.init)
    responseMode =
      parameters?["response_mode"].flatMap(ResponseMode.init) ?? type?.defaultMode ?? .query
  }
}
