import WatchLink

/// A program sends or receives files through the endpoint.
struct SharedFiles {
    private let command: SharedCommand

    init(_ command: SharedCommand) {
        self.command = command
    }

    private var endpoint: Wormhole { command.endpoint }

    func send(_ sending: SharedRequest.Sending) async throws(WormholeError) {
        let label = try FileLabel(sending.label)
        let peer = try await SharedPeers(endpoint).one(sending.recipient, within: .milliseconds(sending.patience))
        let transfer = try await endpoint.send(
            fileAt: sending.path, as: label, to: peer, encodedMetadata: sending.metadata,
            owner: sending.owner)
        try await report(transfer)
    }

    func follow(_ number: UInt64) async throws(WormholeError) {
        try await report(try await transfer(number))
    }

    func fate(_ number: UInt64, _ following: SharedRequest.Following) async throws(WormholeError) {
        let transfer = try await transfer(number)
        try await command.channel.send(SharedReply.file(SharedReply.File(transfer)))
        let copy = SharedReply.Copy(transfer)
        switch following {
        case .toTheEnd: await command.report(transfer.fates, copy)
        case .now: try await command.channel.send(SharedReply.fate(copy, FateReport(transfer.fate)))
        }
    }

    func cancel(_ number: UInt64) async throws(WormholeError) {
        await (try await transfer(number)).cancel()
    }

    private func transfer(_ number: UInt64) async throws(WormholeError) -> FileTransfer {
        guard let transfer = try await endpoint.filesUnderWay().first(where: { $0.number == number }) else {
            throw .noSuchFile(number)
        }
        return transfer
    }

    private func report(_ transfer: FileTransfer) async throws(WormholeError) {
        try await command.channel.send(SharedReply.file(SharedReply.File(transfer)))
        await withDiscardingTaskGroup { group in
            group.addTask { await send(transfer.progress) }
            await command.report(transfer.fates, SharedReply.Copy(transfer))
            group.cancelAll()
        }
    }

    /// Receives until the program leaves.
    func receive(into directory: String, atMost count: Int?) async throws(WormholeError) {
        let reception = try endpoint.receiveFiles(into: directory, atMost: count)
        defer { reception.ending() }
        try await command.channel.send(SharedReply.ready)
        await withDiscardingTaskGroup { group in
            group.addTask {
                await withDiscardingTaskGroup { group in
                    for await file in reception.arriving {
                        let reply = SharedReply.file(SharedReply.File(file))
                        guard (try? await command.channel.send(reply)) != nil else { return }
                        group.addTask { await send(file.progress) }
                    }
                }
            }
            for await file in reception.files {
                let reply = SharedReply.received(SharedReply.Received(file))
                guard (try? await command.channel.send(reply)) != nil else { break }
            }
            group.cancelAll()
        }
    }

    private func send(_ course: AsyncStream<FileProgress>) async {
        for await progress in course {
            guard (try? await command.channel.send(SharedReply.progress(progress))) != nil else { return }
        }
    }
}

extension SharedReply.Copy {
    fileprivate init(_ transfer: FileTransfer) {
        self.init(peer: transfer.peer.description, number: transfer.number)
    }
}

extension SharedReply.File {
    init(_ transfer: FileTransfer) {
        self.init(
            number: transfer.number, label: transfer.label.text, peer: transfer.peer.description,
            length: transfer.length, path: transfer.path)
    }

    init(_ file: ArrivingFile) {
        self.init(
            number: nil, label: file.label.text, peer: file.peer.description, length: file.length,
            path: nil)
    }
}

extension SharedReply.Received {
    init(_ file: ReceivedFile) {
        self.init(
            label: file.label.text, path: file.path, peer: file.peer.description, length: file.length,
            metadata: file.metadata)
    }
}
