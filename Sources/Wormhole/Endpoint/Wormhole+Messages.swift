import HostSystem
import Logging
import WatchLink

/// Whether an asker waits for a peer that cannot be reached.
public enum Reach: Equatable, Sendable {
    /// No: it is an error.
    case now
    /// Until the peer is reachable, for this time at most.
    case within(Microseconds)
}

// Messages, by their names and by their numbers.
extension Wormhole {
    /// Passes a message under a name.
    ///
    /// When this returns, the message is in the store, so a crash no longer loses it. Listeners for the name on this
    /// side receive it too.
    ///
    /// - Parameters:
    ///   - message: encoded as CBOR by its `Codable` conformance. Nil is a notification: it wakes the listeners of the name on
    ///     this side, and on the peers that can be reached now and take interactive messages; nothing is kept of it.
    ///   - delivery: `.latest`, `.queued`, `.complication` or `.interactive`.
    ///   - recipients: one peer or all of them.
    /// - Returns: a handle that reports the fate of the message; nil when there was no message.
    /// - Throws: `.messageTooLarge` if a recipient accepts only smaller ones, with nothing kept for any;
    ///   `.fileIsNoMessage`; `.coding`; `.unknownPeer` if there is no peer to queue the message for; `.queueFull` if
    ///   too many messages wait for every recipient (the copy of one among several fails alone); `.storage`; `.closed`.
    @discardableResult
    public nonisolated(nonsending) func pass<Message: Passable>(
        _ message: Message?, under name: MessageName, delivery: Delivery = .latest,
        to recipients: Recipients = .everyone
    ) async throws(WormholeError) -> MessageHandle? {
        var payload: [UInt8]?
        if let message { payload = try MessageEncoder().encode(message) }
        return try await pass(encoded: payload, under: name, delivery: delivery, to: recipients)
    }

    /// Passes a message that is encoded already: one CBOR data item; nil for a notification.
    nonisolated(nonsending) package func pass(
        encoded payload: [UInt8]?, under name: MessageName, delivery: Delivery, to recipients: Recipients
    ) async throws(WormholeError) -> MessageHandle? {
        try await call { machine throws(WormholeError) in
            try machine.pass(encoded: payload, under: name, delivery: delivery, to: recipients)
        }
    }

    /// Clears the value that was last passed under a name, on both sides. Messages that are queued stay queued.
    ///
    /// - Throws: `.storage`, `.closed`.
    public nonisolated(nonsending) func clear(_ name: MessageName) async throws(WormholeError) {
        try await call { machine throws(WormholeError) in try machine.clear(name) }
    }

    /// Clears the value of every name, on both sides.
    ///
    /// - Throws: `.storage`, `.closed`.
    public nonisolated(nonsending) func clearAll() async throws(WormholeError) {
        try await call { machine throws(WormholeError) in try machine.clearAll() }
    }

    /// How many more complication messages may go to a peer today; what is beyond them is delivered by `.queued`.
    ///
    /// - Throws: `.storage`.
    public nonisolated(nonsending) func complicationsLeft(for peer: PeerIdentity) async throws(WormholeError) -> Int {
        try await call { machine throws(WormholeError) in try machine.complicationsLeft(for: peer) }
    }

    // MARK: By their numbers, also those that an earlier run of the program has passed

    /// The queued messages that wait for their peers, the oldest first.
    ///
    /// - Throws: `.storage`, `.closed`.
    public nonisolated(nonsending) func outstanding() async throws(WormholeError) -> [OutstandingMessage] {
        try await call { machine throws(WormholeError) in try machine.outstanding() }
    }

    /// How far a queued message has got.
    ///
    /// - Throws: `.noSuchMessage` for a number that none has, and for one that was done before the newest 1,024; `.storage`.
    public nonisolated(nonsending) func fate(of number: MessageNumber) async throws(WormholeError) -> MessageFate {
        try await call { machine throws(WormholeError) in try machine.fate(of: number) }
    }

    /// Takes a queued message back before it is sent. Its fate is `.expired`.
    ///
    /// A message that was sent over an earlier link and not acknowledged can be taken back too; the peer may have applied it.
    ///
    /// - Throws: `.noSuchMessage`; `.notCancelled` with the fate of one that was sent over the present link, or is done;
    ///   `.storage`; `.closed`.
    public nonisolated(nonsending) func cancel(_ number: MessageNumber) async throws(WormholeError) {
        try await call { machine throws(WormholeError) in try machine.cancel(number) }
    }

    /// A queued message to follow: its fate now, and each step to the final one.
    ///
    /// - Throws: as `fate(of:)`; `.closed`.
    public nonisolated(nonsending) func copy(of number: MessageNumber) async throws(WormholeError) -> MessageCopy {
        try await call { machine throws(WormholeError) in try machine.copy(of: number) }
    }

    // MARK: Listening

    /// The value that was last passed under a name by `.latest`, here or by any peer, as far as this side knows: the one that has
    /// arrived last. A peer's that is sent again after its restart keeps its place. Nil if there is none or it was cleared.
    ///
    /// - Throws: `.coding` if the value is of another type; `.storage`.
    public nonisolated(nonsending) func value<Message: Passable>(
        of type: Message.Type, under name: MessageName
    ) async throws(WormholeError) -> Message? {
        let payload = try await call { machine throws(WormholeError) in try machine.store.currentValue(under: name) }
        guard let payload else { return nil }
        return try MessageDecoder().decode(type, from: payload)
    }

    /// The messages under one name, from now on, in order. Any number of listeners may listen to a name, and each gets
    /// every message; a slow one misses none. What a restarted peer sends again is not heard again.
    ///
    /// A message of another type is skipped, with a line in the log. The sequence ends when the endpoint closes. A
    /// listener receives a message after it was applied: a program that must not lose one to its own crash applies it in
    /// the handler of its `MessageStore` instead.
    public nonisolated func messages<Message: Passable>(
        of type: Message.Type, under name: MessageName
    ) -> AsyncStream<Message> {
        heard.listen { [logger] message in
            guard message.name == name, message.act == .passed else { return nil }
            do throws(WormholeError) {
                return try message.decoded(as: type)
            } catch {
                // It was passed without a value, for listeners to notifications.
                if message.isNotification { return nil }
                logger.warning(
                    "message of another type", metadata: ["name": "\(name)", "error": "\(error)", "type": "\(type)"])
                return nil
            }
        }
    }

    /// The notifications under one name, from now on: who has passed no value under it. Several that come close together may be one.
    public nonisolated func notifications(under name: MessageName) -> AsyncStream<MessageOrigin> {
        heard.listen { message in message.name == name && message.isNotification ? message.origin : nil }
    }

    /// The messages under every name that begins with `prefix`, from now on, and each such name that was cleared; all names for the
    /// empty one.
    public nonisolated func messages(withPrefix prefix: String) -> AsyncStream<HeardMessage> {
        heard.listen { message in message.name.hasPrefix(prefix) ? message : nil }
    }

    // MARK: Peers

    /// Whether a peer can be reached now, and how that is known; `.neverConnected` for an unknown peer.
    public nonisolated(nonsending) func reachability(of peer: PeerIdentity) async -> PeerReachability {
        let known = try? await call { machine throws(WormholeError) in machine.reachability(of: peer) }
        return known ?? board.reachability(of: peer)
    }

    /// The reachability of every peer that has connected since the start, and then each change.
    public nonisolated func reachabilityChanges() -> AsyncStream<ReachabilityChange> { board.listen() }

    /// Whether a peer is connected, has applied everything that was issued to it, and has sent everything that it had
    /// when it connected. If it had a value that it does not send, because this side's value of the name has won, that is not
    /// known before it passes another one or connects anew.
    public nonisolated(nonsending) func isSynchronized(with peer: PeerIdentity) async -> Bool {
        let isKnown = try? await call { machine throws(WormholeError) in machine.isSynchronized(with: peer) }
        return isKnown ?? false
    }
}

// Messages that are answered at once, or not at all.
extension Wormhole {
    /// Runs tasks on the thread that serves the sockets of this process.
    ///
    /// A task that asks over them again and again may prefer it: `Task(executorPreference: Wormhole.socketExecutor) { … }`. Until
    /// such a task waits for something, nothing else arrives, so it must not block or compute for long; whatever it does besides
    /// asking is for another task.
    public static var socketExecutor: any TaskExecutor { SocketPoller.shared }

    /// Asks a peer something, and waits for its answer. The message is not stored, and not retried.
    ///
    /// - Parameters:
    ///   - message: encoded as CBOR by its `Codable` conformance.
    ///   - name: what the peer answers by.
    ///   - type: the type of the answer.
    ///   - peer: who is asked; a watch asks `.phone`.
    ///   - limit: the time for the answer, from the moment at which the peer is reachable.
    ///   - reach: whether to wait for the peer.
    /// - Throws: `.unreachable` at once, or when the time to wait for the peer is over, and if the link ends before the
    ///   answer; `.noAnswer`; `.messageTooLarge`; `.notTaken` by a peer that takes no such messages; `.tooManyOpen`; `.coding`;
    ///   `.cancelled` with the task; `.closed`.
    public nonisolated(nonsending) func ask<Message: Passable, Answer: Passable>(
        _ message: Message, under name: MessageName, for type: Answer.Type, of peer: PeerIdentity,
        within limit: Microseconds = .seconds(2), reaching reach: Reach = .now
    ) async throws(WormholeError) -> Answer {
        let value = try await ask(
            encoded: try MessageEncoder().encode(message), under: name, of: peer, within: limit, reaching: reach)
        return try MessageDecoder().decode(type, from: value)
    }

    /// Tells a peer something, and waits until it has been taken: the program that answers the name has returned.
    ///
    /// - Throws: as `ask`.
    public nonisolated(nonsending) func tell<Message: Passable>(
        _ message: Message, under name: MessageName, to peer: PeerIdentity, within limit: Microseconds = .seconds(2),
        reaching reach: Reach = .now
    ) async throws(WormholeError) {
        let payload = try MessageEncoder().encode(message)
        _ = try await ask(
            encoded: payload, under: name, of: peer, wish: .receipt, within: limit, reaching: reach)
    }

    /// Asks with a message that is encoded already: one CBOR data item, and so is the answer.
    nonisolated(nonsending) package func ask(
        encoded payload: [UInt8], under name: MessageName, of peer: PeerIdentity,
        wish: InteractiveHeader.Wish = .value, within limit: Microseconds, reaching reach: Reach
    ) async throws(WormholeError) -> [UInt8] {
        if case .within(let time) = reach, !board.reachability(of: peer).isReachable {
            try await wait(for: peer, time)
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

    /// Waits until a peer is reachable, or the time is over.
    private nonisolated func wait(for peer: PeerIdentity, _ limit: Microseconds) async throws(WormholeError) {
        let changes = reachabilityChanges()
        let deadline = clock.now + limit
        let clock = clock
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await change in changes where change.peer == peer && change.reachability.isReachable { return }
            }
            group.addTask { try? await clock.sleep(until: deadline) }
            await group.next()
            group.cancelAll()
        }
        if Task.isCancelled { throw .cancelled }
    }

    /// Answers everything that peers ask under a name, until the registration is ended.
    ///
    /// - Parameter body: gets the message and who asks. It runs for each message by itself, and begins on the endpoint's own thread,
    ///   which serves every link: what blocks or computes for long is for an actor or a
    ///   `@concurrent` function that it calls. One that takes longer than the asker waits is cancelled, and its answer dropped. What it throws is `.failed` for the asker, and a line in the log.
    /// - Throws: `.answered` if the name has an answerer already.
    public nonisolated func answer<Message: Passable, Answer: Passable>(
        _ name: MessageName, of type: Message.Type,
        with body: nonisolated(nonsending) @escaping @Sendable (Message, PeerIdentity) async throws -> Answer
    ) throws(WormholeError) -> AnswerRegistration {
        // A closure here would begin on another thread.
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

    /// Takes everything that peers tell under a name; an asker for a value gets `true`.
    public nonisolated func answer<Message: Passable>(
        _ name: MessageName, of type: Message.Type,
        with body: nonisolated(nonsending) @escaping @Sendable (Message, PeerIdentity) async throws -> Void
    ) throws(WormholeError) -> AnswerRegistration {
        try answer(name, of: type) { message, peer in
            try await body(message, peer)
            return true
        }
    }

    /// Answers everything that peers ask under a name, as it is encoded: one CBOR data item, as the answer is.
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
    /// Sends a file.
    ///
    /// It goes on over any number of links, from what the receiver has, until it has arrived, and never holds up a message: content
    /// goes out if nothing else waits. The file is read as it is sent, so it must stay as it is until the fate is final.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - label: what the receiver calls it.
    ///   - peer: who gets it; a watch sends to `.phone`.
    ///   - metadata: what is said about it, encoded by its `Codable` conformance; nil for nothing.
    /// - Throws: before anything is sent: `.notAFile`; `.fileTooLarge`; `.messageTooLarge` if label and metadata do not fit into a
    ///   frame that the peer takes; `.notTaken` by a peer that takes no files; `.unknownPeer`; `.queueFull`; `.coding`; `.system` if
    ///   the file cannot be read; `.storage`; `.closed`.
    public nonisolated func send<Metadata: Passable>(
        fileAt path: String, as label: FileLabel, to peer: PeerIdentity, metadata: Metadata?
    ) async throws(WormholeError) -> FileTransfer {
        var encoded: [UInt8]?
        if let metadata { encoded = try MessageEncoder().encode(metadata) }
        return try await send(fileAt: path, as: label, to: peer, encodedMetadata: encoded)
    }

    /// Sends a file about which there is nothing to say.
    public nonisolated func send(
        fileAt path: String, as label: FileLabel, to peer: PeerIdentity
    ) async throws(WormholeError) -> FileTransfer {
        try await send(fileAt: path, as: label, to: peer, metadata: Bool?.none)
    }

    /// Sends a file about which something is said that is encoded already: one CBOR data item.
    package nonisolated func send(
        fileAt path: String, as label: FileLabel, to peer: PeerIdentity, encodedMetadata metadata: [UInt8]?
    ) async throws(WormholeError) -> FileTransfer {
        try await call { machine throws(WormholeError) in try machine.checkFiles(to: peer) }
        let (length, hash) = try fileSystem.summary(of: path, upTo: configuration.largestFile)
        return try await call { machine throws(WormholeError) in
            try machine.send(fileAt: path, as: label, to: peer, length: length, hash: hash, metadata: metadata)
        }
    }

    /// The files that are on their way, oldest first, also those of an earlier run.
    public nonisolated(nonsending) func filesUnderWay() async throws(WormholeError) -> [FileTransfer] {
        // An endpoint that was not started learns of them from its store first.
        try await call { machine throws(WormholeError) in try machine.prepare() }
        return try await call { machine throws(WormholeError) in try machine.filesUnderWay() }
    }

    /// Receives files into a directory, until the reception is ended. If no program does, files are refused.
    ///
    /// A file has its name there once it is whole, and replaces none. What has arrived of others is in hidden files, from which the
    /// next link or run goes on; the directory is on a file system with hard links, as is every usual one of Linux.
    ///
    /// - Parameters:
    ///   - directory: where they are stored.
    ///   - count: the most files that are stored: further ones wait with their senders, for the next reception. Nil for any number.
    /// - Throws: `.receivesAlready`; `.system` if the directory cannot be read.
    public nonisolated func receiveFiles(
        into directory: String, atMost count: Int? = nil
    ) throws(WormholeError) -> FileReception {
        try receptions.begin(in: try FileDirectory(path: directory, system: fileSystem), atMost: count)
    }
}
