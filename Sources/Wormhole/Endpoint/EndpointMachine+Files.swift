import Glibc
import HostSystem
import Logging
import WatchLink

// Files that this endpoint sends.
extension EndpointMachine {
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
        guard outbox.filter({ $0.record.peer == peer }).count < TransferLimits.mostWaiting else {
            throw .queueFull(limit: TransferLimits.mostWaiting)
        }
    }

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
            outbox.append(entry)
            current[peer]?.filesChanged()
        }
        return entry.transfer
    }

    package func filesUnderWay() throws(WormholeError) -> [FileTransfer] {
        try prepare()
        return outbox.map(\.transfer)
    }

    func transfer(_ number: UInt64) throws(WormholeError) -> FileTransfer {
        if let entry = outboxEntry(number) { return entry.transfer }
        guard let (record, fate) = try store.ended(number) else { throw .noSuchFile(number) }
        let transfer = entry(record).transfer
        if fate == .applied { transfer.advance(to: record.length) }
        transfer.end(fate)
        return transfer
    }

    func outboxEntry(_ transfer: UInt64) -> OutboxEntry? { outbox.first { $0.record.transfer == transfer } }

    func entry(_ record: TransferRecord) -> OutboxEntry {
        let transfer = FileTransfer(record) { [callMachine] in
            await callMachine { machine throws(WormholeError) in try machine.cancelSending(record.transfer) }
        }
        switch record.state {
        case .waiting: break
        case .begun: transfer.advance(to: MessageFate.sent)
        }
        return OutboxEntry(record: record, transfer: transfer)
    }

    package func cancelSending(_ transfer: UInt64) throws(WormholeError) {
        try conclude(transfer, .failed(.cancelled))
    }

    func begun(_ entry: OutboxEntry) throws(WormholeError) {
        try store.begun(entry.record.transfer)
        after { entry.transfer.advance(to: MessageFate.sent) }
    }

    func conclude(_ transfer: UInt64, _ fate: MessageFate) throws(WormholeError) {
        guard let entry = outboxEntry(transfer) else { return }
        try store.conclude(transfer, fate)
        after { [self] in
            guard outboxEntry(transfer) != nil else { return }
            outbox.removeAll { $0.record.transfer == transfer }
            entry.transfer.end(fate)
            logger.info("file ended", metadata: ["label": "\(entry.record.label)", "fate": "\(fate)"])
            current[entry.record.peer]?.filesChanged()
        }
    }
}

extension FileSystem {
    func openToSend(_ path: String) throws(WormholeError) -> OpenedFile {
        // A blocking open of a pipe would wait for its writer.
        let file = try open(path, O_RDONLY | O_NONBLOCK)
        guard try information(of: file).st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        return file
    }

    /// Reads the file at `path`, and returns its length in bytes and its SHA-256.
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
