import WatchLink

// What this side sends.
extension PeerLink {
    /// A frame of a transfer, and the file that it is the first on this link to offer; nil for any other.
    struct FileFrame {
        let bytes: [UInt8]
        let offered: FileOutbox.Entry?
    }

    /// The list of files for the peer has changed: begins those that are new, and ends those that are cancelled.
    func filesChanged() async {
        guard case .peer(let peer) = peerState, isRunning, let limits = session.peer?.limits else { return }
        for gone in files.sending where !endpoint.outbox.has(gone.transfer) { drop(gone, .cancelled) }
        let entries = endpoint.outbox.entries(for: peer)
        guard configuration.kinds.include(.files), limits.kinds.include(.files) else {
            for entry in entries { await endpoint.conclude(entry.record.transfer, .failed(.notTaken(.file))) }
            return
        }
        for entry in entries where files.sending.count < TransferLimits.mostSending { await begin(entry) }
        wakeSender()
    }

    private func begin(_ entry: FileOutbox.Entry) async {
        let record = entry.record
        guard let limit = session.largestFrame, !files.sending.contains(where: { $0.transfer == record.transfer })
        else { return }
        let bytes = record.offerSize
        guard bytes <= limit else {
            return await endpoint.conclude(record.transfer, .failed(.tooLarge(bytes: bytes, limit: limit)))
        }
        do throws(WormholeError) {
            let file = try endpoint.fileSystem.openToSend(record.path)
            let chunk = min(limit - FileHeader.longestSize, TransferLimits.longestChunk)
            files.sending.append(
                LinkFiles.Sending(
                    machine: OutgoingTransfer(length: record.length, chunk: chunk), entry: entry, file: file))
        } catch {
            await endpoint.conclude(record.transfer, .failed(.fileUnreadable(error)))
        }
    }

    /// Forgets a file, and tells the peer, where it knows of it.
    private func drop(_ gone: LinkFiles.Sending, _ reason: FileReason) {
        files.sending.removeAll { $0.transfer == gone.transfer }
        if let number = gone.number {
            files.say(.cancel(reason), of: number)
            files.mayTryAgain()
        }
        wakeSender()
    }

    /// The next frame of a transfer, where nothing else is to be sent.
    func takeFileFrame() async throws(WormholeError) -> FileFrame? {
        guard session.mayTransfer else { return nil }
        if let header = files.takeHeader() {
            return FileFrame(bytes: try PeerLink.datagram(header), offered: nil)
        }
        let now = clock.now
        while let turn = files.takeTurn(at: now), let step = turn.machine.next(at: now) {
            switch step {
            case .offer:
                let number = files.numbers.offer()
                _ = files.change(turn.transfer) { sending in
                    sending.number = number
                    sending.machine.sent(step)
                }
                let offered = turn.machine.isFirstOffer ? turn.entry : nil
                return FileFrame(bytes: try turn.entry.record.offer(number), offered: offered)
            case .chunk(let offset, let count):
                guard let number = turn.number else { continue }
                let header = try PeerLink.datagram(FileHeader(number: number, step: .chunk(at: offset)))
                if let bytes = await chunk(of: turn, at: offset, count: count, behind: header) {
                    // Before the transport has it: the answer may be here before the call of the transport has returned.
                    _ = files.change(turn.transfer) { $0.machine.sent(step) }
                    return FileFrame(bytes: bytes, offered: nil)
                }
            }
        }
        return nil
    }

    /// A frame with a part of a file; nil where that cannot be read, which ends the transfer.
    private func chunk(
        of turn: LinkFiles.Sending, at offset: UInt64, count: Int, behind header: [UInt8]
    ) async -> [UInt8]? {
        let fate: MessageFate
        do throws(WormholeError) {
            let frame = try endpoint.fileSystem.read(turn.file, at: offset, count: count, behind: header)
            if frame.count == header.count + count { return frame }
            // It has become shorter since it was offered.
            fate = .failed(.fileRefused(.wrongHash))
        } catch {
            fate = .failed(.fileUnreadable(error))
        }
        drop(turn, .failed)
        await endpoint.conclude(turn.transfer, fate)
        return nil
    }

    /// The transport has taken a frame of a transfer.
    func sent(_ frame: FileFrame) async {
        if let entry = frame.offered { await endpoint.begun(entry) }
    }

    /// The receiver of a file of ours wants more of it. What comes after the end of a transfer means nothing.
    func goOn(_ header: FileHeader) {
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

    /// The receiver of a file of ours has it, or does not take it.
    func answered(_ header: FileHeader) async {
        guard let sending = files.sending(header.number) else { return }
        switch header.step {
        case .done:
            if let fault = sending.machine.finished() { return close(.protocolFault(fault)) }
            await end(sending, .applied)
        case .refusal(.busy):
            let now = clock.now
            _ = files.change(sending.transfer) { sending in
                sending.number = nil
                sending.machine.refusedBusy(at: now)
                if let due = sending.machine.due { sending.entry.transfer.refusedBusy(for: due - now) }
            }
            wakeSender()
        case .refusal(let reason): await end(sending, .failed(.fileRefused(FileRefusal(reason))))
        case .offer, .chunk, .resume, .progress, .cancel: break
        }
    }

    private func advance(_ transfer: UInt64, to offset: UInt64) {
        _ = files.change(transfer) { sending in
            sending.entry.transfer.advance(to: offset)
            if sending.machine.isDelivered { sending.entry.transfer.advance(to: MessageFate.delivered) }
        }
    }

    private func end(_ sending: LinkFiles.Sending, _ fate: MessageFate) async {
        files.sending.removeAll { $0.transfer == sending.transfer }
        files.mayTryAgain()
        await endpoint.conclude(sending.transfer, fate)
        // The next one has its place.
        await filesChanged()
    }

    /// A link that either side has ended because of a transfer would end again with the next: its transfers end with it.
    func concludeFiles(_ end: LinkEnd) async {
        for sending in files.sending { sending.entry.transfer.linkEnded() }
        guard end.isOfTransfer else { return }
        for sending in files.sending where sending.number != nil {
            await endpoint.conclude(sending.transfer, .failed(.fileRefused(.brokenProtocol)))
        }
    }

    static func datagram(_ header: FileHeader) throws(WormholeError) -> [UInt8] {
        try datagram(size: FileHeader.longestSize) { writer throws(CBORError) in try header.encode(into: &writer) }
    }
}

extension LinkEnd {
    /// Whether a file frame that does not fit its transfer has ended the link.
    var isOfTransfer: Bool {
        switch self {
        case .closed(.protocolFault(.brokenTransfer)): true
        case .closed(.peerLeft(let goodbye)): goodbye.fault == .brokenTransfer
        case .closed, .transport, .store: false
        }
    }
}

extension TransferRecord {
    /// The bytes of the frame that offers it.
    var offerSize: Int { (try? offer(1).count) ?? .max }

    /// The frame that offers it.
    func offer(_ number: UInt32) throws(WormholeError) -> [UInt8] {
        let (label, metadata) = (Array(label.text.utf8), metadata ?? [])
        // 40 bytes hold the heads of the map and of its values, and the two numbers.
        let size = FileHeader.size + label.count + metadata.count + FileOffer.hashSize + 40
        return try PeerLink.datagram(size: size) { writer throws(CBORError) in
            try FileHeader(number: number, step: .offer).encode(into: &writer)
            try FileOffer(
                label: label.span, length: length, hash: hash.span, metadata: metadata.span, transfer: transfer
            ).encode(into: &writer)
        }
    }
}
