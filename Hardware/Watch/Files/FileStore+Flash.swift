import WatchLink

extension FileStore {
    /// Finds the files that are already in flash: a stored file, and a part of a file that was arriving. Ignores the
    /// files of other phones.
    @inline(never)
    mutating func mount(of phone: UInt64?, flash: inout some NORFlash & ~Copyable) {
        guard takesFiles else { return }
        state[0].phone = phone ?? UInt64(word: 0)
        let (first, second) = (contents(of: .first, flash: &flash), contents(of: .second, flash: &flash))
        switch (first, second) {
        case (.stored(let one), .stored(let other)):
            // Generation numbers may wrap around.
            let isFirst = one.header.generation &- other.header.generation < 1 << 31
            state[0].stored = isFirst ? one : other
        case (.stored(let file), let rest), (let rest, .stored(let file)):
            state[0].stored = file
            remember(rest)
        // A watch without a stored file receives into the first slot.
        case (let rest, .nothing), (let rest, .part), (let rest, .gone): remember(rest)
        }
        state[0].notice = state[0].stored == nil ? .seen : .unseen
    }

    private mutating func remember(_ content: SlotContents) {
        switch content {
        case .nothing, .stored: break
        case .part(let file): state[0].arrival = .kept(file)
        case .gone(let header): state[0].cancelled = header.transfer
        }
    }

    private func contents(of slot: FileSlot, flash: inout some NORFlash & ~Copyable) -> SlotContents {
        do throws(FlashError) {
            guard let header = try header(of: slot, flash: &flash), header.length <= area.largestFile,
                header.phone == state[0].phone
            else { return .nothing }
            switch try end(of: slot, flash: &flash) {
            case .stored: return .stored(StoredFile(slot: slot, header: header))
            case .gone: return .gone(header)
            case .open:
                var file = IncomingFile(slot: slot, header: header, hasKeptPart: true)
                file.written = min(header.length, try markedBytes(of: slot, flash: &flash))
                return .part(file)
            }
        } catch {
            return .nothing
        }
    }

    private func header(of slot: FileSlot, flash: inout some NORFlash & ~Copyable) throws(FlashError) -> FileHeaderPage?
    {
        try read(at: area.header(slot), count: FileHeaderPage.size, flash: &flash)
        return FileHeaderPage(page.slice(0..<FileHeaderPage.size))
    }

    /// Reads the state of a slot's file from the word in its end page. A power cut may leave this word half programmed. Then the
    /// file counts as `gone` if any bit that is 1 in `stored` is 0 in the word. Otherwise the file counts as `open`.
    private func end(of slot: FileSlot, flash: inout some NORFlash & ~Copyable) throws(FlashError) -> FileEnd {
        try read(at: area.end(slot), count: 4, flash: &flash)
        let word = page.word(at: 0)
        return FileEnd(rawValue: word) ?? (word & FileEnd.stored.rawValue == FileEnd.stored.rawValue ? .open : .gone)
    }

    /// The number of bytes from the start of the content to the first block of 1,024 bytes that is not marked as programmed.
    private func markedBytes(of slot: FileSlot, flash: inout some NORFlash & ~Copyable) throws(FlashError) -> Int {
        try read(at: area.marks(slot), count: FileArea.markCount, flash: &flash)
        var count = 0
        while count < FileArea.markCount, page[count] == 0 { count += 1 }
        return count * FileArea.markedBytes
    }

    func hasHash(_ hash: Span<UInt8>, _ slot: FileSlot, flash: inout some NORFlash & ~Copyable) -> Bool {
        do throws(FlashError) {
            // The hash is read to the end of the page buffer, because the start may hold the header of a file whose slot is being
            // erased.
            let place = FileStore.pageSize - SHA256Digest.size
            try read(
                at: area.header(slot) + FileHeaderPage.hashOffset, count: SHA256Digest.size, to: place, flash: &flash)
            for index in hash.indices where hash[index] != page[place + index] { return false }
            return true
        } catch {
            return false
        }
    }

    /// Marks as programmed all blocks of 1,024 bytes that lie before `end`. If `end` is the end of the file, also marks a
    /// shorter last block. The blocks before `file.written` are already marked.
    func mark(
        _ file: IncomingFile, upTo end: Int, flash: inout some NORFlash & ~Copyable
    ) throws(FlashError) {
        var next = file.written / FileArea.markedBytes
        let last = end == file.header.length ? end + FileArea.markedBytes - 1 : end
        page[0] = 0
        while next < last / FileArea.markedBytes {
            try program(page.slice(0..<1), at: area.marks(file.slot) + next, flash: &flash)
            next += 1
        }
    }

    // MARK: Upkeep

    /// Does one step for the arriving file: begins to erase a sector, programs the header, or checks up to 256 bytes of
    /// content. Returns whether it did a step.
    @inline(never)
    mutating func maintain(flash: inout some NORFlash & ~Copyable, at now: Instant) -> Bool {
        guard takesFiles else { return false }
        switch state[0].arrival {
        case .none, .kept, .receiving: return false
        case .erasing(let file, let number, let next):
            // Checks `pace` before the chip. Once `pace` allows the erase, `deadline` is nil, and the board waits for the chip.
            guard next > 0 || state[0].pace.allows(at: now), case .ready = flash.flashActivity else { return false }
            if next == 0 { state[0].pace.spend() }
            do throws(FlashError) {
                try erase(file, number, next, flash: &flash)
            } catch {
                end(number, .failed)
            }
        case .judging(let file, let number, let checked):
            do throws(FlashError) {
                try check(file, number, checked, flash: &flash)
            } catch {
                end(number, .failed)
            }
        }
        return true
    }

    private mutating func erase(
        _ file: IncomingFile, _ number: UInt32, _ next: Int, flash: inout some NORFlash & ~Copyable
    ) throws(FlashError) {
        guard next < area.sectorCount(for: file.header.length) else {
            try program(page.slice(0..<FileHeaderPage.size), at: area.header(file.slot), flash: &flash)
            return receive(file, number)
        }
        try flash.beginErase(sector: area.sector(file.slot, next))
        state[0].arrival = .erasing(file, number: number, next: next + 1)
    }

    /// Adds the next 256 bytes of content to the digest. Once the digest has all content, compares it with the file's hash,
    /// and stores or refuses the file.
    private mutating func check(
        _ file: IncomingFile, _ number: UInt32?, _ checked: Int, flash: inout some NORFlash & ~Copyable
    ) throws(FlashError) {
        let count = min(FileStore.pageSize, file.header.length - checked)
        if count > 0 {
            try read(at: area.content(file.slot) + checked, count: count, flash: &flash)
            state[0].digest.update(page.slice(0..<count).span)
            state[0].arrival = .judging(file, number: number, checked: checked + count)
            return
        }
        var memory = page.slice(128..<128 + SHA256Digest.size)
        var digest = memory.mutableSpan
        state[0].digest.finish(into: &digest)
        guard hasHash(page.slice(128..<128 + SHA256Digest.size).span, file.slot, flash: &flash) else {
            return try refuse(file, number, flash: &flash)
        }
        try programEnd(.stored, of: file.slot, flash: &flash)
        state[0].stored = StoredFile(slot: file.slot, header: file.header)
        state[0].arrival = .none
        state[0].notice = .unseen
        if let number { owe(.done, to: number) }
    }

    /// Handles a wrong hash. If the link is up and a part of the file came over an earlier link, requests the whole file
    /// again, because that part may be wrong. Otherwise drops the file, and refuses it if the link is up.
    private mutating func refuse(
        _ file: IncomingFile, _ number: UInt32?, flash: inout some NORFlash & ~Copyable
    ) throws(FlashError) {
        guard let number, file.hasKeptPart else { return end(number, .wrongHash) }
        try read(at: area.header(file.slot), count: FileHeaderPage.size, flash: &flash)
        let again = IncomingFile(slot: file.slot, header: file.header)
        state[0].arrival = .erasing(again, number: number, next: 0)
    }

    /// Cancels the arriving file, and refuses it if the phone offers it again. Returns whether a file was arriving.
    mutating func cancel(flash: inout some NORFlash & ~Copyable) -> Bool {
        guard takesFiles else { return false }
        let file: IncomingFile
        switch state[0].arrival {
        case .none: return false
        case .kept(let kept): file = kept
        case .erasing(let begun, _, _): file = begun
        case .receiving(let begun, _), .judging(let begun, _, _): file = begun
        }
        state[0].cancelled = file.header.transfer
        // While the slot is being erased, it has no header, so a later start does not know of the file.
        if case .erasing = state[0].arrival {} else { try? programEnd(.gone, of: file.slot, flash: &flash) }
        end(state[0].arrival.number, .cancelled)
        return true
    }

    /// Forgets all files, because the watch changes to this phone. If power fails during this, the next start still ignores a
    /// file whose header names another phone.
    mutating func forget(for phone: UInt64, flash: inout some NORFlash & ~Copyable) {
        guard takesFiles else { return }
        state[0].phone = phone
        if let stored = state[0].stored { state[0].forgotten = stored.header.generation }
        page.fill(0..<4, with: 0)
        try? program(page.slice(0..<4), at: area.header(.first), flash: &flash)
        try? program(page.slice(0..<4), at: area.header(.second), flash: &flash)
        state[0].stored = nil
        state[0].arrival = .none
        state[0].notice = .seen
    }

    // MARK: Reading and programming

    /// The label of a stored file; nil if it cannot be read. The array is valid until the next use of the page buffer.
    func label(of file: StoredFile, flash: inout some NORFlash & ~Copyable) -> FixedArray<UInt8>? {
        // The label is read behind the start of the page buffer, which may hold the header of a file whose slot is being erased.
        let place = 144
        let count = file.header.labelCount
        do throws(FlashError) {
            try read(at: area.header(file.slot) + FileHeaderPage.labelOffset, count: count, to: place, flash: &flash)
        } catch {
            return nil
        }
        return page.slice(place..<place + count)
    }

    func read(
        _ file: StoredFile, at offset: Int, into bytes: inout MutableSpan<UInt8>, flash: inout some NORFlash & ~Copyable
    ) -> Int {
        guard offset >= 0, offset < file.header.length else { return 0 }
        let count = min(bytes.count, file.header.length - offset)
        var part = bytes._mutatingExtracting(0..<count)
        do throws(FlashError) {
            try flash.readFlash(at: area.content(file.slot) + offset, into: &part)
        } catch {
            return 0
        }
        return count
    }

    private func programEnd(_ end: FileEnd, of slot: FileSlot, flash: inout some NORFlash & ~Copyable)
        throws(FlashError)
    {
        page.put(end.rawValue, at: 0)
        try program(page.slice(0..<4), at: area.end(slot), flash: &flash)
    }

    func read(
        at address: Int, count: Int, to start: Int = 0, flash: inout some NORFlash & ~Copyable
    ) throws(FlashError) {
        try flash.read(at: address, into: page.slice(start..<start + count))
    }

    func program(
        _ bytes: FixedArray<UInt8>, at address: Int, flash: inout some NORFlash & ~Copyable
    ) throws(FlashError) {
        try flash.program(bytes, at: address, pageSize: area.pageSize)
    }
}

private enum SlotContents: BitwiseCopyable {
    case nothing
    case stored(StoredFile)
    case part(IncomingFile)
    case gone(FileHeaderPage)
}
