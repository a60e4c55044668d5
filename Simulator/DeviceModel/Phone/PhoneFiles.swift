import WatchLink

/// The files that programs on a simulated phone send to its watch, and the frames of them that wait. It takes no files itself.
struct PhoneFiles {
    /// The most files that are under way before another has ended.
    static let mostUnderWay = 4

    private struct Sending {
        let file: PhoneFile
        /// Its way on this link; nil before that has begun.
        var machine: OutgoingTransfer?
        /// The number of its offer that the watch has not refused.
        var number: UInt32?
        /// How it has ended, if it has.
        var ending: PhoneFileState?

        var state: PhoneFileState {
            if let ending { return ending }
            return switch machine?.phase {
            case nil, .waiting: .waiting
            case .offered: .offered
            case .sending(_, let written, _): .sending(upTo: Int(written))
            }
        }

        /// One that has ended already stays as it is.
        mutating func end(as state: PhoneFileState) {
            ending = ending ?? state
            (machine, number) = (nil, nil)
        }
    }

    /// In the order in which they were sent.
    private var sending: [Sending] = []
    /// The index of the one whose turn it is.
    private var turn = 0
    private var numbers = FileNumbers()
    /// Steps that are to be said.
    private var headers: [FileHeader] = []

    /// How far each has got, by its transfer.
    var states: [UInt64: PhoneFileState] {
        Dictionary(uniqueKeysWithValues: sending.map { ($0.file.transfer, $0.state) })
    }

    /// Sends a file. Traps where another has had its transfer.
    mutating func send(_ file: PhoneFile) {
        precondition(!sending.contains { $0.file.transfer == file.transfer }, "each file has a transfer of its own")
        sending.append(Sending(file: file))
    }

    /// Cancels a file that has not ended.
    mutating func cancel(_ transfer: UInt64) {
        guard let index = sending.firstIndex(where: { $0.file.transfer == transfer }) else { return }
        let number = sending[index].number
        sending[index].end(as: .cancelled)
        guard let number else { return }
        headers.append(FileHeader(number: number, step: .cancel(.cancelled)))
        othersMayGoOn()
    }

    /// The link has ended, or a new one has begun.
    mutating func linkChanged() {
        numbers = FileNumbers()
        headers = []
        // The oldest is offered first: the watch may have a part of it, which it forgets for another.
        turn = 0
        for index in sending.indices { (sending[index].machine, sending[index].number) = (nil, nil) }
    }

    /// A frame that did not fit has ended the link: what was under way would end the next one as well.
    mutating func linkBroke() {
        for index in sending.indices where sending[index].number != nil { sending[index].end(as: .broken) }
    }

    // MARK: What the watch says

    /// Takes a file frame of the watch's.
    ///
    /// - Returns: what is wrong with it; nil where nothing is.
    mutating func take(_ datagram: [UInt8], at now: Instant) -> ProtocolFault? {
        let header: FileHeader
        do throws(CBORError) {
            header = try FileHeader(datagram.span)
            if case .offer = header.step { _ = try FileOffer(datagram.span) }
        } catch {
            return error == .unexpectedKind ? .unsupported : .malformedFrame
        }
        if let fault = numbers.receive(header) { return fault }
        switch header.step {
        case .offer: headers.append(FileHeader(number: header.number, step: .refusal(.nobody)))
        // Nothing is taken, and so nothing of it matters.
        case .chunk, .cancel: break
        case .resume, .progress, .done, .refusal: return takeAnswer(header, at: now)
        }
        return nil
    }

    /// Takes what the watch says of a file of ours. What comes after its end means nothing.
    private mutating func takeAnswer(_ header: FileHeader, at now: Instant) -> ProtocolFault? {
        guard let index = sending.firstIndex(where: { $0.number == header.number }) else { return nil }
        switch header.step {
        case .resume(let offset): return sending[index].machine?.resumed(from: offset)
        case .progress(let offset): return sending[index].machine?.progressed(to: offset)
        case .done:
            if let fault = sending[index].machine?.finished() { return fault }
            sending[index].end(as: .stored)
            othersMayGoOn()
        case .refusal(.busy):
            sending[index].machine?.refusedBusy(at: now)
            sending[index].number = nil
        case .refusal(let reason):
            sending[index].end(as: .refused(reason))
            othersMayGoOn()
        case .offer, .chunk, .cancel: break
        }
        return nil
    }

    private mutating func othersMayGoOn() {
        for index in sending.indices { sending[index].machine?.mayTryAgain() }
    }

    // MARK: What the phone says

    /// When a file is offered again to a watch that was busy, nil for none.
    func due(after now: Instant) -> Instant? { sending.compactMap(\.machine?.due).filter { $0 > now }.min() }

    /// The next frame of a file, nil for none. Files take turns.
    mutating func nextFrame(_ session: Session, at now: Instant) -> [UInt8]? {
        guard session.mayTransfer, let largest = session.largestFrame else { return nil }
        if !headers.isEmpty { return PhoneFiles.frame(headers.removeFirst(), []) }
        let mayOffer = sending.count { $0.number != nil } < PhoneFiles.mostUnderWay
        for place in sending.indices {
            let index = (turn + place) % sending.count
            let file = sending[index].file
            var machine =
                sending[index].machine
                ?? OutgoingTransfer(length: UInt64(file.content.count), chunk: largest - FileHeader.longestSize)
            guard sending[index].ending == nil, let step = machine.next(at: now) else { continue }
            let frame: [UInt8]
            switch step {
            case .offer:
                guard mayOffer, PhoneFiles.offer(1, of: file).count <= largest else { continue }
                let number = numbers.offer()
                sending[index].number = number
                frame = PhoneFiles.offer(number, of: file)
            case .chunk(let offset, let count):
                guard let number = sending[index].number else { continue }
                frame = PhoneFiles.frame(
                    FileHeader(number: number, step: .chunk(at: offset)),
                    Array(file.content[Int(offset)..<Int(offset) + count]))
            }
            machine.sent(step)
            sending[index].machine = machine
            turn = index + 1
            return frame
        }
        return nil
    }

    private static func frame(_ header: FileHeader, _ content: [UInt8]) -> [UInt8] {
        PhonePrograms.frame(content) { writer throws(CBORError) in try header.encode(into: &writer) }
    }

    private static func offer(_ number: UInt32, of file: PhoneFile) -> [UInt8] {
        let label = Array(file.label.utf8)
        do throws(CBORError) {
            // 40 bytes hold the heads of the map and of its values, and the two numbers.
            let room = FileHeader.size + label.count + file.metadata.count + FileOffer.hashSize + 40
            return try [UInt8](capacity: room) { writer throws(CBORError) in
                try FileHeader(number: number, step: .offer).encode(into: &writer)
                try FileOffer(
                    label: label.span, length: UInt64(file.content.count), hash: file.hash.span,
                    metadata: file.metadata.span, transfer: file.transfer
                ).encode(into: &writer)
            }
        } catch {
            preconditionFailure("an offer has room for its parts")
        }
    }
}
