import WatchLink

// Files that this side sends.
extension LinkMachine {
    func filesChanged() {
        files.haveChanged = true
        endpoint.touch(self)
    }

    func updateFiles() throws(WormholeError) {
        files.haveChanged = false
        guard let peer, isRunning, let limits = session.peer?.limits else { return }
        for gone in files.sending where endpoint.outboxEntry(gone.transfer) == nil { drop(gone, .cancelled) }
        let entries = endpoint.outbox.filter { $0.record.peer == peer }
        guard configuration.kinds.include(.files), limits.kinds.include(.files) else {
            for entry in entries { try endpoint.conclude(entry.record.transfer, .failed(.notTaken(.file))) }
            return
        }
        for entry in entries where files.sending.count < TransferLimits.mostSending { try begin(entry) }
    }

    private func begin(_ entry: OutboxEntry) throws(WormholeError) {
        let record = entry.record
        guard let limit = session.largestFrame, !files.sending.contains(where: { $0.transfer == record.transfer })
        else { return }
        let bytes = record.offerSize
        guard bytes <= limit else {
            return try endpoint.conclude(record.transfer, .failed(.tooLarge(bytes: bytes, limit: limit)))
        }
        let file: OpenedFile
        do throws(WormholeError) {
            file = try endpoint.fileSystem.openToSend(record.path)
        } catch {
            return try endpoint.conclude(record.transfer, .failed(.fileUnreadable(error)))
        }
        let chunk = min(limit - FileHeader.longestSize, TransferLimits.longestChunk)
        files.sending.append(
            LinkFiles.Sending(
                machine: OutgoingTransfer(length: record.length, chunk: chunk), entry: entry, file: file))
    }

    private func drop(_ gone: LinkFiles.Sending, _ reason: FileReason) {
        files.sending.removeAll { $0.transfer == gone.transfer }
        guard let number = gone.number else { return }
        files.say(.cancel(reason), of: number)
        files.mayTryAgain()
    }

    func sendFile(at now: WatchLink.Instant) throws(WormholeError) -> Bool {
        guard session.mayTransfer else { return false }
        while true {
            if let header = files.takeHeader() {
                send(try LinkMachine.datagram(header))
                return true
            }
            guard let turn = files.takeTurn(at: now), let step = turn.machine.next(at: now) else { return false }
            switch step {
            case .offer:
                let number = files.numbers.offer()
                _ = files.change(turn.transfer) { sending in
                    sending.number = number
                    sending.machine.sent(step)
                }
                send(
                    try turn.entry.record.offer(number),
                    turn.machine.isFirstOffer ? .offered(turn.entry) : .nothing)
                return true
            case .chunk(let offset, let count):
                guard let number = turn.number else { continue }
                let header = try LinkMachine.datagram(FileHeader(number: number, step: .chunk(at: offset)))
                guard let bytes = try chunk(of: turn, at: offset, count: count, behind: header) else { continue }
                _ = files.change(turn.transfer) { $0.machine.sent(step) }
                send(bytes)
                return true
            }
        }
    }

    /// Returns `header` followed by `count` bytes of the file from `offset` on. If the file cannot be read or is too short,
    /// ends the transfer and returns nil.
    private func chunk(
        of turn: LinkFiles.Sending, at offset: UInt64, count: Int, behind header: [UInt8]
    ) throws(WormholeError) -> [UInt8]? {
        let fate: MessageFate
        do throws(WormholeError) {
            let frame = try endpoint.fileSystem.read(turn.file, at: offset, count: count, behind: header)
            if frame.count == header.count + count { return frame }
            // The file has become shorter since the offer.
            fate = .failed(.fileRefused(.wrongHash))
        } catch {
            fate = .failed(.fileUnreadable(error))
        }
        drop(turn, .failed)
        try endpoint.conclude(turn.transfer, fate)
        return nil
    }

    /// Handles a `.resume` or `.progress` of the receiver. Ignores it if the transfer has ended.
    func continueSending(_ header: FileHeader) {
        guard let sending = files.sending(header.number) else { return }
        let fault: ProtocolFault?
        switch header.step {
        case .resume(let offset):
            fault = files.change(sending.transfer) { $0.machine.resumed(from: offset) } ?? nil
            if fault == nil { advance(sending.transfer, to: offset) }
        case .progress(let offset):
            fault = files.change(sending.transfer) { $0.machine.progressed(to: offset) } ?? nil
            if fault == nil { advance(sending.transfer, to: offset) }
        case .offer, .chunk, .done, .cancel, .refusal: fault = nil
        }
        if let fault { close(.protocolFault(fault)) }
    }

    func answered(_ header: FileHeader) throws(WormholeError) {
        guard let sending = files.sending(header.number) else { return }
        switch header.step {
        case .done:
            if let fault = sending.machine.finished() { return close(.protocolFault(fault)) }
            try end(sending, .applied)
        case .refusal(.busy):
            let now = endpoint.now
            _ = files.change(sending.transfer) { sending in
                sending.number = nil
                sending.machine.refusedBusy(at: now)
                if let due = sending.machine.due { sending.entry.transfer.refusedBusy(for: due - now) }
            }
        case .refusal(let reason): try end(sending, .failed(.fileRefused(reason)))
        case .offer, .chunk, .resume, .progress, .cancel: break
        }
    }

    private func advance(_ transfer: UInt64, to offset: UInt64) {
        _ = files.change(transfer) { sending in
            sending.entry.transfer.advance(to: offset)
            if sending.machine.isDelivered { sending.entry.transfer.advance(to: MessageFate.delivered) }
        }
    }

    private func end(_ sending: LinkFiles.Sending, _ fate: MessageFate) throws(WormholeError) {
        files.sending.removeAll { $0.transfer == sending.transfer }
        files.mayTryAgain()
        try endpoint.conclude(sending.transfer, fate)
    }

    func checkOffer(_ record: TransferRecord) throws(WormholeError) {
        guard let peer = session.peer, let limit = session.largestFrame else { return }
        guard peer.limits.kinds.include(.files) else { throw .notTaken(.file, by: record.peer) }
        let bytes = record.offerSize
        guard bytes <= limit else { throw .messageTooLarge(bytes: bytes, limit: limit) }
    }

    /// Stops the file transfers of this link; the next link continues them. If the link ends because a transfer broke the
    /// protocol, every transfer that has begun fails, because `end` does not say which transfer broke the protocol.
    func concludeFiles(_ end: LinkEnd) {
        for (number, file) in receivingInOrder {
            file.arriving.finish()
            // The hash of this file is being checked. Until that ends, the file stays in `receptions`.
            if file.machine.phase == .verifying { continue }
            endpoint.receptions.leave(file.part.expected.partName)
            if !file.frames.isEmpty { work(number, file, .append(file.frames)) }
            work(number, file, end.isOfTransfer ? .discard : .close)
        }
        files.receiving = [:]
        for sending in files.sending {
            sending.entry.transfer.linkEnded()
            guard end.isOfTransfer, sending.number != nil else { continue }
            // If this fails, the file is offered again.
            try? endpoint.conclude(sending.transfer, .failed(.brokenProtocol))
        }
    }

    static func datagram(_ header: FileHeader) throws(WormholeError) -> [UInt8] {
        try datagram(size: FileHeader.longestSize) { writer throws(CBORError) in try header.encode(into: &writer) }
    }
}

extension LinkEnd {
    var isOfTransfer: Bool {
        switch self {
        case .closed(.protocolFault(.brokenTransfer)): true
        case .closed(.peerLeft(let goodbye)): goodbye.fault == .brokenTransfer
        case .closed, .transport, .store: false
        }
    }
}

extension TransferRecord {
    var offerSize: Int { (try? offer(1).count) ?? .max }

    func offer(_ number: UInt32) throws(WormholeError) -> [UInt8] {
        let (label, metadata) = (Array(label.text.utf8), metadata ?? [])
        // 40 bytes are enough for the CBOR heads of the map and its values, and for the two numbers.
        let size = FileHeader.size + label.count + metadata.count + FileOffer.hashSize + 40
        return try LinkMachine.datagram(size: size) { writer throws(CBORError) in
            try FileHeader(number: number, step: .offer).encode(into: &writer)
            try FileOffer(
                label: label.span, length: length, hash: hash.span, metadata: metadata.span, transfer: transfer
            ).encode(into: &writer)
        }
    }
}
