import Glibc
import HostSystem
import Logging
import WatchLink

extension Wormhole: FilePassing {
    /// Sends a file; see `FilePassing`.
    public func send<Metadata: Passable>(
        fileAt path: String, as label: FileLabel, to peer: PeerIdentity, metadata: Metadata?
    ) async throws(WormholeError) -> FileTransfer {
        var encoded: [UInt8]?
        if let metadata { encoded = try MessageEncoder().encode(metadata) }
        return try await send(fileAt: path, as: label, to: peer, encodedMetadata: encoded)
    }

    /// Sends a file about which something is said that is encoded already: one CBOR data item. Where this throws, the file stays,
    /// whomever it belongs to.
    package func send(
        fileAt path: String, as label: FileLabel, to peer: PeerIdentity, encodedMetadata encoded: [UInt8]?,
        owner: FileOwner = .sender
    ) async throws(WormholeError) -> FileTransfer {
        guard !isClosed else { throw .closed }
        guard configuration.kinds.include(.files) else { throw .notTaken(.file, by: peer) }
        try await prepare()
        guard try await knows(peer) else { throw .unknownPeer }
        guard outbox.entries(for: peer).count < TransferLimits.mostWaiting else {
            throw .queueFull(limit: TransferLimits.mostWaiting)
        }
        let (length, hash) = try await fileSystem.summary(of: path, upTo: configuration.largestFile)
        let record = TransferRecord(
            transfer: max(configuration.randomNumber(), 1), peer: peer, label: label, path: path, length: length,
            hash: hash, metadata: encoded, owner: owner, state: .waiting)
        if let link = links[peer] { try await link.checkOffer(record) }
        let entry = entry(record)
        try await store.add(record)
        guard !isClosed, outbox.add(entry) else {
            try await store.remove(record.transfer)
            throw isClosed ? .closed : .queueFull(limit: TransferLimits.mostWaiting)
        }
        await links[peer]?.filesChanged()
        return entry.transfer
    }

    /// The files that are on their way; see `FilePassing`.
    public func filesUnderWay() async throws(WormholeError) -> [FileTransfer] {
        try await prepare()
        return outbox.all
    }

    /// Receives files into a directory; see `FilePassing`.
    public nonisolated func receiveFiles(
        into directory: String, atMost count: Int?
    ) throws(WormholeError) -> FileReception {
        try receptions.begin(in: try FileDirectory(path: directory, system: fileSystem), atMost: count)
    }

    private func knows(_ peer: PeerIdentity) async throws(WormholeError) -> Bool {
        switch configuration.role {
        case .watch: peer == .phone
        case .phone: try await store.peers().contains(peer)
        }
    }

    /// A file of this run, or of an earlier one.
    func entry(_ record: TransferRecord) -> FileOutbox.Entry {
        let transfer = FileTransfer(record) { [weak self] in
            await self?.cancel(record)
        }
        switch record.state {
        case .waiting: break
        case .begun: transfer.advance(to: MessageFate.sent)
        }
        return FileOutbox.Entry(record: record, transfer: transfer)
    }

    private func cancel(_ record: TransferRecord) async {
        await conclude(record.transfer, .failed(.cancelled))
        await links[record.peer]?.filesChanged()
    }

    /// A file was offered to its peer.
    func begun(_ entry: FileOutbox.Entry) async {
        entry.transfer.advance(to: MessageFate.sent)
        do throws(WormholeError) {
            try await store.begun(entry.record.transfer)
        } catch {
            logger.warning("the list of files could not be stored", metadata: ["error": "\(error)"])
        }
    }

    /// The way of a file has ended.
    func conclude(_ transfer: UInt64, _ fate: MessageFate) async {
        guard let entry = outbox.conclude(transfer, fate) else { return }
        logger.info("file ended", metadata: ["label": "\(entry.record.label)", "fate": "\(fate)"])
        do throws(WormholeError) {
            try await store.remove(transfer)
        } catch {
            // It is offered again after the next start, and the receiver knows that it has it.
            logger.warning("the list of files could not be stored", metadata: ["error": "\(error)"])
            return
        }
        removeOwnFile(of: entry.record)
    }

    /// Nothing needs the file any more that was made for a transfer.
    private func removeOwnFile(of record: TransferRecord) {
        switch record.owner {
        case .sender: return
        case .transfer: break
        }
        do throws(WormholeError) {
            try fileSystem.removeWithDirectory(record.path)
        } catch {
            logger.warning("a file that was sent could not be removed", metadata: ["error": "\(error)"])
        }
    }
}

extension PeerLink {
    /// - Throws: `.notTaken`, `.messageTooLarge` where the peer would not take the offer of a file.
    func checkOffer(_ record: TransferRecord) throws(WormholeError) {
        guard let peer = session.peer, let limit = session.largestFrame else { return }
        guard peer.limits.kinds.include(.files) else { throw .notTaken(.file, by: record.peer) }
        let bytes = record.offerSize
        guard bytes <= limit else { throw .messageTooLarge(bytes: bytes, limit: limit) }
    }
}

extension FileSystem {
    /// Opens a file that is to be sent.
    ///
    /// - Throws: `.notAFile`; `.system`.
    func openToSend(_ path: String) throws(WormholeError) -> OpenedFile {
        // Opening a pipe would wait for somebody to write.
        let file = try open(path, O_RDONLY | O_NONBLOCK)
        guard try information(of: file).st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        return file
    }

    /// The length of a file and its SHA-256.
    ///
    /// - Throws: `.fileTooLarge` for more bytes than the limit; `.notAFile`; `.system`.
    @concurrent
    func summary(of path: String, upTo limit: UInt64) async throws(WormholeError) -> (UInt64, [UInt8]) {
        let file = try openToSend(path)
        let size = UInt64(try information(of: file).st_size)
        guard size <= limit else { throw .fileTooLarge(path: path, bytes: size, limit: limit) }
        var hash = SHA256()
        var length: UInt64 = 0
        try read(file, upTo: size) { bytes in
            hash.update(bytes)
            length += UInt64(bytes.count)
        }
        return (length, hash.digest)
    }
}
