import WatchLink

/// The transfers of one link in both directions, and the frames of them that wait to be sent.
struct LinkFiles {
    /// A file that this side sends.
    struct Sending {
        /// The number of its offer that the peer has not refused.
        var number: UInt32?
        var machine: OutgoingTransfer
        let entry: FileOutbox.Entry
        let file: OpenedFile

        var transfer: UInt64 { entry.record.transfer }
    }

    /// A file that this side receives.
    struct Receiving {
        var machine: IncomingTransfer
        let part: PartFile
        let arriving: ArrivingFile
        let reception: FileReceptions.Current
        /// Frames with content that wait to be written.
        var frames: [[UInt8]] = []
        /// Whether a job is under way whose outcome decides what follows.
        var isBusy = true
    }

    var numbers = FileNumbers()
    var sending: [Sending] = []
    var receiving: [UInt32: Receiving] = [:]
    /// Whether the list of files for the peer has changed since it was looked at.
    var haveChanged = false
    private var headers: [FileHeader] = []

    /// Whether the peer has more waiting for it than it may.
    var isFull: Bool { headers.count >= TransferLimits.mostWaitingFrames }

    /// When the next file is offered again, to a peer that was busy; nil if none is.
    func due(after now: WatchLink.Instant) -> WatchLink.Instant? {
        sending.compactMap(\.machine.due).filter { $0 > now }.min()
    }

    /// A transfer has ended: a peer that was busy with it may take others.
    mutating func mayTryAgain() {
        for index in sending.indices { sending[index].machine.mayTryAgain() }
    }

    /// Has a step said. Of the progress of a transfer only the newest matters.
    mutating func say(_ step: FileStep, of number: UInt32) {
        if case .progress = step {
            headers.removeAll { header in
                guard header.number == number, case .progress = header.step else { return false }
                return true
            }
        }
        headers.append(FileHeader(number: number, step: step))
    }

    /// The step that has waited longest.
    mutating func takeHeader() -> FileHeader? { headers.isEmpty ? nil : headers.removeFirst() }

    /// The transfer whose turn it is to send an offer or content, which then is behind the others.
    mutating func takeTurn(at now: WatchLink.Instant) -> Sending? {
        guard let index = sending.firstIndex(where: { $0.machine.next(at: now) != nil }) else { return nil }
        let turn = sending.remove(at: index)
        sending.append(turn)
        return turn
    }

    /// Changes what is known of a file that this side sends; nil if it has ended.
    mutating func change<Value>(_ transfer: UInt64, _ body: (inout Sending) -> Value) -> Value? {
        guard let index = sending.firstIndex(where: { $0.transfer == transfer }) else { return nil }
        return body(&sending[index])
    }

    /// A file that this side sends, by its number on this link; nil if it has ended.
    func sending(_ number: UInt32) -> Sending? { sending.first { $0.number == number } }
}
