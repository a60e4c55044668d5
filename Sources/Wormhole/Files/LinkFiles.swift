import WatchLink

/// An outgoing file transfer: its record in the store, and the handle that the program holds.
struct OutboxEntry: Sendable {
    let record: TransferRecord
    let transfer: FileTransfer
}

/// The file transfers on one link, in both directions, and the frames without content that wait to be sent.
struct LinkFiles {
    struct Sending {
        /// The number of the transfer on this link. Nil before the first offer. The refusal `.busy` makes it nil until the next
        /// offer.
        var number: UInt32?
        var machine: OutgoingTransfer
        let entry: OutboxEntry
        let file: OpenedFile

        var transfer: UInt64 { entry.record.transfer }
    }

    struct Receiving {
        var machine: IncomingTransfer
        let part: PartFile
        let arriving: ArrivingFile
        let reception: FileReceptions.Current
        var frames: [[UInt8]] = []
        var isBusy = true
    }

    var numbers = FileNumbers()
    var sending: [Sending] = []
    var receiving: [UInt32: Receiving] = [:]
    var haveChanged = false
    private var headers: [FileHeader] = []

    var isFull: Bool { headers.count >= TransferLimits.mostWaitingFrames }

    func due(after now: WatchLink.Instant) -> WatchLink.Instant? {
        sending.compactMap(\.machine.due).filter { $0 > now }.min()
    }

    mutating func mayTryAgain() {
        for index in sending.indices { sending[index].machine.mayTryAgain() }
    }

    /// Queues a step of a transfer, to be sent to the peer. New progress of a transfer replaces progress that still waits.
    mutating func say(_ step: FileStep, of number: UInt32) {
        if case .progress = step {
            headers.removeAll { header in
                guard header.number == number, case .progress = header.step else { return false }
                return true
            }
        }
        headers.append(FileHeader(number: number, step: step))
    }

    mutating func takeHeader() -> FileHeader? { headers.isEmpty ? nil : headers.removeFirst() }

    /// Returns the next transfer with an offer or content to send, and moves it behind the other transfers.
    mutating func takeTurn(at now: WatchLink.Instant) -> Sending? {
        guard let index = sending.firstIndex(where: { $0.machine.next(at: now) != nil }) else { return nil }
        let turn = sending.remove(at: index)
        sending.append(turn)
        return turn
    }

    mutating func change<Value>(_ transfer: UInt64, _ body: (inout Sending) -> Value) -> Value? {
        guard let index = sending.firstIndex(where: { $0.transfer == transfer }) else { return nil }
        return body(&sending[index])
    }

    func sending(_ number: UInt32) -> Sending? { sending.first { $0.number == number } }
}
