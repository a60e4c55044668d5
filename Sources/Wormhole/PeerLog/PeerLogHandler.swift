import HostSystem
import Logging
import WatchLink

/// A log handler for lines that peers cause, or that contain texts from peers. Each message becomes one line that is
/// safe on a terminal. The handler limits the lines per minute, about each peer and in total. Before the first line of
/// a later minute, it writes how many lines were omitted.
package struct PeerLogHandler: LogHandler {
    private var inner: any LogHandler
    private let clock: any LinkClock
    private let limit: WaitableState<LogRateLimit>

    /// The metadata key under which a line tells this handler which peer it is about. The handler removes the key
    /// before it writes the line, because the rest of the line identifies the peer.
    fileprivate static let subject = "subject"
    private static let peer = "peer"

    package init(_ inner: any LogHandler, clock: any LinkClock) {
        self.inner = inner
        self.clock = clock
        limit = WaitableState(LogRateLimit(start: clock.now))
    }

    package var logLevel: Logger.Level {
        get { inner.logLevel }
        set { inner.logLevel = newValue }
    }

    package var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = PeerLogHandler.cleaned(newValue) }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: SanitizedLine(key).text] = newValue.map(PeerLogHandler.cleaned) }
    }

    package func log(event: LogEvent) {
        let about = event.metadata?[PeerLogHandler.subject] ?? event.metadata?[PeerLogHandler.peer]
        let peer = (about ?? inner[metadataKey: PeerLogHandler.peer]).map { "\($0)" }
        // Errors of this program itself are always written.
        if peer != nil || event.level < .error {
            let (isWritten, omissions) = limit.change {
                $0.take(peer ?? "", isWarning: event.level >= .warning, at: clock.now)
            }
            for omission in omissions { note(omission, like: event) }
            guard isWritten else { return }
        }
        var event = event
        event.message = Logger.Message(stringLiteral: SanitizedLine(event.message.description).text)
        event.metadata?[PeerLogHandler.subject] = nil
        event.metadata = event.metadata.map(PeerLogHandler.cleaned)
        event.error = event.error.map { PlainError(description: SanitizedLine("\($0)").text) }
        inner.log(event: event)
    }

    private func note(_ omission: LogRateLimit.Omission, like event: LogEvent) {
        var note = event
        note.level = .warning
        note.error = nil
        note.metadata = nil
        let subject =
            switch omission.peer {
            case nil: " about other peers"
            case "": ""
            case let peer?: " about \(peer)"
            }
        note.message = "and \(CountText(omission.lines, "more line"))\(subject) in a minute"
        note.message = Logger.Message(stringLiteral: SanitizedLine(note.message.description).text)
        inner.log(event: note)
    }

    private static func cleaned(_ metadata: Logger.Metadata) -> Logger.Metadata {
        Dictionary(metadata.map { (SanitizedLine($0.key).text, cleaned($0.value)) }) { first, _ in first }
    }

    private static func cleaned(_ value: Logger.MetadataValue) -> Logger.MetadataValue {
        switch value {
        case .string(let text): .string(SanitizedLine(text).text)
        case .stringConvertible(let value): .string(SanitizedLine("\(value)").text)
        case .array(let values): .array(values.map(cleaned))
        case .dictionary(let values): .dictionary(cleaned(values))
        }
    }
}

private struct PlainError: Error, CustomStringConvertible {
    let description: String
}

extension Logger {
    /// Returns this logger with its handler inside a `PeerLogHandler`. If the handler already is a `PeerLogHandler`, returns
    /// this logger unchanged.
    package func aboutPeers(_ clock: any LinkClock = SystemClock()) -> Logger {
        guard !(handler is PeerLogHandler) else { return self }
        var logger = self
        logger.handler = PeerLogHandler(handler, clock: clock)
        return logger
    }
}

extension Logger.Metadata {
    /// Returns metadata that counts a line against the rate limit of `peer`. The metadata is not written, because the
    /// line's text names the peer.
    package static func about(_ peer: some CustomStringConvertible) -> Logger.Metadata {
        [PeerLogHandler.subject: "\(peer)"]
    }

    /// Returns `metadata` for a line about a visitor. A visitor has connected but is not a peer yet. All visitors share
    /// one rate limit.
    package static func aboutVisitors(_ metadata: Logger.Metadata) -> Logger.Metadata {
        metadata.merging([PeerLogHandler.subject: "visitors"]) { _, subject in subject }
    }
}
