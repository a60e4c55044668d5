import Logging
import WatchLink

// What the peer sends.
extension PeerLink {
    /// Takes a step of a transfer.
    ///
    /// - Returns: a step that is still to be handled, by somebody who may wait for a disk; nil where all is done.
    func takeFile(_ datagram: [UInt8]) -> FileHeader? {
        let header: FileHeader
        do throws(CBORError) {
            header = try FileHeader(datagram.span)
        } catch {
            close(.protocolFault(error == .unexpectedKind ? .unsupported : .malformedFrame))
            return nil
        }
        if let fault = files.numbers.receive(header) {
            close(.protocolFault(fault))
            return nil
        }
        switch header.step {
        case .offer: consider(header.number, datagram)
        case .chunk(let offset): take(datagram, at: offset, of: header.number)
        case .resume, .progress: goOn(header)
        case .cancel, .done, .refusal: return header
        }
        return nil
    }

    /// Handles a step that ends a transfer.
    func handleFile(_ header: FileHeader) async {
        switch header.step {
        case .cancel: await endFile(header.number)
        case .done, .refusal: await answered(header)
        case .offer, .chunk, .resume, .progress: break
        }
    }

    /// The peer offers a file: begins to receive it, or says why not.
    private func consider(_ number: UInt32, _ datagram: [UInt8]) {
        guard case .peer(let peer) = peerState, isRunning else { return }
        // Whoever offers and reads no answers is kept to an amount of memory.
        guard !files.isFull else { return close(.protocolFault(.windowExceeded)) }
        let offered: OfferedFile
        do throws(CBORError) {
            offered = try OfferedFile(datagram.span)
        } catch {
            return close(.protocolFault(.malformedFrame))
        }
        guard let reception = endpoint.receptions.current else { return refuse(number, .nobody) }
        guard let label = try? FileLabel(offered.label) else { return refuse(number, .badLabel) }
        guard offered.length <= configuration.largestFile else { return refuse(number, .tooLarge) }
        let expected = ExpectedFile(
            transfer: offered.transfer, peer: peer, label: label, length: offered.length, hash: offered.hash,
            metadata: offered.metadata)
        guard files.receiving.count < TransferLimits.mostReceiving,
            endpoint.receptions.enter(expected.partName, of: reception)
        else { return refuse(number, .busy) }
        receive(number, expected, reception)
    }

    private func refuse(_ number: UInt32, _ reason: FileReason) {
        files.say(.refusal(reason), of: number)
        wakeSender()
    }

    private func receive(_ number: UInt32, _ expected: ExpectedFile, _ reception: FileReceptions.Current) {
        let chunks = ArrivedChunks()
        let arriving = ArrivingFile(from: expected.peer, label: expected.label, length: expected.length) {
            [weak self] in await self?.endFile(number, saying: .cancelled)
        }
        let file = LinkFiles.Receiving(
            machine: IncomingTransfer(length: expected.length), part: PartFile(expected, in: reception.directory),
            arriving: arriving, chunks: chunks)
        let writer = Task { await self.write(number, chunks, file.part, reception) }
        files.begin(number, file, writer: writer)
    }

    /// Content has arrived. What comes after the end of a transfer means nothing.
    private func take(_ datagram: [UInt8], at offset: UInt64, of number: UInt32) {
        guard files.receiving[number]?.machine.hasEnded == false else { return }
        let count = datagram.count - FileHeader.longestSize
        if let fault = files.receiving[number]?.machine.arrived(at: offset, count: count) {
            return close(.protocolFault(fault))
        }
        files.arrive(datagram, of: number)
    }

    /// Either side ends a transfer, and what has arrived of it goes. A file whose hash is being computed is whole.
    private func endFile(_ number: UInt32, saying reason: FileReason? = nil) async {
        guard let file = files.receiving[number], files.receiving[number]?.machine.end() == true else { return }
        if let reason { refuse(number, reason) }
        files.forget(number)
        // The refusal may be lost with the link: the next offer of it is refused as well.
        if reason == nil { await file.part.discard() } else { await file.part.cancel() }
    }

    /// Writes a file from what arrives, until it is whole, or the transfer or the link ends.
    private func write(
        _ number: UInt32, _ chunks: ArrivedChunks, _ part: PartFile, _ reception: FileReceptions.Current
    ) async {
        do throws(WormholeError) {
            switch try await part.open(beside: endpoint.receptions.parts) {
            case .whole: for step in files.receiving[number]?.machine.wasStored() ?? [] { files.say(step, of: number) }
            case .cancelled: if files.receiving[number]?.machine.isFailed() == true { refuse(number, .cancelled) }
            case .part(let kept):
                if let arriving = files.receiving[number]?.arriving { reception.arriving.yield(arriving) }
                files.receiving[number]?.arriving.advance(to: kept)
                try await follow(files.receiving[number]?.machine.prepared(having: kept), number, part, reception)
            }
            wakeSender()
            while files.receiving[number]?.machine.hasEnded == false {
                let frames = await chunks.take()
                if frames.isEmpty { break }
                try await part.append(frames, after: FileHeader.longestSize)
                let count = frames.reduce(0) { $0 + $1.count - FileHeader.longestSize }
                let step = files.receiving[number]?.machine.wrote(count, chunks: frames.count)
                try await follow(step, number, part, reception)
            }
            // The sender offers none again of a link that ended so (`concludeFiles`): nobody would ask for what is here.
            let isLeft = files.receiving[number]?.machine.hasEnded == false && end?.isOfTransfer == true
            if isLeft { await part.discard() } else { await part.close() }
        } catch {
            // Where the transfer has ended before, that is why.
            if files.receiving[number]?.machine.isFailed() == true {
                logger.warning(
                    "a file was not stored", metadata: ["label": "\(part.expected.label)", "error": "\(error)"])
                refuse(number, error.isFullDisk ? .noRoom : .failed)
                await part.discard()
            }
        }
        files.wrote(number)
        endpoint.receptions.leave(part.expected.partName)
    }

    /// Does what the machine of a transfer decides.
    private func follow(
        _ step: IncomingTransfer.Step?, _ number: UInt32, _ part: PartFile, _ reception: FileReceptions.Current
    ) async throws(WormholeError) {
        switch step {
        case nil, .none?: return
        case .say(let words)?: files.say(words, of: number)
        case .judge(let words)?:
            files.say(words, of: number)
            wakeSender()
            try await judge(number, part, reception)
        }
        if case .say(.progress(let offset))? = step { files.receiving[number]?.arriving.advance(to: offset) }
        wakeSender()
    }

    private func judge(
        _ number: UInt32, _ part: PartFile, _ reception: FileReceptions.Current
    ) async throws(WormholeError) {
        let expected = part.expected
        switch try await part.judge() {
        case .stored(let path):
            endpoint.receptions.stored(expected.partName)
            files.receiving[number]?.arriving.advance(to: expected.length)
            try await follow(files.receiving[number]?.machine.isStored(), number, part, reception)
            reception.files.yield(
                ReceivedFile(
                    peer: expected.peer, label: expected.label, path: path, length: expected.length,
                    metadata: expected.metadata))
        case .wrongHash:
            let step = files.receiving[number]?.machine.isWrong()
            logger.warning("a file has the wrong hash", metadata: ["label": "\(expected.label)"])
            if case .say(.resume)? = step { try await part.restart() } else { await part.discard() }
            try await follow(step, number, part, reception)
        }
    }
}

/// What an offer says, as values.
private struct OfferedFile {
    let label: String
    let length: UInt64
    let hash: [UInt8]
    let metadata: [UInt8]?
    let transfer: UInt64

    init(_ sdu: Span<UInt8>) throws(CBORError) {
        let offer = try FileOffer(sdu)
        label = offer.label.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        length = offer.length
        hash = offer.hash.withUnsafeBufferPointer { Array($0) }
        metadata = offer.metadata.isEmpty ? nil : offer.metadata.withUnsafeBufferPointer { Array($0) }
        transfer = offer.transfer
    }
}
