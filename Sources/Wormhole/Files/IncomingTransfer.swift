import WatchLink

/// The receiver's state of one file transfer on one link. It decides the next step; a `FileJob` reads and writes the file.
struct IncomingTransfer {
    enum Phase: Equatable {
        /// A job opens the partial file, and finds out how much of the content an earlier link has stored.
        case preparing
        /// All content before the offset `arrived` has arrived, and all content before `written` is in the file. The number of
        /// chunks that are not written yet is `waiting`.
        case receiving(arrived: UInt64, written: UInt64, waiting: Int)
        /// A job checks the hash of the complete file, and gives the file its final name.
        case verifying
        case ended
    }

    enum Step: Equatable {
        case none
        case say(FileStep)
        /// Send this step to the peer, and start the job that checks the hash of the complete file.
        case verify(FileStep)
    }

    let length: UInt64
    private(set) var phase = Phase.preparing
    /// Whether the content includes a part that an earlier link stored. If the hash is wrong, that part may be the cause.
    private var hasKeptPart = false

    init(length: UInt64) { self.length = length }

    mutating func prepared(having kept: UInt64) -> Step {
        guard phase == .preparing else { return .none }
        hasKeptPart = kept > 0
        return begin(at: kept)
    }

    private mutating func begin(at offset: UInt64) -> Step {
        guard offset < length else {
            phase = .verifying
            return .verify(.resume(from: offset))
        }
        phase = .receiving(arrived: offset, written: offset, waiting: 0)
        return .say(.resume(from: offset))
    }

    /// Whether the transfer has ended on this link. Content that arrives after the end is ignored.
    var hasEnded: Bool { phase == .ended }

    /// Records that a chunk has arrived. Returns nil if the caller must write the chunk; otherwise the peer's fault.
    mutating func arrived(at offset: UInt64, count: Int) -> ProtocolFault? {
        guard case .receiving(offset, let written, let waiting) = phase, UInt64(count) <= length - offset else {
            return .brokenTransfer
        }
        guard waiting < OutgoingTransfer.window else { return .windowExceeded }
        phase = .receiving(arrived: offset + UInt64(count), written: written, waiting: waiting + 1)
        return nil
    }

    mutating func wrote(_ count: Int, chunks: Int = 1) -> Step {
        guard case .receiving(let arrived, let before, let waiting) = phase else { return .none }
        let written = before + UInt64(count)
        guard written == length else {
            phase = .receiving(arrived: arrived, written: written, waiting: waiting - chunks)
            return .say(.progress(to: written))
        }
        phase = .verifying
        return .verify(.progress(to: written))
    }

    /// Handles a wrong hash. If an earlier link stored a part of the content, asks the sender once for the whole file.
    /// Otherwise refuses the file.
    mutating func isWrong() -> Step {
        guard phase == .verifying else { return .none }
        guard hasKeptPart else {
            phase = .ended
            return .say(.refusal(.wrongHash))
        }
        hasKeptPart = false
        return begin(at: 0)
    }

    mutating func isStored() -> Step {
        guard phase == .verifying else { return .none }
        phase = .ended
        return .say(.done)
    }

    /// Ends the transfer before all content is written. Returns false, and changes nothing, if all content is written or the
    /// transfer has ended already.
    mutating func end() -> Bool {
        switch phase {
        case .verifying, .ended: return false
        case .preparing, .receiving:
            phase = .ended
            return true
        }
    }
}
