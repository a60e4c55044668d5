/// A link that this side ends: it acknowledges what it has applied, then says goodbye.
package struct LeavingLink: BitwiseCopyable {
    /// What is still said before the goodbye.
    private enum Farewell: BitwiseCopyable {
        /// Nothing: the two had not both said hello.
        case none
        /// An acknowledgement, where one is owed, so that the peer need not send again what is applied.
        case acknowledgement(IncomingStreams)
    }

    /// Why the link ends.
    let reason: CloseReason
    /// When the transport is closed even if the goodbye could not be sent.
    let deadline: Instant
    private var farewell: Farewell

    /// Leaves before the link was open.
    init(_ reason: CloseReason, until deadline: Instant) {
        self.reason = reason
        self.deadline = deadline
        farewell = .none
    }

    /// Leaves an open link.
    init(_ before: OpenLink, _ reason: CloseReason, until deadline: Instant) {
        self.reason = reason
        self.deadline = deadline
        switch before.greeting {
        case .owed: farewell = .none
        case .sent: farewell = .acknowledgement(before.incoming)
        }
    }

    /// What has arrived, where the peer is told of it.
    var incoming: IncomingStreams? {
        switch farewell {
        case .none: nil
        case .acknowledgement(let incoming): incoming
        }
    }

    /// What is to be done next.
    func task(at now: Instant) -> SessionTask {
        guard now < deadline, let goodbye = reason.goodbye else { return .close(reason) }
        switch incoming?.debt {
        case .some(.owed): return .transmit(.acknowledgement)
        case .some(.settled), nil: return .transmit(.goodbye(goodbye))
        }
    }

    /// Changes what has arrived, where the peer is told of it.
    mutating func update(_ change: (inout IncomingStreams) -> Void) {
        switch farewell {
        case .none: break
        case .acknowledgement(var incoming):
            change(&incoming)
            farewell = .acknowledgement(incoming)
        }
    }
}
