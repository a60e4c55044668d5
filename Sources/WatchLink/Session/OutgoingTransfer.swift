/// The sender's side of one file transfer on one link. It reads no file.
package struct OutgoingTransfer: Sendable {
    package enum Phase: Equatable, Sendable {
        /// The sender makes its offer at this time, or repeats it if the receiver was busy.
        case waiting(from: Instant)
        /// The receiver has not said yet how much of the content it has.
        case offered
        /// The receiver has written the bytes below the offset `written`, and the bytes below the offset `next` are sent. If
        /// `mayRestart`, the receiver may still ask once for the whole file. It does that if the part that it kept from an
        /// earlier link is wrong.
        case sending(next: UInt64, written: UInt64, mayRestart: Bool)
    }

    package enum Step: Equatable, Sendable {
        case offer
        case chunk(at: UInt64, count: Int)
    }

    /// The maximum number of chunks that are sent and that the receiver has not yet reported as written.
    package static let window = 8
    /// Returns the window for chunks of `size` bytes. Chunks of at most 512 bytes go to a watch, whose link carries one chunk
    /// in each connection event. Two chunks keep that link busy, and a message waits for at most two chunks.
    private static func window(ofChunks size: Int) -> Int { size <= 512 ? 2 : window }

    /// The pause after the receiver's first busy answer on a link. It doubles with each further busy answer.
    static let shortestPause = Microseconds.seconds(1)
    static let longestPause = Microseconds.seconds(30)

    package let length: UInt64
    let chunk: Int
    package private(set) var phase = Phase.waiting(from: .start)
    private var pause = OutgoingTransfer.shortestPause

    package init(length: UInt64, chunk: Int) {
        self.length = length
        self.chunk = chunk
    }

    /// Returns the step to send now; nil while the sender waits for the receiver or for the end of a pause.
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

    package var isDelivered: Bool {
        switch phase {
        case .waiting, .offered: false
        case .sending(_, let written, _): written == length
        }
    }

    /// When the sender makes its next offer; nil while the receiver has the offer or takes the content.
    package var due: Instant? {
        switch phase {
        case .waiting(let time): time
        case .offered, .sending: nil
        }
    }

    /// True until the receiver refuses an offer as busy on this link.
    package var isFirstOffer: Bool { pause == OutgoingTransfer.shortestPause }

    /// Call when the transport has taken the frame of this step.
    package mutating func sent(_ step: Step) {
        switch (phase, step) {
        case (.waiting, .offer): phase = .offered
        case (.sending(let next, let written, let mayRestart), .chunk(let offset, let count)) where offset == next:
            phase = .sending(
                next: next + UInt64(word: UInt32(truncatingIfNeeded: count)), written: written, mayRestart: mayRestart)
        case (.waiting, .chunk), (.offered, _), (.sending, _): break
        }
    }

    /// Records that the receiver asks for the content from this offset on. The receiver asks once after the offer. Once the
    /// whole content is sent, it may ask one more time, from offset 0.
    /// - Returns: the receiver's fault, nil if there is none.
    package mutating func resumed(from offset: UInt64) -> ProtocolFault? {
        switch phase {
        case .offered where offset <= length: phase = .sending(next: offset, written: offset, mayRestart: true)
        case .sending(length, _, true) where offset == 0: phase = .sending(next: 0, written: 0, mayRestart: false)
        case .waiting, .offered, .sending: return .brokenTransfer
        }
        return nil
    }

    package mutating func progressed(to offset: UInt64) -> ProtocolFault? {
        guard case .sending(let next, let written, let mayRestart) = phase, offset <= next else {
            return .brokenTransfer
        }
        phase = .sending(next: next, written: max(written, offset), mayRestart: mayRestart)
        return nil
    }

    /// Call when the receiver reports the file as stored.
    /// - Returns: the receiver's fault if it cannot have the file yet.
    package func finished() -> ProtocolFault? {
        guard case .sending(length, _, _) = phase else { return .brokenTransfer }
        return nil
    }

    /// Call when the receiver is too busy for the offer. The next offer follows after a pause.
    package mutating func refusedBusy(at now: Instant) {
        phase = .waiting(from: now + pause)
        pause = min(pause + pause, OutgoingTransfer.longestPause)
    }

    /// Call when another transfer has ended: the receiver may be less busy, so a waiting offer goes out at once.
    package mutating func mayTryAgain() {
        switch phase {
        case .waiting: phase = .waiting(from: .start)
        case .offered, .sending: break
        }
    }
}
