import WatchLink

/// The transfers of one link in both directions, and their frames that wait to be sent.
struct LinkFiles {
    struct Sending {
        /// The number of the present offer; nil if there is none, or if the peer has refused it.
        var number: UInt32?
        var machine: OutgoingTransfer
        let entry: FileOutbox.Entry
        let file: OpenedFile

        var transfer: UInt64 { entry.record.transfer }
    }

    struct Receiving {
        var machine: IncomingTransfer
        let part: PartFile
        let arriving: ArrivingFile
        let reception: FileReceptions.Current
        /// Frames whose content is not written yet.
        var frames: [[UInt8]] = []
        /// Whether a job is running whose result decides the next step.
        var isBusy = true
    }

    var numbers = FileNumbers()
    var sending: [Sending] = []
    var receiving: [UInt32: Receiving] = [:]
    /// Whether the list of files for the peer has changed since the link last read it.
    var haveChanged = false
    private var headers: [FileHeader] = []

    /// Whether the maximum number of file frames waits to be sent.
    var isFull: Bool { headers.count >= TransferLimits.mostWaitingFrames }

    /// When the next file is offered again to a busy peer; nil if none is.
    func due(after now: WatchLink.Instant) -> WatchLink.Instant? {
        sending.compactMap(\.machine.due).filter { $0 > now }.min()
    }

    /// Call when a transfer has ended. Offers the files again that a busy peer refused.
    mutating func mayTryAgain() {
        for index in sending.indices { sending[index].machine.mayTryAgain() }
    }

    /// Queues a frame. Newer progress of a transfer replaces the older.
    mutating func say(_ step: FileStep, of number: UInt32) {
        if case .progress = step {
            headers.removeAll { header in
                guard header.number == number, case .progress = header.step else { return false }
                return true
            }
        }
        headers.append(FileHeader(number: number, step: step))
    }

    /// The oldest frame that waits.
    mutating func takeHeader() -> FileHeader? { headers.isEmpty ? nil : headers.removeFirst() }

    /// Returns the next transfer with an offer or content to send, and moves that transfer behind the others.
    mutating func takeTurn(at now: WatchLink.Instant) -> Sending? {
        guard let index = sending.firstIndex(where: { $0.machine.next(at: now) != nil }) else { return nil }
        let turn = sending.remove(at: index)
        sending.append(turn)
        return turn
    }

    /// Changes a file that this side sends; nil if its transfer has ended.
    mutating func change<Value>(_ transfer: UInt64, _ body: (inout Sending) -> Value) -> Value? {
        guard let index = sending.firstIndex(where: { $0.transfer == transfer }) else { return nil }
        return body(&sending[index])
    }

    /// The file that this side sends under a number of this link; nil if its transfer has ended.
    func sending(_ number: UInt32) -> Sending? { sending.first { $0.number == number } }
}
