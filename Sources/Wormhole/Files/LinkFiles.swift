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
        let chunks: ArrivedChunks
    }

    var numbers = FileNumbers()
    var sending: [Sending] = []
    var receiving: [UInt32: Receiving] = [:]
    /// What writes the files that are received.
    private(set) var writers: [UInt32: Task<Void, Never>] = [:]
    private var headers: [FileHeader] = []
    /// Content that has arrived and was not passed on to whoever writes it, of one file at a time.
    private var arrived: (number: UInt32, frames: [[UInt8]])?

    /// Content of a file has arrived.
    mutating func arrive(_ frame: [UInt8], of number: UInt32) {
        if arrived?.number != number { passOn() }
        arrived = arrived ?? (number, [])
        arrived?.frames.append(frame)
    }

    /// Passes on what has arrived together to whoever writes it, who is woken once.
    mutating func passOn() {
        guard let (number, frames) = arrived else { return }
        arrived = nil
        receiving[number]?.chunks.put(frames)
    }

    /// Whether the peer has more waiting for it than it may.
    var isFull: Bool { headers.count >= TransferLimits.mostWaitingFrames }

    /// Whether there is nothing to send.
    func isIdle(at now: WatchLink.Instant) -> Bool {
        headers.isEmpty && sending.allSatisfy { $0.machine.next(at: now) == nil }
    }

    /// When the next file is offered again, to a peer that was busy; nil where none is.
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

    /// Changes what is known of a file that this side sends; nil where it has ended.
    mutating func change<Value>(_ transfer: UInt64, _ body: (inout Sending) -> Value) -> Value? {
        guard let index = sending.firstIndex(where: { $0.transfer == transfer }) else { return nil }
        return body(&sending[index])
    }

    /// A file that this side sends, by its number on this link; nil where it has ended.
    func sending(_ number: UInt32) -> Sending? { sending.first { $0.number == number } }

    /// Somebody writes a file that is received.
    mutating func begin(_ number: UInt32, _ file: Receiving, writer: Task<Void, Never>) {
        receiving[number] = file
        writers[number] = writer
    }

    /// Nothing more arrives of a file.
    mutating func forget(_ number: UInt32) {
        if arrived?.number == number { arrived = nil }
        guard let file = receiving.removeValue(forKey: number) else { return }
        file.chunks.finish()
        file.arriving.finish()
    }

    /// Nobody writes a file any more.
    mutating func wrote(_ number: UInt32) {
        forget(number)
        writers[number] = nil
    }

    /// The link has ended: what has arrived stays, and what is sent goes on with the next link.
    mutating func end() {
        passOn()
        for file in receiving.values { file.chunks.finish() }
        headers = []
    }
}
