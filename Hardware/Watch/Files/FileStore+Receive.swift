import WatchLink

// What the phone sends.
extension FileStore {
    /// Takes a frame of a file transfer.
    ///
    /// - Returns: what is wrong with it, for which the link is closed; nil where nothing is.
    @inline(never)
    mutating func take(_ datagram: FixedArray<UInt8>, flash: inout some NORFlash & ~Copyable) -> ProtocolFault? {
        let header: FileHeader
        do throws(CBORError) {
            header = try FileHeader(datagram.span)
        } catch {
            return error == .unexpectedKind ? .unsupported : .malformedFrame
        }
        if let fault = work[0].numbers.receive(header) { return fault }
        switch header.step {
        case .offer: return consider(header.number, datagram, flash: &flash)
        case .chunk(let offset):
            let content = datagram.slice(FileHeader.longestSize..<datagram.count)
            return append(content, at: offset, of: header.number, flash: &flash)
        case .cancel:
            if work[0].arrival.number == header.number { work[0].arrival = .none }
            return nil
        // The watch offers nothing: `numbers` has refused them.
        case .resume, .done, .progress, .refusal: return .brokenTransfer
        }
    }

    /// The phone offers a file.
    @inline(never)
    private mutating func consider(
        _ number: UInt32, _ datagram: FixedArray<UInt8>, flash: inout some NORFlash & ~Copyable
    ) -> ProtocolFault? {
        guard !isFull else { return .windowExceeded }
        do throws(CBORError) {
            let offer = try FileOffer(datagram.span)
            guard FileStore.isLabel(offer.label) else {
                owe(.refusal(.badLabel), to: number)
                return nil
            }
            guard offer.length.highWord == 0, offer.length.lowWord <= UInt32(truncatingIfNeeded: limit) else {
                owe(.refusal(.tooLarge), to: number)
                return nil
            }
            if let stored = work[0].stored, has(offer, stored, flash: &flash) {
                owe(.resume(from: offer.length), to: number)
                owe(.done, to: number)
                return nil
            }
            guard offer.transfer != work[0].cancelled else {
                owe(.refusal(.cancelled), to: number)
                return nil
            }
            begin(number, offer, flash: &flash)
            return nil
        } catch {
            return .malformedFrame
        }
    }

    /// Whether the file of an offer was stored, as its sender may not have heard.
    private func has(_ offer: FileOffer, _ stored: StoredFile, flash: inout some NORFlash & ~Copyable) -> Bool {
        offer.transfer == stored.header.before
            || offer.transfer == stored.header.transfer && hasHash(offer.hash, stored.slot, flash: &flash)
    }

    /// Begins to receive a file, or goes on with what an earlier link has left of it.
    private mutating func begin(_ number: UInt32, _ offer: FileOffer, flash: inout some NORFlash & ~Copyable) {
        let length = Int(truncatingIfNeeded: offer.length.lowWord)
        switch work[0].arrival {
        case .erasing, .receiving, .judging(_, .some, _): return owe(.refusal(.busy), to: number)
        case .judging(let file, nil, let checked):
            guard offer.transfer == file.header.transfer, hasHash(offer.hash, file.slot, flash: &flash) else {
                return owe(.refusal(.busy), to: number)
            }
            work[0].arrival = .judging(file, number: number, checked: checked)
            return owe(.resume(from: UInt64(word: UInt32(truncatingIfNeeded: file.header.length))), to: number)
        case .kept(var file):
            guard offer.transfer == file.header.transfer, length == file.header.length,
                hasHash(offer.hash, file.slot, flash: &flash)
            else { break }
            file.origin = .kept
            return receive(file, number)
        case .none: break
        }
        let header = FileHeaderPage(
            generation: (work[0].stored?.header.generation ?? work[0].forgotten) &+ 1, transfer: offer.transfer,
            before: work[0].stored?.header.transfer ?? UInt64(word: 0), length: length,
            labelCount: offer.label.count, phone: work[0].phone)
        header.write(hash: offer.hash, label: offer.label, into: page)
        let file = IncomingFile(slot: work[0].free, header: header, origin: .link)
        work[0].arrival = .erasing(file, number: number, next: 0)
    }

    /// Asks the phone for the content.
    mutating func receive(_ file: IncomingFile, _ number: UInt32) {
        var file = file
        file.unreported = 0
        owe(.resume(from: UInt64(word: UInt32(truncatingIfNeeded: file.written))), to: number)
        if file.isWhole {
            judge(file, number)
        } else {
            work[0].arrival = .receiving(file, number: number)
        }
    }

    private mutating func judge(_ file: IncomingFile, _ number: UInt32) {
        work[0].digest = SHA256Digest()
        work[0].arrival = .judging(file, number: number, checked: 0)
    }

    /// Content has come. What comes after the end of a transfer means nothing.
    private mutating func append(
        _ content: FixedArray<UInt8>, at offset: UInt64, of number: UInt32, flash: inout some NORFlash & ~Copyable
    ) -> ProtocolFault? {
        guard work[0].arrival.number == number else { return nil }
        guard case .receiving(var file, _) = work[0].arrival, offset.highWord == 0,
            offset.lowWord == UInt32(truncatingIfNeeded: file.written),
            content.count <= file.header.length - file.written
        else { return .brokenTransfer }
        guard file.unreported < FileStore.window else { return .windowExceeded }
        do throws(FlashError) {
            try program(content, at: area.content(file.slot) + file.written, flash: &flash)
            try mark(file, upTo: file.written + content.count, flash: &flash)
        } catch {
            end(number, .failed)
            return nil
        }
        file.written += content.count
        file.unreported += 1
        if file.isWhole {
            judge(file, number)
        } else {
            owe(.progress(to: UInt64(word: UInt32(truncatingIfNeeded: file.written))), to: number)
            work[0].arrival = .receiving(file, number: number)
        }
        return nil
    }

    /// Ends a transfer before its file is stored.
    mutating func end(_ number: UInt32?, _ reason: FileReason) {
        work[0].arrival = .none
        if let number { owe(.refusal(reason), to: number) }
    }

    /// Whether a label is a file's name that this watch takes: 1 to 64 bytes of UTF-8, no path and no control character.
    private static func isLabel(_ label: Span<UInt8>) -> Bool {
        guard label.count > 0, label.count <= FileHeaderPage.longestLabel, label[0] != UInt8(ascii: ".") else {
            return false
        }
        for index in label.indices
        where label[index] < 0x20 || label[index] == 0x7F || label[index] == UInt8(ascii: "/") {
            return false
        }
        return true
    }
}
