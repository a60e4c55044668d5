import Glibc
import HostSystem
import Logging
import WatchLink

// Files that this endpoint sends.
extension EndpointMachine {
    /// - Throws: the reason if no file can be sent to this peer.
    package func checkFiles(to peer: PeerIdentity) throws(WormholeError) {
        try checkOpen()
        guard configuration.kinds.include(.files) else { throw .notTaken(.file, by: peer) }
        try prepare()
        let isKnown =
            switch configuration.role {
            case .watch: peer == .phone
            case .phone: try store.peers().contains(peer)
            }
        guard isKnown else { throw .unknownPeer }
        guard outbox.entries(for: peer).count < TransferLimits.mostWaiting else {
            throw .queueFull(limit: TransferLimits.mostWaiting)
        }
    }

    /// Sends a file with this length in bytes and this SHA-256.
    package func send(
        fileAt path: String, as label: FileLabel, to peer: PeerIdentity, length: UInt64, hash: [UInt8],
        metadata: [UInt8]?
    ) throws(WormholeError) -> FileTransfer {
        try checkFiles(to: peer)
        let record = TransferRecord(
            transfer: max(configuration.randomNumber(), 1), peer: peer, label: label, path: path, length: length,
            hash: hash, metadata: metadata, state: .waiting)
        try current[peer]?.checkOffer(record)
        try store.add(record)
        let entry = entry(record)
        after { [self] in
            outbox.add(entry)
            current[peer]?.filesChanged()
        }
        return entry.transfer
    }

    package func filesUnderWay() throws(WormholeError) -> [FileTransfer] {
        try prepare()
        return outbox.all
    }

    /// A file in transfer, or one of the newest that have ended.
    ///
    /// - Throws: `.noSuchFile`; `.storage`.
    func transfer(_ number: UInt64) throws(WormholeError) -> FileTransfer {
        if let entry = outbox.entry(number) { return entry.transfer }
        guard let (record, fate) = try store.ended(number) else { throw .noSuchFile(number) }
        let transfer = entry(record).transfer
        if fate == .applied { transfer.advance(to: record.length) }
        transfer.end(fate)
        return transfer
    }

    /// Makes the outbox entry of a file that this process or an earlier one has begun to send.
    func entry(_ record: TransferRecord) -> FileOutbox.Entry {
        let transfer = FileTransfer(record) { [entering] in
            await entering { machine throws(WormholeError) in try machine.cancelSending(record.transfer) }
        }
        switch record.state {
        case .waiting: break
        case .begun: transfer.advance(to: MessageFate.sent)
        }
        return FileOutbox.Entry(record: record, transfer: transfer)
    }

    package func cancelSending(_ transfer: UInt64) throws(WormholeError) {
        try conclude(transfer, .failed(.cancelled))
    }

    /// Records that a link has offered the file to its peer.
    func begun(_ entry: FileOutbox.Entry) throws(WormholeError) {
        try store.begun(entry.record.transfer)
        after { entry.transfer.advance(to: MessageFate.sent) }
    }

    /// Ends the transfer of a file with its final fate.
    func conclude(_ transfer: UInt64, _ fate: MessageFate) throws(WormholeError) {
        guard let entry = outbox.entry(transfer) else { return }
        try store.conclude(transfer, fate)
        after { [self] in
            guard outbox.entry(transfer) != nil else { return }
            outbox.remove(transfer)
            entry.transfer.end(fate)
            logger.info("file ended", metadata: ["label": "\(entry.record.label)", "fate": "\(fate)"])
            // The link may now begin another file.
            current[entry.record.peer]?.filesChanged()
        }
    }
}

extension FileSystem {
    /// Opens a file to send it.
    ///
    /// - Throws: `.notAFile`; `.system`.
    func openToSend(_ path: String) throws(WormholeError) -> OpenedFile {
        // A blocking open of a pipe would wait for its writer.
        let file = try open(path, O_RDONLY | O_NONBLOCK)
        guard try information(of: file).st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        return file
    }

    /// The length of a file in bytes, and its SHA-256.
    ///
    /// - Throws: `.fileTooLarge` if the file has more than `limit` bytes; `.notAFile`; `.system`.
    package func summary(of path: String, upTo limit: UInt64) throws(WormholeError) -> (UInt64, [UInt8]) {
        let file = try openToSend(path)
        let size = UInt64(try information(of: file).st_size)
        guard size <= limit else { throw .fileTooLarge(path: path, bytes: size, limit: limit) }
        var hash = SHA256()
        var length: UInt64 = 0
        // A file of /proc has more bytes than its size field says.
        try read(file, upTo: min(limit, .max - 1) + 1) { bytes in
            hash.update(bytes)
            length += UInt64(bytes.count)
        }
        guard length <= limit else { throw .fileTooLarge(path: path, bytes: length, limit: limit) }
        return (length, hash.digest)
    }
}
