import Logging
import WatchLink

// Files that the peer sends.
extension LinkMachine {
    func receiveFile(_ datagram: [UInt8]) throws(WormholeError) {
        let header: FileHeader
        do throws(CBORError) {
            header = try FileHeader(datagram.span)
        } catch {
            return close(.protocolFault(error == .unexpectedKind ? .unsupported : .malformedFrame))
        }
        if let fault = files.numbers.receive(header) { return close(.protocolFault(fault)) }
        switch header.step {
        case .offer: try consider(header.number, datagram)
        case .chunk(let offset): take(datagram, at: offset, of: header.number)
        case .resume, .progress: continueSending(header)
        case .cancel: try endFile(header.number)
        case .done, .refusal: try answered(header)
        }
    }

    private func consider(_ number: UInt32, _ datagram: [UInt8]) throws(WormholeError) {
        guard let peer else { return }
        // A peer that makes offers but never reads answers must not fill this side's memory.
        guard !files.isFull else { return close(.protocolFault(.windowExceeded)) }
        let offered: OfferedFile
        do throws(CBORError) {
            offered = try OfferedFile(datagram.span)
        } catch {
            return close(.protocolFault(.malformedFrame))
        }
        let origin = FileOrigin(peer: peer, transfer: offered.transfer, hash: offered.hash)
        switch try endpoint.store.ending(of: origin) {
        case .stored?:
            // The file is stored, but its sender does not know that yet.
            for step in [.resume(from: offered.length), .done] as [FileStep] { files.say(step, of: number) }
            return endpoint.touch(self)
        case .cancelled?: return refuse(number, .cancelled)
        case nil: break
        }
        guard let reception = endpoint.receptions.current else { return refuse(number, .noReceiver) }
        guard let label = try? FileLabel(offered.label) else { return refuse(number, .badLabel) }
        guard offered.length <= configuration.largestFile else { return refuse(number, .tooLarge) }
        let expected = ExpectedFile(
            origin: origin, label: label, length: offered.length, metadata: offered.metadata)
        guard files.receiving.count < TransferLimits.mostReceiving,
            endpoint.receptions.enter(expected.partName, of: reception)
        else { return refuse(number, .busy) }
        let arriving = ArrivingFile(from: peer, label: label, length: offered.length) {
            [channel, callMachine = endpoint.callMachine] in
            await callMachine { machine throws(WormholeError) in try machine.cancelArriving(number, on: channel) }
        }
        let file = LinkFiles.Receiving(
            machine: IncomingTransfer(length: expected.length), part: PartFile(expected, in: reception.directory),
            arriving: arriving, reception: reception)
        files.receiving[number] = file
        work(number, file, .open(beside: endpoint.receptions.parts))
    }

    private func refuse(_ number: UInt32, _ reason: FileReason) {
        files.say(.refusal(reason), of: number)
        endpoint.touch(self)
    }

    /// Starts a file job. The job starts even if the transaction of the present turn fails, because no message depends on it.
    func work(_ number: UInt32, _ file: LinkFiles.Receiving, _ step: FileJob.Step) {
        endpoint.emitAtOnce(
            .file(
                FileJob(channel: channel, number: number, part: file.part, reception: file.reception, step: step)))
    }

    var receivingInOrder: [(key: UInt32, value: LinkFiles.Receiving)] {
        files.receiving.sorted { $0.key < $1.key }
    }

    /// Takes a chunk of a file's content. Ignores the chunk if the transfer has ended.
    private func take(_ datagram: [UInt8], at offset: UInt64, of number: UInt32) {
        guard files.receiving[number]?.machine.hasEnded == false else { return }
        let count = datagram.count - FileHeader.longestSize
        if let fault = files.receiving[number]?.machine.arrived(at: offset, count: count) {
            return close(.protocolFault(fault))
        }
        files.receiving[number]?.frames.append(datagram)
    }

    func writeFiles() {
        for (number, file) in receivingInOrder where !file.isBusy && !file.frames.isEmpty {
            files.receiving[number]?.frames = []
            files.receiving[number]?.isBusy = true
            work(number, file, .append(file.frames))
        }
    }

    /// Ends a cancelled transfer, and deletes the partial file. Does nothing if all content is written already.
    /// - Parameter reason: why this side refuses the file; nil if the sender cancelled.
    func endFile(_ number: UInt32, saying reason: FileReason? = nil) throws(WormholeError) {
        guard let file = files.receiving[number], files.receiving[number]?.machine.end() == true else { return }
        forget(number, file, .discard)
        guard let reason else { return }
        refuse(number, reason)
        // The refusal may be lost with the link, so the next offer is refused as well.
        try endpoint.store.end(file.part.expected.origin, .cancelled)
    }

    private func forget(_ number: UInt32, _ file: LinkFiles.Receiving, _ last: FileJob.Step) {
        files.receiving[number] = nil
        file.arriving.finish()
        endpoint.receptions.leave(file.part.expected.partName)
        work(number, file, last)
    }

    func fileDone(_ number: UInt32, _ file: LinkFiles.Receiving, _ outcome: Result<FileJob.Outcome, WormholeError>) {
        endpoint.touch(self)
        let done: FileJob.Outcome
        do throws(WormholeError) {
            done = try outcome.get()
        } catch {
            logger.warning(
                "a file was not stored", metadata: ["label": "\(file.part.expected.label)", "error": "\(error)"])
            refuse(number, error.isFullDisk ? .noRoom : .failed)
            return forget(number, file, .discard)
        }
        switch done {
        case .opened(let kept):
            file.reception.arriving.yield(file.arriving)
            file.arriving.advance(to: kept)
            follow(number, file, files.receiving[number]?.machine.prepared(having: kept))
        case .appended(let bytes, let chunks):
            follow(number, file, files.receiving[number]?.machine.wrote(bytes, chunks: chunks))
        case .stored:
            file.arriving.advance(to: file.part.expected.length)
            follow(number, file, files.receiving[number]?.machine.isStored())
            forget(number, file, .close)
        case .wrongHash:
            let step = files.receiving[number]?.machine.isWrong()
            logger.warning("a file has the wrong hash", metadata: ["label": "\(file.part.expected.label)"])
            if files.receiving[number]?.machine.hasEnded == true {
                follow(number, file, step)
                forget(number, file, .discard)
            } else {
                work(number, file, .restart)
                follow(number, file, step)
            }
        case .named, .done: break
        }
    }

    private func follow(_ number: UInt32, _ file: LinkFiles.Receiving, _ step: IncomingTransfer.Step?) {
        files.receiving[number]?.isBusy = false
        switch step {
        case nil, .none?: break
        case .say(let words)?:
            files.say(words, of: number)
            if case .progress(let offset) = words { file.arriving.advance(to: offset) }
        case .verify(let words)?:
            files.say(words, of: number)
            files.receiving[number]?.isBusy = true
            work(number, file, .verify)
        }
    }
}

extension EndpointMachine {
    func fileDone(_ result: FileJobResult) {
        let (job, expected) = (result.job, result.job.part.expected)
        if case .success(.stored(let path)) = result.outcome {
            receptions.stored(expected.partName)
            job.reception.files.yield(
                ReceivedFile(
                    peer: expected.origin.peer, label: expected.label, path: path, length: expected.length,
                    metadata: expected.metadata))
        }
        switch job.step {
        case .restart, .close, .discard: return
        case .open, .append, .verify, .finish: break
        }
        if let link = links[job.channel], let file = link.files.receiving[job.number], file.part === job.part {
            return link.fileDone(job.number, file, result.outcome)
        }
        // The link has ended. It removed the file from `receptions`, unless the hash of the file was being checked.
        switch job.step {
        case .open, .append, .restart, .close, .discard: return
        case .verify: emitAtOnce(.file(job.followed(by: .discard)))
        case .finish: break
        }
        receptions.leave(expected.partName)
    }

    package func cancelArriving(_ number: UInt32, on channel: ChannelNumber) throws(WormholeError) {
        try links[channel]?.endFile(number, saying: .cancelled)
    }
}

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
