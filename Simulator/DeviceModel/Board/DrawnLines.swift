/// What drew the lines that go to the panel next, so that drawing is charged once, and as what it was.
package enum DrawnLines: Sendable, Equatable {
    /// The stages of a tap, as a part of what they execute.
    case stages
    /// The program by itself, once its time had come: a row goes.
    case removal
    /// The program, for what has come from the phone.
    case news
    /// The program, for what the wearer has done.
    case screen
    /// They were drawn with those of the run before.
    case before

    /// Something that decides what draws the next lines.
    package enum Event: Sendable {
        /// The program begins to wait.
        case waits
        /// It has taken a datagram.
        case datagram
        /// It has taken something that the wearer has done.
        case input
        /// A stage of a tap has ended, or the handler.
        case stage
        /// A run of lines is on the panel.
        case sent
    }

    /// What draws the lines that are sent after an event.
    package mutating func follow(_ event: Event) {
        switch (event, self) {
        case (.waits, _): self = .removal
        // The wearer's screen, or the lines of a stage, are drawn whatever arrives.
        case (.datagram, .removal): self = .news
        case (.datagram, _): break
        case (.input, _): self = .screen
        case (.stage, _): self = .stages
        case (.sent, _): self = .before
        }
    }
}
