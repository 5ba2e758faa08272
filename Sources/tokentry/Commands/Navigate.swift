import LoginCore

extension CommandRun {
  /// `tokentry navigate`: takes the user to a page and prints the URL that came back, for callers with an
  /// OAuth library of their own.
  func navigate(_ settings: Settings) async throws(Failure) -> String {
    guard let url = settings[.url] else { throw .caller(.invalidOption("navigate needs --url")) }
    guard let redirect = settings[.redirectURI] else {
      throw .caller(.invalidOption("navigate needs --redirect-uri"))
    }
    let policy: NavigationPolicy
    do throws(AddressFault) {
      policy = NavigationPolicy(redirectURI: try RedirectURI(redirect))
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
    let agent = try await userAgent(settings, for: nil)
    switch try await arrival(of: Visit(url: url, policy: policy), with: agent) {
    case .callback(let callback):
      let object: JSONObject = ["callback": .string(try callback.text())]
      return object.text + "\n"
    case .errorPage(let uri, _):
      throw .defect("the page \(uri) ended a visit that knows no error pages")
    }
  }

  /// Whatever the visit brings, what it has opened is closed afterwards.
  private func arrival(of visit: Visit, with agent: any UserAgent) async throws(Failure) -> Arrival {
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
