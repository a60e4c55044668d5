import WatchLink

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
