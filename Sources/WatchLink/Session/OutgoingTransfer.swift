/// The sender's side of one transfer on one link: decides what is sent next, and when. It reads no file.
package struct OutgoingTransfer: Sendable {
    package enum Phase: Equatable, Sendable {
        /// The offer is still to be sent, from this time on: again, where the receiver was busy.
        case waiting(from: Instant)
        /// The receiver has not said yet what it has.
        case offered
        /// The receiver has everything below `written`, and everything below `next` is sent. `wish` says whether the receiver may
        /// still ask for all of it again.
        case sending(next: UInt64, written: UInt64, wish: Wish)
    }

    /// Whether the receiver has asked for the content.
    package enum Wish: Sendable {
        case first
        /// What it had kept of an earlier link was wrong, and so it wants everything.
        case again
    }

    /// What is sent next.
    package enum Step: Equatable, Sendable {
        case offer
        case chunk(at: UInt64, count: Int)
    }

    /// The most chunks that are sent beyond what the receiver has written.
    package static let window = 8
    /// The most chunks of this size, in bytes, that this side sends beyond what the receiver has written. Short chunks go to a watch,
    /// whose link takes one in each connection event: two keep the link busy, and a message waits for those two.
    private static func window(ofChunks size: Int) -> Int { size <= 512 ? 2 : window }

    /// The pause after the first offer on a link that the receiver is too busy for. It doubles with each further one.
    static let shortestPause = Microseconds.seconds(1)
    /// The longest such pause.
    static let longestPause = Microseconds.seconds(30)

    /// The bytes of the content.
    package let length: UInt64
    /// The most bytes of it in one frame.
    let chunk: Int
    package private(set) var phase = Phase.waiting(from: .start)
    /// The pause after the next offer that the receiver is too busy for.
    private var pause = OutgoingTransfer.shortestPause

    package init(length: UInt64, chunk: Int) {
        self.length = length
        self.chunk = chunk
    }

    /// What the sender sends next; nil while it waits for the receiver, or for a receiver that was busy.
    package func next(at now: Instant) -> Step? {
        switch phase {
        case .waiting(let time): return time <= now ? .offer : nil
        case .offered: return nil
        case .sending(let next, let written, _):
            let room = UInt32(truncatingIfNeeded: chunk * OutgoingTransfer.window(ofChunks: chunk))
            guard next < length, next - written < UInt64(word: room) else { return nil }
            let rest = Int(truncatingIfNeeded: min(length - next, 0x7FFF_FFFF))
            return .chunk(at: next, count: min(chunk, rest))
        }
    }

    /// Whether everything has arrived.
    package var isDelivered: Bool {
        switch phase {
        case .waiting, .offered: false
        case .sending(_, let written, _): written == length
        }
    }

    /// When it is to be offered; nil where it was.
    package var due: Instant? {
        switch phase {
        case .waiting(let time): time
        case .offered, .sending: nil
        }
    }

    /// Whether the receiver has not been too busy for it on this link.
    package var isFirstOffer: Bool { pause == OutgoingTransfer.shortestPause }

    /// The transport has taken a frame.
    package mutating func sent(_ step: Step) {
        switch (phase, step) {
        case (.waiting, .offer): phase = .offered
        case (.sending(let next, let written, let wish), .chunk(let offset, let count)) where offset == next:
            phase = .sending(next: next + UInt64(word: UInt32(truncatingIfNeeded: count)), written: written, wish: wish)
        case (.waiting, .chunk), (.offered, _), (.sending, _): break
        }
    }

    /// The receiver wants the content from this offset on: once at first, and once more from the beginning, when it has all of it.
    ///
    /// - Returns: what is wrong with that; nil where nothing is.
    package mutating func resumed(from offset: UInt64) -> ProtocolFault? {
        switch phase {
        case .offered where offset <= length: phase = .sending(next: offset, written: offset, wish: .first)
        case .sending(length, _, .first) where offset == 0: phase = .sending(next: 0, written: 0, wish: .again)
        case .waiting, .offered, .sending: return .brokenTransfer
        }
        return nil
    }

    /// The receiver has written everything below this offset.
    ///
    /// - Returns: what is wrong with that; nil where nothing is.
    package mutating func progressed(to offset: UInt64) -> ProtocolFault? {
        guard case .sending(let next, let written, let wish) = phase, offset <= next else { return .brokenTransfer }
        phase = .sending(next: next, written: max(written, offset), wish: wish)
        return nil
    }

    /// The receiver has the file.
    ///
    /// - Returns: what is wrong with that; nil where nothing is.
    package func finished() -> ProtocolFault? {
        guard case .sending(length, _, _) = phase else { return .brokenTransfer }
        return nil
    }

    /// The receiver is too busy for it at present.
    package mutating func refusedBusy(at now: Instant) {
        phase = .waiting(from: now + pause)
        pause = min(pause + pause, OutgoingTransfer.longestPause)
    }

    /// Another transfer has ended: the receiver may be less busy.
    package mutating func mayTryAgain() {
        switch phase {
        case .waiting: phase = .waiting(from: .start)
        case .offered, .sending: break
        }
    }
}
