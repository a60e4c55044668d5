import WatchLink

extension WatchCore where B: ~Copyable {
    /// Draws an identity for a new watch. Where the journal has lost something, notes that for the wearer and forgets what
    /// was applied of the phone's streams, so that everything comes again.
    @inline(never)
    mutating func adoptIdentity(journalIsComplete isComplete: Bool) {
        data.noticeOtherNames()
        if !isComplete {
            data.forgetPhone()
            data.losses.insert(.ofRecords)
            // First: a power cut behind it does not silence the loss.
            store.keep(.positions, room: .made, of: &data, on: &board)
        }
        if data.hasStrays {
            data.losses.insert(.ofRecords)
            store.keep(.positions, room: .made, of: &data, on: &board)
        }
        switch data.identity {
        case .known: break
        case .unknown:
            data.adopt(.known(identity: UInt64(high: nextEpoch(), low: nextRandomWord()), epoch: nextEpoch()))
            // Twice, like in a snapshot.
            store.keep(.identity, room: .made, of: &data, on: &board)
            store.keep(.identity, room: .made, of: &data, on: &board)
        }
    }

    /// Begins a session in a new epoch. Sequences go on, and waiting messages keep their names; where half of all
    /// sequences are used and nothing waits, they begin again, once the journal has room for that.
    @inline(never)
    mutating func beginEpoch() {
        data.epoch = nextEpoch()
        if data.outbox.isExhausted, store.hasRoom(for: data) { restartSequences() }
        switch data.identity {
        case .unknown: preconditionFailure("a watch has an identity once its journal is mounted")
        case .known(let identity, _): link.restart(identity: identity, epoch: data.epoch)
        }
    }

    private mutating func restartSequences() {
        let end = data.outbox.end
        data.outbox.reset(after: .none)
        // Messages with low numbers would be taken for acknowledged ones after a restart without this record.
        if !store.keep(.positions, of: &data, on: &board) { data.outbox.reset(after: end) }
    }

    /// Ends the session, so that the sequences begin again, where they are to and the journal has room for that: upkeep
    /// makes it, and no tap waits for an erase. Returns whether it did.
    @inline(never)
    private mutating func endSessionIfExhausted() -> Bool {
        guard data.outbox.isExhausted, link.indicator == .reachable, store.hasRoom(for: data) else { return false }
        link.close(.goingAway, at: board.now)
        return true
    }

    /// Compares the phone that has said hello with this watch's own. Returns whether messages may flow.
    ///
    /// While nothing waits, the watch becomes another phone's, and connects again as a watch without a list. The
    /// check-offs that wait belong to its own phone, and are not given to another.
    @inline(never)
    mutating func meet<Handler: MessageDeclaring>(phone identity: UInt64, for handler: Handler.Type) -> Bool {
        switch data.relation(to: identity) {
        case .own: return true
        case .first:
            data.phones.own = identity
            store.keep(.identity, of: &data, on: &board)
            // A watch that has lost its journal has the files of this phone.
            if Handler.largestFile > 0 { files.mount(of: identity, flash: &board) }
            return true
        case .other: break
        }
        guard data.outbox.isEmpty, taps.deferred.isEmpty, !taps.holdsRow else {
            linkNotice = .otherPhone
            link.close(.otherPhone, at: board.now)
            return false
        }
        let before = data.phones
        data.phones.moveOn(to: identity, after: data.outbox.end)
        // A hello is taken only while the journal has room for it.
        guard store.keep(.phoneChange, of: &data, on: &board) else {
            data.phones = before
            link.close(.otherPhone, at: board.now)
            return false
        }
        data.forgetList()
        if Handler.largestFile > 0 { files.forget(for: identity, flash: &board) }
        link.close(.goingAway, at: board.now)
        display.invalidate(.everything)
        display.setPlaceholder(data.placeholder, rows: 0)
        updateComplication()
        return false
    }

    /// Stores a message to the phone, after which the link may send it. Returns whether it is stored; if not, there is no
    /// such message.
    @inline(never)
    mutating func issue(_ message: OutboxMessage, tap: TapNumber? = nil) -> Bool {
        guard let sequence = store.issue(message, tap: tap, of: &data, on: &board) else { return false }
        link.issued(upTo: sequence)
        if let tap { mark(.durable, tap: tap) }
        return true
    }

    /// Takes a tap back that could not be stored: its row is as before the touch, and the wearer feels the failure.
    @inline(never)
    mutating func refuse(_ tap: Tap) {
        taps.refuse(tap)
        if let row = data.items.row(of: tap.item, near: tap.row) { data.items.putBack(row: row) }
        board.play(.failure)
        updateComplication()
        display.setPlaceholder(data.placeholder, rows: data.items.count)
        display.invalidate(.listScreen)
        display.invalidateUnlessList()
    }

    /// Does one small step of the journal's upkeep. Returns whether it did anything. While a tap has stages to run,
    /// nothing is done: it may not be in flash yet.
    mutating func maintainJournal() -> Bool {
        guard taps.deferred.isEmpty else { return false }
        if isNewestAlone, store.attest(data, on: &board) { return true }
        return keepValueIfDue() || store.maintain(&data, on: &board) || endSessionIfExhausted()
    }

    /// Whether a check-off may be the newest record for long. With a phone, the record of its acknowledgement comes behind
    /// it; while a row is held, the next tap's may.
    private var isNewestAlone: Bool { !data.outbox.isEmpty && link.indicator == .down && !taps.holdsRow }
}

// What a handler does with files, which `MessageNames.files` declares.
extension WatchCore where B: ~Copyable {
    /// The file that the phone has sent last; nil where there is none. It stays across restarts, until another one is whole.
    public var file: WatchFile? {
        files.stored.map { WatchFile(generation: $0.header.generation, length: $0.header.length) }
    }

    /// What the phone calls the file, cut to 48 bytes; no text where there is none.
    public mutating func fileLabel() -> ShortText {
        var text = ShortText()
        if let stored = files.stored, let label = files.label(of: stored, flash: &board) {
            text.appendWhole(label.span)
        }
        return text
    }

    /// Reads from the file.
    ///
    /// - Parameters:
    ///   - offset: where to begin, from 0.
    ///   - bytes: receives what the file has from there, at most all of it.
    /// - Returns: how many bytes of the file there are; 0 at its end, and where it cannot be read.
    public mutating func readFile(at offset: Int, into bytes: inout MutableSpan<UInt8>) -> Int {
        guard let stored = files.stored else { return 0 }
        return files.read(stored, at: offset, into: &bytes, flash: &board)
    }

    /// The picture that the file is.
    ///
    /// - Returns: nil where there is no file, or it is no picture in the format PBM (P4) of 1 to 1,024 pixels a line.
    public mutating func filePicture() -> FilePicture? {
        guard let file else { return nil }
        var memory = descriptionMemory.slice(0..<FilePicture.longestHeader)
        var bytes = memory.mutableSpan
        let count = readFile(at: 0, into: &bytes)
        return FilePicture(
            generation: file.generation, length: file.length, header: descriptionMemory.slice(0..<count).span)
    }

    /// How far the file has come that arrives now.
    public var fileArrival: WatchFileArrival { files.progress }

    /// Refuses the file that arrives now, also where the phone offers it again.
    ///
    /// - Returns: whether one arrived.
    @discardableResult
    public mutating func cancelFile() -> Bool { files.cancel(flash: &board) }

    /// Draws the picture of the handler's sheet, where the file is still the one that has it.
    @inline(never)
    mutating func draw(_ picture: FilePicture) {
        guard let stored = files.stored, stored.header.generation == picture.generation else { return }
        let lines = sheet.lines(of: picture)
        for line in lines {
            var memory = descriptionMemory.slice(0..<picture.bytesPerLine)
            var bytes = memory.mutableSpan
            let offset = picture.offset + line * picture.bytesPerLine
            guard files.read(stored, at: offset, into: &bytes, flash: &board) == picture.bytesPerLine else { return }
            display.draw(descriptionMemory.slice(0..<picture.bytesPerLine).span, of: picture, line: line)
        }
    }

    // MARK: The link

    @inline(never)
    mutating func takeFileFrame(_ datagram: FixedArray<UInt8>) {
        if let fault = files.take(datagram, flash: &board) { link.close(.protocolFault(fault), at: board.now) }
    }

    /// Sends what the watch says of a file. Returns whether the radio took it.
    @inline(never)
    mutating func sendFileFrame() -> Bool {
        guard let header = files.owed, link.send(.file(header), data.messages, on: &board) else { return false }
        files.sentFrame()
        return true
    }

    /// Does one small step of a file's upkeep, where no tap has anything to do. Returns whether it did anything.
    mutating func maintainFiles<Handler: MessageDeclaring>(for handler: Handler.Type) -> Bool {
        guard Handler.largestFile > 0, taps.deferred.isEmpty else { return false }
        let isChecking = files.isChecking
        if isChecking { board.began(MessageWork(.fileCheck)) }
        let hasWorked = files.maintain(flash: &board, at: board.now)
        if isChecking { board.ended(MessageWork(.fileCheck)) }
        return hasWorked
    }
}
