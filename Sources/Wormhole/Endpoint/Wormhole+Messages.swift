import HostSystem
import Logging
import WatchLink

/// What a call does if its peer is unreachable.
public enum Reach: Equatable, Sendable {
    /// If the peer is unreachable, the call fails at once.
    case now
    /// If the peer is unreachable, the call waits for the peer, but at most this long.
    case within(Microseconds)
}

// Messages, by their names and by their numbers.
extension Wormhole {
    /// Passes a message to peers under a name. When this returns, the message is in the store and survives a crash, unless
    /// its delivery is `.interactive`. Listeners of the name on this side receive it too.
    ///
    /// - Parameter message: nil for a notification, which is not stored. A notification wakes the listeners of the name on
    ///   this side, and on reachable peers that take interactive messages.
    /// - Returns: a handle that reports the fate of the message; nil for a notification.
    /// - Throws: `.messageTooLarge` if a recipient accepts only smaller messages, in which case nothing is stored;
    ///   `.unreachable` if the delivery is `.interactive` and no recipient is reachable; `.unknownPeer` if there is no
    ///   recipient, unless the delivery is `.latest`; `.queueFull` if every recipient's queue is full (if only some are full,
    ///   only their copies fail); `.fileIsNoMessage`; `.coding`; `.storage`; `.closed`.
    @discardableResult
    public nonisolated(nonsending) func pass<Message: Passable>(
        _ message: Message?, under name: MessageName, delivery: Delivery = .latest,
        to recipients: Recipients = .everyone
    ) async throws(WormholeError) -> MessageHandle? {
        var payload: [UInt8]?
        if let message { payload = try MessageEncoder().encode(message) }
        return try await pass(encoded: payload, under: name, delivery: delivery, to: recipients)
    }

    /// - Parameter payload: one CBOR data item; nil for a notification.
    nonisolated(nonsending) package func pass(
        encoded payload: [UInt8]?, under name: MessageName, delivery: Delivery, to recipients: Recipients
    ) async throws(WormholeError) -> MessageHandle? {
        try await call { machine throws(WormholeError) in
            try machine.pass(encoded: payload, under: name, delivery: delivery, to: recipients)
        }
    }

    /// Clears the value of a name on both sides. Queued messages stay queued. Throws `.storage`, `.closed`.
    public nonisolated(nonsending) func clear(_ name: MessageName) async throws(WormholeError) {
        try await call { machine throws(WormholeError) in try machine.clear(name) }
    }

    /// Clears the value of every name, on both sides. Throws `.storage`, `.closed`.
    public nonisolated(nonsending) func clearAll() async throws(WormholeError) {
        try await call { machine throws(WormholeError) in try machine.clearAll() }
    }

    /// Returns how many complication messages to a peer are left in today's budget. Further ones are delivered as `.queued`.
    public nonisolated(nonsending) func complicationsLeft(for peer: PeerIdentity) async throws(WormholeError) -> Int {
        try await call { machine throws(WormholeError) in try machine.complicationsLeft(for: peer) }
    }

    // MARK: Messages by number, including those of earlier runs

    /// Returns the queued messages that their peers have not acknowledged yet, oldest first. Throws `.storage`, `.closed`.
    public nonisolated(nonsending) func outstanding() async throws(WormholeError) -> [OutstandingMessage] {
        try await call { machine throws(WormholeError) in try machine.outstanding() }
    }

    /// Returns the present fate of a queued message.
    ///
    /// - Throws: `.noSuchMessage` if no message has the number, or if the store has forgotten the message (the store keeps
    ///   at least the newest 1,024 finished messages); `.storage`.
    public nonisolated(nonsending) func fate(of number: MessageNumber) async throws(WormholeError) -> MessageFate {
        try await call { machine throws(WormholeError) in try machine.fate(of: number) }
    }

    /// Cancels a queued message that this run of the endpoint has not sent. Its fate becomes `.expired`.
    ///
    /// If an earlier run sent the message but got no acknowledgement, the message can still be cancelled. The peer may have
    /// applied it.
    ///
    /// - Throws: `.noSuchMessage`; `.notCancelled` with the fate, if the fate is final or this run has sent the message;
    ///   `.storage`; `.closed`.
    public nonisolated(nonsending) func cancel(_ number: MessageNumber) async throws(WormholeError) {
        try await call { machine throws(WormholeError) in try machine.cancel(number) }
    }

    /// Returns an object that reports the fate of a queued message now, and each later fate. Throws the errors of `fate(of:)`,
    /// and `.closed`.
    public nonisolated(nonsending) func copy(of number: MessageNumber) async throws(WormholeError) -> MessageCopy {
        let outcome: Result<MessageCopy, WormholeError> = await withCheckedContinuation { continuation in
            enqueue {
                .always { machine in
                    continuation.resume(
                        returning: Result { () throws(WormholeError) in try machine.copy(of: number) })
                }
            }
        }
        return try outcome.get()
    }

    // MARK: Listening

    /// Returns the value that this side or a peer passed last under a name; nil if there is none, or if the name was cleared.
    /// If a restarted peer sends an unchanged value again, that value does not count as newer. Throws `.coding` if the value
    /// has another type; `.storage`.
    public nonisolated(nonsending) func value<Message: Passable>(
        of type: Message.Type, under name: MessageName
    ) async throws(WormholeError) -> Message? {
        let payload = try await call { machine throws(WormholeError) in try machine.store.currentValue(under: name) }
        guard let payload else { return nil }
        return try MessageDecoder().decode(type, from: payload)
    }

    /// Returns a stream of the messages that this side or a peer passes under one name from now on, in order. If a listener
    /// leaves more than 10,000 messages unread, it loses the oldest. Messages that a restarted peer sends again are not
    /// repeated.
    ///
    /// A message of another type is skipped and logged. The stream ends when the endpoint closes. The store records a message
    /// as applied before listeners get it. If the program crashes between the two, the listeners never get the message. A
    /// program that must not lose queued messages uses the handler of the `MessageStore` instead of this stream.
    public nonisolated func messages<Message: Passable>(
        of type: Message.Type, under name: MessageName
    ) -> AsyncStream<Message> {
        heard.listen { [logger] message in
            guard message.name == name, !message.isCleared else { return nil }
            do throws(WormholeError) {
                return try message.decoded(as: type)
            } catch {
                // A notification has no value, and this listener expects values.
                if message.isNotification { return nil }
                logger.warning(
                    "message of another type", metadata: ["name": "\(name)", "error": "\(error)", "type": "\(type)"])
                return nil
            }
        }
    }

    /// Returns a stream of the senders of notifications under one name, from now on. Notifications in quick succession may be
    /// merged.
    public nonisolated func notifications(under name: MessageName) -> AsyncStream<MessageOrigin> {
        heard.listen { message in message.name == name && message.isNotification ? message.origin : nil }
    }

    /// Returns a stream of the messages under every name that begins with `prefix`, from now on. The stream also reports when
    /// one of these names is cleared. An empty prefix matches all names.
    public nonisolated func messages(withPrefix prefix: String) -> AsyncStream<HeardMessage> {
        heard.listen { message in message.name.hasPrefix(prefix) ? message : nil }
    }

    // MARK: Peers

    /// Returns the present reachability of a peer. An unknown peer is unreachable for the reason `.neverConnected`.
    public nonisolated(nonsending) func reachability(of peer: PeerIdentity) async -> PeerReachability {
        let known = try? await call { machine throws(WormholeError) in machine.reachability(of: peer) }
        return known ?? board.reachability(of: peer)
    }

    /// Returns a stream that begins with the reachability of every peer that has connected since the endpoint started. Each
    /// change follows.
    public nonisolated func reachabilityChanges() -> AsyncStream<ReachabilityChange> { board.listen() }

    /// Whether a peer is connected and in sync with this side. If true, the peer has applied everything that this side passed
    /// to it, and this side has applied everything that the peer had passed when it connected.
    ///
    /// If both sides have a new value of one name and this side's value wins, the peer does not send its own value. The
    /// result stays false until the peer passes another value or reconnects.
    public nonisolated(nonsending) func isSynchronized(with peer: PeerIdentity) async -> Bool {
        let isKnown = try? await call { machine throws(WormholeError) in machine.isSynchronized(with: peer) }
        return isKnown ?? false
    }
}

// Messages that are answered at once or fail.
extension Wormhole {
    /// An executor that runs tasks on the thread that serves this process's sockets. It suits a task that often calls `ask`
    /// over sockets: `Task(executorPreference: Wormhole.socketExecutor) { … }`. The thread receives nothing while the task
    /// runs, so the task must not block or compute for long.
    public static var socketExecutor: any TaskExecutor { SocketPoller.shared }

    /// Asks a peer, and waits for its answer. The message is not stored, and not retried.
    ///
    /// - Parameter limit: how long to wait for the answer once the peer is reachable.
    /// - Throws: `.unreachable` if the peer is not reachable in the time that `reach` allows, or if the link ends before the
    ///   answer; `.noAnswer` with the peer's reason; `.noReply` if `limit` passes without an answer; `.messageTooLarge`;
    ///   `.notTaken` if the peer takes no interactive messages; `.tooManyOpen`; `.coding`; `.cancelled` if the task is
    ///   cancelled; `.closed`.
    public nonisolated(nonsending) func ask<Message: Passable, Answer: Passable>(
        _ message: Message, under name: MessageName, for type: Answer.Type, of peer: PeerIdentity,
        within limit: Microseconds = .seconds(2), reaching reach: Reach = .now
    ) async throws(WormholeError) -> Answer {
        let value = try await ask(
            encoded: try MessageEncoder().encode(message), under: name, of: peer, within: limit, reaching: reach)
        return try MessageDecoder().decode(type, from: value)
    }

    /// Sends a peer a message that asks for no value, and waits until the peer's answerer has returned. Throws the errors of
    /// `ask`.
    public nonisolated(nonsending) func tell<Message: Passable>(
        _ message: Message, under name: MessageName, to peer: PeerIdentity, within limit: Microseconds = .seconds(2),
        reaching reach: Reach = .now
    ) async throws(WormholeError) {
        let payload = try MessageEncoder().encode(message)
        _ = try await ask(
            encoded: payload, under: name, of: peer, wish: .receipt, within: limit, reaching: reach)
    }

    nonisolated(nonsending) package func ask(
        encoded payload: [UInt8], under name: MessageName, of peer: PeerIdentity,
        wish: InteractiveHeader.Wish = .value, within limit: Microseconds, reaching reach: Reach
    ) async throws(WormholeError) -> [UInt8] {
        if case .within(let time) = reach, !board.reachability(of: peer).isReachable {
            await wait(time) { $0 == peer }
            if Task.isCancelled { throw .cancelled }
        }
        let answer = WaitableState<Result<[UInt8], WormholeError>?>(nil)
        let question = try await call { machine throws(WormholeError) in
            try machine.ask(payload, under: name, of: peer, wish: wish, within: limit) { result in
                answer.change { $0 = result }
            }
        }
        let result: Result<[UInt8], WormholeError>? = await answer.wait { result in result }
        if let result { return try result.get() }
        enqueue { .always { $0.giveUp(question) } }
        throw .cancelled
    }

    /// Waits for a reachable peer for which `isWanted` returns true. Gives up after `limit`, or if the task is cancelled.
    nonisolated func wait(
        _ limit: Microseconds, forPeer isWanted: @escaping @Sendable (PeerIdentity) -> Bool = { _ in true }
    ) async {
        let changes = reachabilityChanges()
        let deadline = clock.now + limit
        let clock = clock
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await change in changes where isWanted(change.peer) && change.reachability.isReachable { return }
            }
            group.addTask { try? await clock.sleep(until: deadline) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Answers the interactive messages under a name, from every peer, until the returned registration ends.
    ///
    /// `body` gets the message and the peer that asks. Several calls of `body` may run at once. Each call starts on the
    /// endpoint's own thread, which serves every link. Work that blocks or computes for long belongs in an actor or in a
    /// `@concurrent` function. When the asker's time is over, the call is cancelled. If `body` throws, the asker gets
    /// `.failed`, and the error is logged.
    ///
    /// - Throws: `.answered` if the name has an answerer already.
    public nonisolated func answer<Message: Passable, Answer: Passable>(
        _ name: MessageName, of type: Message.Type,
        with body: nonisolated(nonsending) @escaping @Sendable (Message, PeerIdentity) async throws -> Answer
    ) throws(WormholeError) -> AnswerRegistration {
        // A closure in place of this function would start on another thread.
        @Sendable nonisolated(nonsending) func answerer(_ payload: [UInt8], _ peer: PeerIdentity) async -> AnswerOutcome
        {
            let message: Message
            do throws(WormholeError) {
                message = try MessageDecoder().decode(type, from: payload)
            } catch {
                logger.warning(
                    "message of another type", metadata: ["name": "\(name)", "error": "\(error)", "type": "\(type)"])
                return .failure(.malformed)
            }
            do {
                return .value(try MessageEncoder().encode(try await body(message, peer)))
            } catch {
                if !Task.isCancelled {
                    logger.warning("no answer", metadata: ["name": "\(name)", "error": "\(error)"])
                }
                return .failure(.failed)
            }
        }
        return try answerers.register(name, answerer)
    }

    /// Answers the interactive messages under a name with a receipt, once `body` has returned. An asker that wants a value
    /// gets `true`.
    public nonisolated func answer<Message: Passable>(
        _ name: MessageName, of type: Message.Type,
        with body: nonisolated(nonsending) @escaping @Sendable (Message, PeerIdentity) async throws -> Void
    ) throws(WormholeError) -> AnswerRegistration {
        try answer(name, of: type) { message, peer in
            try await body(message, peer)
            return true
        }
    }

    nonisolated func answer(
        encoded name: MessageName, with body: @escaping Answerers.Answerer
    ) throws(WormholeError) -> AnswerRegistration {
        @Sendable nonisolated(nonsending) func answerer(_ payload: [UInt8], _ peer: PeerIdentity) async -> AnswerOutcome
        {
            guard (try? CBORValue(decoding: payload)) != nil else { return .failure(.malformed) }
            return await body(payload, peer)
        }
        return try answerers.register(name, answerer)
    }
}

// Files.
extension Wormhole {
    /// Sends a file. If a link ends, the next link continues the transfer. Content is sent only when no message waits to be
    /// sent. The file must not change until the fate of the transfer is final.
    ///
    /// - Parameter label: the name of the file at the receiver.
    /// - Throws: `.notAFile`; `.fileTooLarge`; `.messageTooLarge` if label and metadata exceed the peer's longest frame;
    ///   `.notTaken` if this side or the peer takes no files; `.unknownPeer`; `.queueFull`; `.coding`; `.system` if the file
    ///   cannot be read; `.storage`; `.closed`. After an error, nothing is sent.
    public nonisolated func send<Metadata: Passable>(
        fileAt path: String, as label: FileLabel, to peer: PeerIdentity, metadata: Metadata?
    ) async throws(WormholeError) -> FileTransfer {
        var encoded: [UInt8]?
        if let metadata { encoded = try MessageEncoder().encode(metadata) }
        return try await send(fileAt: path, as: label, to: peer, encodedMetadata: encoded)
    }

    /// Sends a file without metadata.
    public nonisolated func send(
        fileAt path: String, as label: FileLabel, to peer: PeerIdentity
    ) async throws(WormholeError) -> FileTransfer {
        try await send(fileAt: path, as: label, to: peer, metadata: Bool?.none)
    }

    package nonisolated func send(
        fileAt path: String, as label: FileLabel, to peer: PeerIdentity, encodedMetadata metadata: [UInt8]?
    ) async throws(WormholeError) -> FileTransfer {
        try await call { machine throws(WormholeError) in try machine.checkFiles(to: peer) }
        let (length, hash) = try fileSystem.summary(of: path, upTo: configuration.largestFile)
        return try await call { machine throws(WormholeError) in
            try machine.send(fileAt: path, as: label, to: peer, length: length, hash: hash, metadata: metadata)
        }
    }

    /// Returns the outgoing file transfers that have not ended, oldest first, including those of earlier runs of the
    /// endpoint.
    public nonisolated(nonsending) func filesUnderWay() async throws(WormholeError) -> [FileTransfer] {
        try await call { machine throws(WormholeError) in try machine.prepare() }
        return try await call { machine throws(WormholeError) in try machine.filesUnderWay() }
    }

    nonisolated(nonsending) package func transfer(_ number: UInt64) async throws(WormholeError) -> FileTransfer {
        try await call { machine throws(WormholeError) in try machine.prepare() }
        return try await call { machine throws(WormholeError) in try machine.transfer(number) }
    }

    /// Receives files into a directory, until the returned reception ends. Without a reception, this side refuses all
    /// files.
    ///
    /// A complete file appears under its label. If the label is taken, the file gets another name, such as `photo-2.png`,
    /// and replaces no file. Incomplete files are hidden, and the next link or run continues them. The directory's file
    /// system must support hard links, as the usual Linux file systems do.
    ///
    /// - Parameter count: the maximum number of files to store; nil for no limit. Further files wait at their senders while
    ///   the reception lasts.
    /// - Throws: `.receivesAlready` if another reception has not ended; `.system` if the directory cannot be read.
    public nonisolated func receiveFiles(
        into directory: String, atMost count: Int? = nil
    ) throws(WormholeError) -> FileReception {
        try receptions.begin(in: try FileDirectory(path: directory, system: fileSystem), atMost: count)
    }
}
