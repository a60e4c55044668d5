import WatchLink

extension WatchCore where B: ~Copyable {
    /// Chooses and stores a random identity if flash has none. If the journal is not complete, the watch will tell the
    /// wearer, and the phone will send everything again when it connects.
    @inline(never)
    mutating func adoptIdentity(journalIsComplete isComplete: Bool) {
        data.noticeOtherNames()
        if !isComplete {
            data.forgetPhone()
            data.losses.insert(.ofRecords)
            // Stores the loss at once, so that a power cut cannot hide it.
            store.keep(.positions, room: .made, of: &data, on: &board)
        }
        if data.hasStrays {
            data.losses.insert(.ofRecords)
            store.keep(.positions, room: .made, of: &data, on: &board)
        }
        guard data.identity == nil else { return }
        data.identity = UInt64(high: nextEpoch(), low: nextRandomWord())
        // The identity is stored twice, as in a snapshot.
        store.keep(.identity, room: .made, of: &data, on: &board)
        store.keep(.identity, room: .made, of: &data, on: &board)
    }

    /// Begins a new epoch. The message numbers usually continue. They begin again at 1 if half of all numbers are used,
    /// no message waits, and the journal has room to record this.
    @inline(never)
    mutating func beginEpoch() {
        data.epoch = nextEpoch()
        if data.outbox.isExhausted, store.hasRoom(for: data) { restartSequences() }
        guard let identity = data.identity else {
            preconditionFailure("a watch has an identity once its journal is mounted")
        }
        link.restart(identity: identity, epoch: data.epoch)
    }

    private mutating func restartSequences() {
        let end = data.outbox.end
        data.outbox.reset(after: .none)
        // Without this record, low numbers would count as acknowledged after a restart.
        if !store.keep(.positions, of: &data, on: &board) { data.outbox.reset(after: end) }
    }

    /// Ends the session if the outbox is exhausted and the journal has room for one more record. The watch then begins a
    /// new epoch, in which the message numbers begin again at 1. Returns whether it ended the session.
    @inline(never)
    private mutating func endSessionIfExhausted() -> Bool {
        guard data.outbox.isExhausted, link.indicator == .reachable, store.hasRoom(for: data) else { return false }
        link.session.close(.goingAway, at: board.now)
        return true
    }

    /// Decides whether the watch exchanges messages with a phone that has connected. Returns true for the watch's own
    /// phone. If the watch has none yet, this phone becomes its own.
    ///
    /// For another phone, ends the session and returns false. If no message waits for the watch's own phone, the watch
    /// first changes to the other phone: it forgets the list, and the next session is with that phone.
    @inline(never)
    mutating func meet<Handler: MessageDeclaring>(phone identity: UInt64, for handler: Handler.Type) -> Bool {
        guard let own = data.phones.own else {
            data.phones.own = identity
            store.keep(.identity, of: &data, on: &board)
            // A watch that has lost its journal may still have files from this phone.
            if Handler.largestFile > 0 { files.mount(of: identity, flash: &board) }
            return true
        }
        if own == identity { return true }
        guard data.outbox.isEmpty, taps.deferred.isEmpty, !taps.holdsRow else {
            linkNotice = .otherPhone
            link.session.close(.otherPhone, at: board.now)
            return false
        }
        let before = data.phones
        data.phones.moveOn(to: identity, after: data.outbox.end)
        // The watch takes a hello only while the journal has room for this record.
        guard store.keep(.phoneChange, of: &data, on: &board) else {
            data.phones = before
            link.session.close(.otherPhone, at: board.now)
            return false
        }
        data.forgetList()
        if Handler.largestFile > 0 { files.forget(for: identity, flash: &board) }
        link.session.close(.goingAway, at: board.now)
        display.invalidate(.everything)
        display.setPlaceholder(data.placeholder, rows: 0)
        updateComplication()
        return false
    }

    /// Undoes a tap whose message could not be stored, and plays the failure haptic.
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

    /// Does one step of the journal's upkeep. Returns true if the next step can run at once. Does nothing while a tap has
    /// stages to run, because a snapshot must not contain a tap whose message is not in flash yet.
    mutating func maintainJournal() -> Bool {
        guard taps.deferred.isEmpty else { return false }
        if isNewestAlone, store.attest(data, on: &board) { return true }
        return keepValueIfDue() || store.maintain(&data, on: &board) || endSessionIfExhausted()
    }

    /// Whether the newest record needs a gap record after it (`FlashStore.attest`). While a phone is connected or a row is
    /// held, no gap record is needed, because a normal record is likely to follow soon.
    private var isNewestAlone: Bool { !data.outbox.isEmpty && link.indicator == .down && !taps.holdsRow }
}

extension WatchCore where B: ~Copyable {
    /// The last complete file from the phone; nil if there is none. The watch keeps it over restarts, until another
    /// file is complete or the watch changes to another phone.
    public var file: WatchFile? {
        files.stored.map { WatchFile(generation: $0.header.generation, length: $0.header.length) }
    }

    /// Reads the phone's name for the file, at most 48 bytes of it. The text is empty if there is no file, or if flash
    /// cannot be read.
    public mutating func fileLabel() -> ShortText {
        var text = ShortText()
        if let stored = files.stored, let label = files.label(of: stored, flash: &board) {
            text.append(label.span)
        }
        return text
    }

    /// Reads bytes of the file from `offset` on, as many as fit into `bytes`. Returns the number of bytes read. Returns 0
    /// if there is no file, if the file has no byte at `offset`, or if flash cannot be read.
    public mutating func readFile(at offset: Int, into bytes: inout MutableSpan<UInt8>) -> Int {
        guard let stored = files.stored else { return 0 }
        return files.read(stored, at: offset, into: &bytes, flash: &board)
    }

    /// Returns the file as a picture. Nil if there is no file, or if it is not a complete PBM (P4) picture with 1 to
    /// 1,024 pixels in a line.
    public mutating func filePicture() -> FilePicture? {
        guard let file else { return nil }
        var memory = descriptionMemory.slice(0..<FilePicture.longestHeader)
        var bytes = memory.mutableSpan
        let count = readFile(at: 0, into: &bytes)
        return FilePicture(
            generation: file.generation, length: file.length, header: descriptionMemory.slice(0..<count).span)
    }

    /// Cancels the file that is arriving. If the phone offers this file again, the watch refuses it. Returns whether a
    /// file was arriving.
    @discardableResult
    public mutating func cancelFile() -> Bool { files.cancel(flash: &board) }

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
        if let fault = files.take(datagram, flash: &board) { link.session.close(.protocolFault(fault), at: board.now) }
    }

    @inline(never)
    mutating func sendFileFrame() -> Bool {
        guard let header = files.owed, link.send(.file(header), data.messages, on: &board) else { return false }
        files.sentFrame()
        return true
    }

    mutating func maintainFiles<Handler: MessageDeclaring>(for handler: Handler.Type) -> Bool {
        guard Handler.largestFile > 0, taps.deferred.isEmpty else { return false }
        let isChecking = files.isChecking
        if isChecking { board.began(MessageWork(.fileCheck)) }
        let hasWorked = files.maintain(flash: &board, at: board.now)
        if isChecking { board.ended(MessageWork(.fileCheck)) }
        return hasWorked
    }
}
