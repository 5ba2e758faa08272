import LoginCore

extension Settings {
  /// The name under which cookies are kept.
  var sessionName: SessionName? {
    get throws(Failure) {
      guard let text = self[.session] ?? accountSession else { return nil }
      guard let name = SessionName(text) else {
        throw .caller(.invalidOption("\(Option.session.flag): the name is too long"))
      }
      return name
    }
  }

  /// The window that the login belongs to.
  var parentWindow: ParentWindow? {
    get throws(Failure) {
      guard let text = self[.parent] else { return nil }
      guard let parent = ParentWindow(text) else {
        throw .caller(
          .invalidOption(
            "\(Option.parent.flag) takes x11: with a window's number in hexadecimal, or wayland: with a handle"
          ))
      }
      return parent
    }
  }
}
