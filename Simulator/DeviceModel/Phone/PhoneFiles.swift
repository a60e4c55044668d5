import WatchLink

/// The files that programs on a simulated phone send, and their frames. The phone itself accepts no files.
struct PhoneFiles {
    /// The most files that the phone offers or sends at once.
    static let mostUnderWay = 4

    private struct Sending {
        let file: PhoneFile
        /// The transfer on this link. Nil before the phone offers the file.
        var machine: OutgoingTransfer?
        /// The number of the offer on this link. Nil before the offer, and after the watch has refused it.
        var number: UInt32?
        /// The final state of the file. Nil until the transfer has ended.
        var ending: PhoneFileState?

        var state: PhoneFileState {
            if let ending { return ending }
            return switch machine?.phase {
            case nil, .waiting: .waiting
            case .offered: .offered
            case .sending(_, let written, _): .sending(upTo: Int(written))
            }
        }

        /// Sets the final state. Keeps an earlier one.
        mutating func end(as state: PhoneFileState) {
            ending = ending ?? state
            (machine, number) = (nil, nil)
        }
    }

    /// The files, in the order of the calls of `send`.
    private var sending: [Sending] = []
    /// The index of the file whose turn it is to send a frame.
    private var turn = 0
    private var numbers = FileNumbers()
    /// The headers of frames without content that wait to be sent.
    private var headers: [FileHeader] = []

    var states: [UInt64: PhoneFileState] {
        Dictionary(uniqueKeysWithValues: sending.map { ($0.file.transfer, $0.state) })
    }

    /// Adds a file to send. Traps if another file has used its transfer number.
    mutating func send(_ file: PhoneFile) {
        precondition(!sending.contains { $0.file.transfer == file.transfer }, "each file has a transfer of its own")
        sending.append(Sending(file: file))
    }

    mutating func cancel(_ transfer: UInt64) {
        guard let index = sending.firstIndex(where: { $0.file.transfer == transfer }) else { return }
        let number = sending[index].number
        sending[index].end(as: .cancelled)
        guard let number else { return }
        headers.append(FileHeader(number: number, step: .cancel(.cancelled)))
        othersMayGoOn()
    }

    /// Resets the transfers, because the link has ended or a new one has begun.
    mutating func linkChanged() {
        numbers = FileNumbers()
        headers = []
        // On the next link, the phone offers the oldest file first. The watch may hold a part of it, and would discard that
        // part for another file.
        turn = 0
        for index in sending.indices { (sending[index].machine, sending[index].number) = (nil, nil) }
    }

    /// Ends the files in transfer, because a frame that was too large has ended the link. They would end the next link as well.
    mutating func linkBroke() {
        for index in sending.indices where sending[index].number != nil { sending[index].end(as: .broken) }
    }

    // MARK: Frames from the watch

    /// Handles a file frame from the watch.
    ///
    /// - Returns: the protocol error in the frame. Nil if the frame is valid.
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
        case .offer: headers.append(FileHeader(number: header.number, step: .refusal(.noReceiver)))
        // These frames concern files of the watch, which the phone does not accept.
        case .chunk, .cancel: break
        case .resume, .progress, .done, .refusal: return takeAnswer(header, at: now)
        }
        return nil
    }

    /// Handles the watch's answer about a file. Ignores an answer about a file whose transfer has ended.
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

    // MARK: Frames to the watch

    /// The time at which the phone offers a file again after the watch was busy. Nil if there is no such file.
    func due(after now: Instant) -> Instant? { sending.compactMap(\.machine?.due).filter { $0 > now }.min() }

    /// The next frame to send. Nil if there is none. The files take turns.
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
        let (label, metadata) = (Array(file.label.utf8), [UInt8]())
        do throws(CBORError) {
            // 40 bytes have room for the CBOR headers and for the two numbers.
            let room = FileHeader.size + label.count + FileOffer.hashSize + 40
            return try [UInt8](capacity: room) { writer throws(CBORError) in
                try FileHeader(number: number, step: .offer).encode(into: &writer)
                try FileOffer(
                    label: label.span, length: UInt64(file.content.count), hash: file.hash.span,
                    metadata: metadata.span, transfer: file.transfer
                ).encode(into: &writer)
            }
        } catch {
            preconditionFailure("an offer has room for its parts")
        }
    }
}
