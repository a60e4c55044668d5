import WatchLink

/// The receiving side of one transfer on one link. It only decides; `FileJob` writes the file.
struct IncomingTransfer {
    enum Phase: Equatable {
        /// A job looks for what an earlier link has left.
        case preparing
        /// Bytes below the offset `arrived` have arrived, and bytes below `written` are on the disk. `waiting` chunks are not
        /// written yet.
        case receiving(arrived: UInt64, written: UInt64, waiting: Int)
        /// The hash of the complete file is being computed.
        case verifying
        case ended
    }

    enum Step: Equatable {
        case none
        case say(FileStep)
        /// Send the frame, and compute the hash of the complete file.
        case verify(FileStep)
    }

    let length: UInt64
    private(set) var phase = Phase.preparing
    /// Whether an earlier link left a part of the file. If the hash is wrong, that part may be the cause.
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

    /// Whether the transfer has ended. Content that is still in transit is then ignored.
    var hasEnded: Bool { phase == .ended }

    /// Takes content. Returns the peer's fault; nil if the caller has to write the content.
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

    /// Handles a wrong hash. If an earlier link left a part, the sender is asked once for the whole file.
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

    /// Ends the transfer. Returns false if the transfer has ended already or is complete.
    mutating func end() -> Bool {
        switch phase {
        case .verifying, .ended: return false
        case .preparing, .receiving:
            phase = .ended
            return true
        }
    }
}
