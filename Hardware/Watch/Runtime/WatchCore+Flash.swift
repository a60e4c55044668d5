import WatchLink

extension WatchCore where B: ~Copyable {
    /// Draws a random identity for a new watch. If the journal has lost records, tells the wearer, and lets the phone send
    /// everything again.
    @inline(never)
    mutating func adoptIdentity(journalIsComplete isComplete: Bool) {
        data.noticeOtherNames()
        if !isComplete {
            data.forgetPhone()
            data.losses.insert(.ofRecords)
            // The loss is stored first. A power cut from now on does not hide it.
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
            // The identity is stored twice, as in a snapshot.
            store.keep(.identity, room: .made, of: &data, on: &board)
            store.keep(.identity, room: .made, of: &data, on: &board)
        }
    }

    /// Begins a new epoch, in which message numbers continue. They begin again only if half of them are used, no message waits,
    /// and the journal has room for the record.
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
        // Without this record, low numbers would count as acknowledged after a restart.
        if !store.keep(.positions, of: &data, on: &board) { data.outbox.reset(after: end) }
    }

    /// Ends the session if the message numbers must begin again. Waits until the journal has room, so that no tap waits for an
    /// erase.
    @inline(never)
    private mutating func endSessionIfExhausted() -> Bool {
        guard data.outbox.isExhausted, link.indicator == .reachable, store.hasRoom(for: data) else { return false }
        link.session.close(.goingAway, at: board.now)
        return true
    }

    /// Decides whether to exchange messages with a phone that has connected. The watch changes to another phone only if no
    /// message waits, because waiting messages belong to its own phone. It then connects again with an empty list.
    @inline(never)
    mutating func meet<Handler: MessageDeclaring>(phone identity: UInt64, for handler: Handler.Type) -> Bool {
        guard let own = data.phones.own else {
            data.phones.own = identity
            store.keep(.identity, of: &data, on: &board)
            // A watch that has lost its journal still has files from this phone.
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

    /// Undoes a tap that could not be stored. The wearer feels the failure.
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

    /// Does one step of the journal's upkeep. Returns whether another step may follow at once. Does nothing while a tap has
    /// stages to run, because that tap may not be in flash yet.
    mutating func maintainJournal() -> Bool {
        guard taps.deferred.isEmpty else { return false }
        if isNewestAlone, store.attest(data, on: &board) { return true }
        return keepValueIfDue() || store.maintain(&data, on: &board) || endSessionIfExhausted()
    }

    /// Whether the record of a waiting message may stay the journal's newest for long. If a phone is connected, the record of
    /// an acknowledgement follows soon. If a row is held, the record of another tap may follow.
    private var isNewestAlone: Bool { !data.outbox.isEmpty && link.indicator == .down && !taps.holdsRow }
}

extension WatchCore where B: ~Copyable {
    /// The last complete file from the phone; nil if there is none. It survives restarts until another file is complete.
    public var file: WatchFile? {
        files.stored.map { WatchFile(generation: $0.header.generation, length: $0.header.length) }
    }

    /// The phone's name for the file, cut to 48 bytes; empty if there is no file.
    public mutating func fileLabel() -> ShortText {
        var text = ShortText()
        if let stored = files.stored, let label = files.label(of: stored, flash: &board) {
            text.append(label.span)
        }
        return text
    }

    /// Reads bytes of the file from `offset` on, as many as fit. Returns how many; 0 at the end of the file, or if it cannot be
    /// read.
    public mutating func readFile(at offset: Int, into bytes: inout MutableSpan<UInt8>) -> Int {
        guard let stored = files.stored else { return 0 }
        return files.read(stored, at: offset, into: &bytes, flash: &board)
    }

    /// The file as a picture; nil if there is no file, or if it is no PBM (P4) picture with 1 to 1,024 pixels in a line.
    public mutating func filePicture() -> FilePicture? {
        guard let file else { return nil }
        var memory = descriptionMemory.slice(0..<FilePicture.longestHeader)
        var bytes = memory.mutableSpan
        let count = readFile(at: 0, into: &bytes)
        return FilePicture(
            generation: file.generation, length: file.length, header: descriptionMemory.slice(0..<count).span)
    }

    /// Refuses the file that is arriving, now and if the phone offers it again. Returns whether a file was arriving.
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
