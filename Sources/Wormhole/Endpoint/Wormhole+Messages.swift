import HostSystem
import Logging
import WatchLink

/// Whether a call waits for a peer that is unreachable.
public enum Reach: Equatable, Sendable {
    /// Fail at once.
    case now
    /// Wait until the peer is reachable, but at most this long.
    case within(Microseconds)
}

// Messages, by their names and by their numbers.
extension Wormhole {
    /// Passes a message to peers under a name. When this returns, the message is in the store and survives a crash, unless
    /// its delivery is `.interactive`. Listeners for the name on this side receive it too.
    ///
    /// - Parameter message: nil for a notification, which is not stored. It wakes the listeners of the name on this side,
    ///   and on reachable peers that take interactive messages.
    /// - Returns: a handle that reports the fate of the message; nil for a notification.
    /// - Throws: `.messageTooLarge` if a recipient accepts only smaller messages, and then none is stored;
    ///   `.fileIsNoMessage`; `.coding`; `.unknownPeer` if there is no peer to queue the message for; `.queueFull` if every
    ///   recipient's queue is full (if only some are full, only their copies fail); `.storage`; `.closed`.
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

    /// How many complication messages may still go to a peer today. Further ones are delivered by `.queued`.
    public nonisolated(nonsending) func complicationsLeft(for peer: PeerIdentity) async throws(WormholeError) -> Int {
        try await call { machine throws(WormholeError) in try machine.complicationsLeft(for: peer) }
    }

    // MARK: Messages by number, including those of earlier runs

    /// The queued messages that wait for their peers, oldest first. Throws `.storage`, `.closed`.
    public nonisolated(nonsending) func outstanding() async throws(WormholeError) -> [OutstandingMessage] {
        try await call { machine throws(WormholeError) in try machine.outstanding() }
    }

    /// The present fate of a queued message.
    ///
    /// - Throws: `.noSuchMessage` if no message has the number, or if 1,024 others were finished after it; `.storage`.
    public nonisolated(nonsending) func fate(of number: MessageNumber) async throws(WormholeError) -> MessageFate {
        try await call { machine throws(WormholeError) in try machine.fate(of: number) }
    }

    /// Cancels a queued message before it is sent. Its fate becomes `.expired`.
    ///
    /// If an earlier link sent the message but no acknowledgement came, the message can still be cancelled. The peer may have
    /// applied it.
    ///
    /// - Throws: `.noSuchMessage`; `.notCancelled` with the fate, if the fate is final or the present link has sent the
    ///   message; `.storage`; `.closed`.
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

    /// The value that this side or a peer passed last under a name; nil if there is none or it was cleared. A value that a
    /// restarted peer sends again does not count as newer. Throws `.coding` if the value has another type; `.storage`.
    public nonisolated(nonsending) func value<Message: Passable>(
        of type: Message.Type, under name: MessageName
    ) async throws(WormholeError) -> Message? {
        let payload = try await call { machine throws(WormholeError) in try machine.store.currentValue(under: name) }
        guard let payload else { return nil }
        return try MessageDecoder().decode(type, from: payload)
    }

    /// The messages of one name, from now on, in order. If a listener leaves more than 10,000 messages unread, it loses the
    /// oldest. Messages that a restarted peer sends again are not repeated.
    ///
    /// A message of another type is skipped and logged. The sequence ends when the endpoint closes. A listener gets a message
    /// only after the store has recorded the message as applied. If the program crashes in between, the listener never gets the
    /// message. If a crash must lose no message, handle messages in the handler of the `MessageStore`.
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

    /// Reports the sender of each notification of one name, from now on. Notifications in quick succession may be merged.
    public nonisolated func notifications(under name: MessageName) -> AsyncStream<MessageOrigin> {
        heard.listen { message in message.name == name && message.isNotification ? message.origin : nil }
    }

    /// The messages of every name that begins with `prefix`, from now on. The sequence also reports when one of these names is
    /// cleared. An empty prefix matches all names.
    public nonisolated func messages(withPrefix prefix: String) -> AsyncStream<HeardMessage> {
        heard.listen { message in message.name.hasPrefix(prefix) ? message : nil }
    }

    // MARK: Peers

    /// Whether a peer is reachable now: since when, or why not; `.neverConnected` for an unknown peer.
    public nonisolated(nonsending) func reachability(of peer: PeerIdentity) async -> PeerReachability {
        let known = try? await call { machine throws(WormholeError) in machine.reachability(of: peer) }
        return known ?? board.reachability(of: peer)
    }

    /// The reachability of every peer that has connected since the start, then each change.
    public nonisolated func reachabilityChanges() -> AsyncStream<ReachabilityChange> { board.listen() }

    /// Whether a peer is connected, has applied everything passed to it, and has sent all that it had when it connected.
    ///
    /// If both sides have a new value of one name and this side's value wins, the peer does not send its own. The result then
    /// stays false until the peer passes another value or reconnects.
    public nonisolated(nonsending) func isSynchronized(with peer: PeerIdentity) async -> Bool {
        let isKnown = try? await call { machine throws(WormholeError) in machine.isSynchronized(with: peer) }
        return isKnown ?? false
    }
}

// Messages that are answered at once or fail.
extension Wormhole {
    /// Runs tasks on the thread that serves this process's sockets, as in `Task(executorPreference: Wormhole.socketExecutor)`.
    /// It suits a task that asks over sockets repeatedly. The thread receives nothing while the task runs, so the task must not
    /// block or compute for long.
    public static var socketExecutor: any TaskExecutor { SocketPoller.shared }

    /// Asks a peer, and waits for its answer. The message is not stored, and not retried.
    ///
    /// - Parameter limit: the time for the answer, counted from when the peer is reachable.
    /// - Throws: `.unreachable` if the peer stays unreachable, or if the link ends before the answer; `.noAnswer` with the
    ///   peer's reason; `.noReply` if the time is over; `.messageTooLarge`; `.notTaken` if the peer takes no interactive
    ///   messages; `.tooManyOpen`; `.coding`; `.cancelled` if the task is cancelled; `.closed`.
    public nonisolated(nonsending) func ask<Message: Passable, Answer: Passable>(
        _ message: Message, under name: MessageName, for type: Answer.Type, of peer: PeerIdentity,
        within limit: Microseconds = .seconds(2), reaching reach: Reach = .now
    ) async throws(WormholeError) -> Answer {
        let value = try await ask(
            encoded: try MessageEncoder().encode(message), under: name, of: peer, within: limit, reaching: reach)
        return try MessageDecoder().decode(type, from: value)
    }

    /// Tells a peer something, and waits until the peer's answerer has returned. Throws the errors of `ask`.
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

    /// Returns once a peer that `isWanted` accepts is reachable, or the time is over, or the task is cancelled.
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

    /// Answers the messages of a name from every peer, until the registration ends.
    ///
    /// `body` gets the message and the peer that asks. Several calls may run at once. Each starts on the endpoint's own
    /// thread, which serves every link. Work that blocks or computes for long belongs in an actor or in a `@concurrent`
    /// function. When the asker's time is over, the call is cancelled. If `body` throws, the asker gets `.failed`, and
    /// the log has the error.
    ///
    /// - Throws: `.answered` if the name has an answerer already.
    public nonisolated func answer<Message: Passable, Answer: Passable>(
        _ name: MessageName, of type: Message.Type,
        with body: nonisolated(nonsending) @escaping @Sendable (Message, PeerIdentity) async throws -> Answer
    ) throws(WormholeError) -> AnswerRegistration {
        // A closure here would start on another thread.
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

    /// Answers the messages of a name with a receipt only. An asker that wants a value gets `true`.
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
    /// Sends a file. If a link ends, the next link continues the transfer. Content is sent only when no message waits. The file
    /// must not change until the fate is final.
    ///
    /// - Parameter label: the receiver's name for the file.
    /// - Throws: before anything is sent, `.notAFile`; `.fileTooLarge`; `.messageTooLarge` if label and metadata exceed the
    ///   peer's frame; `.notTaken` if the peer takes no files; `.unknownPeer`; `.queueFull`; `.coding`; `.system` if the
    ///   file cannot be read; `.storage`; `.closed`.
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

    /// The files in transfer, oldest first, including those of earlier runs of the endpoint.
    public nonisolated(nonsending) func filesUnderWay() async throws(WormholeError) -> [FileTransfer] {
        try await call { machine throws(WormholeError) in try machine.prepare() }
        return try await call { machine throws(WormholeError) in try machine.filesUnderWay() }
    }

    nonisolated(nonsending) package func transfer(_ number: UInt64) async throws(WormholeError) -> FileTransfer {
        try await call { machine throws(WormholeError) in try machine.prepare() }
        return try await call { machine throws(WormholeError) in try machine.transfer(number) }
    }

    /// Receives files into a directory, until the reception ends. Without a reception, files are refused.
    ///
    /// A complete file appears under its label and replaces no other file. Incomplete files are hidden, and the next link
    /// or run continues them. The directory's file system must have hard links, as the usual ones of Linux do.
    ///
    /// - Parameter count: the most files to store. Further files wait at their senders for the next reception.
    /// - Throws: `.receivesAlready`; `.system` if the directory cannot be read.
    public nonisolated func receiveFiles(
        into directory: String, atMost count: Int? = nil
    ) throws(WormholeError) -> FileReception {
        try receptions.begin(in: try FileDirectory(path: directory, system: fileSystem), atMost: count)
    }
}
