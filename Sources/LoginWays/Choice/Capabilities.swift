/// What there is where the program runs, as far as it decides which ways lead to the user.
package struct Capabilities: Sendable {
  package var hasDisplay: Bool
  package var hasWindow: Bool
  /// Whether there may be a browser that can be started.
  package var hasBrowser: Bool
  package var hasTerminal: Bool
  /// Whether standard error is a terminal, on which the user reads what is said.
  package var showsMessages: Bool
  /// Whether the user sits at another machine.
  package var isRemote: Bool
  /// Whether there is a message bus over which other programs of the user can reach this one.
  package var hasMessageBus: Bool
  /// Whether an answer may come through a pipe from whoever has started this program.
  package var readsPipe: Bool

  package init(
    hasDisplay: Bool = false, hasWindow: Bool = false, hasBrowser: Bool = false, hasTerminal: Bool = false,
    showsMessages: Bool = false, isRemote: Bool = false, hasMessageBus: Bool = false,
    readsPipe: Bool = false
  ) {
    self.hasDisplay = hasDisplay
    self.hasWindow = hasWindow
    self.hasBrowser = hasBrowser
    self.hasTerminal = hasTerminal
    self.showsMessages = showsMessages
    self.isRemote = isRemote
    self.hasMessageBus = hasMessageBus
    self.readsPipe = readsPipe
  }
}

/// What our own window is for besides pages.
extension Capabilities {
  /// Whether a code for another device is shown in it: somebody may see it, and nobody reads standard error.
  package var showsCodeInWindow: Bool { canShowWindow && !showsMessages }

  package var takesPasteInWindow: Bool { canShowWindow && !hasTerminal }

  /// Whether an answer can be pasted at all.
  var takesPaste: Bool { canShowWindow || hasTerminal || readsPipe }

  private var canShowWindow: Bool { hasDisplay && hasWindow }
}
