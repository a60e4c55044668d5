import Dispatch
import HostSystem
import Logging
import Synchronization
import WatchLink

/// The message bridge of a host program: passes values under names to the other side, and receives those of the other.
///
/// It works in either role, over any transport. A phone serves any number of watches, over one listener; a watch has
/// one peer, its phone, to which it connects, or which connects to its listener: then the newest channel counts. The store
/// keeps a message until it is applied, so an endpoint may be closed, or die, at any moment, and another over the same store
/// continues.
///
///     let store = try MessageStore(path: "messages.sqlite")
///     let listener = try UnixListener("watch.sock", in: directory)
///     let phone = Wormhole(.listens(listener), store: store, configuration: WormholeConfiguration(role: .phone))
///     try await phone.start()
///     try await phone.pass(shopping, under: "list", delivery: .queued)
///     for await check in phone.messages(of: Check.self, under: "check") { … }
///
/// An `EndpointMachine` decides everything. This gives it transports, time and a thread of its own, on which SQLite may wait for the
/// disk: what comes meanwhile is the next turn.
public final actor Wormhole {
    /// What waits for the next turn.
    private struct Inbox {
        var inputs: [@Sendable () -> EndpointInput] = []
        /// Whether a turn is under way or about to be.
        var isWorking = false
    }

    /// The most datagrams of a channel that wait for the next turn.
    private static let mostReceived = 16

    let source: ChannelSource
    nonisolated let store: any MessageStorage
    nonisolated let fileSystem: FileSystem
    nonisolated let configuration: WormholeConfiguration
    nonisolated let clock: any LinkClock
    nonisolated let logger: Logger
    nonisolated let heard = Broadcast<HeardMessage>()
    nonisolated let board = ReachabilityBoard()
    nonisolated let answerers = Answerers()
    nonisolated let receptions = FileReceptions()
    private nonisolated let executor = QueueExecutor()
    private nonisolated let fileQueue = DispatchQueue(label: "tapline.files")
    private nonisolated let inbox = Mutex(Inbox())
    /// The calls that a test makes fail: the endpoint's own thread knows nothing of the task that made it.
    private nonisolated let faults = SocketCalls.faults
    private let machine: EndpointMachine
    /// What the last turn has led to at once.
    private var own: [EndpointInput] = []
    private var channels: [ChannelNumber: any DatagramTransport] = [:]
    private var channelCount: ChannelNumber = 0
    private var answers: [PeerQuestion.ID: Task<Void, Never>] = [:]
    private var timer: (due: WatchLink.Instant, task: Task<Void, Never>)?
    /// What listens or connects.
    private var server: Task<Void, Never>?

    /// The endpoint's own thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// An endpoint. Nothing happens before `start()`.
    ///
    /// - Parameters:
    ///   - store: keeps its messages. One endpoint at a time uses it.
    ///   - logger: gets a line for each event on the links.
    public init(
        _ source: ChannelSource, store: MessageStore, configuration: WormholeConfiguration,
        clock: any LinkClock = SystemClock(), logger: Logger = Logger(label: "tapline.wormhole")
    ) {
        self.init(source, storage: store, configuration: configuration, clock: clock, logger: logger)
    }

    package init(
        _ source: ChannelSource, storage store: any MessageStorage, configuration: WormholeConfiguration,
        clock: any LinkClock = SystemClock(), logger: Logger = Logger(label: "tapline.wormhole"),
        fileSystem: FileSystem = FileSystem()
    ) {
        self.source = source
        self.store = store
        self.fileSystem = fileSystem
        self.configuration = configuration
        self.clock = clock
        let logger = logger.aboutPeers(clock)
        self.logger = logger
        let connects =
            switch source {
            case .listens: false
            case .connects: true
            }
        let way = WayBack()
        machine = EndpointMachine(
            connects: connects, store: store, configuration: configuration, logger: logger, fileSystem: fileSystem,
            board: board, receptions: receptions, entering: { body in await way.enter(body) })
        way.lead(to: self)
    }

    /// The endpoint, as objects find it that its program holds.
    private final class WayBack: Sendable {
        private struct Reference: Sendable { weak var endpoint: Wormhole? }

        private let reference = Mutex(Reference())

        func lead(to endpoint: Wormhole) { reference.withLock { $0.endpoint = endpoint } }

        func enter(_ body: @escaping @Sendable (EndpointMachine) throws(WormholeError) -> Void) async {
            try? await reference.withLock { $0.endpoint }?.call(body)
        }
    }

    /// Starts to listen or to connect, until `close()`. A second call does nothing.
    ///
    /// - Throws: what the store throws; `.closed` if it was closed before.
    public func start() async throws(WormholeError) {
        guard try await call({ machine throws(WormholeError) in try machine.start() }) else { return }
        if case .listens(let listener) = source { server = Task { await listen(to: listener) } }
    }

    /// Says goodbye to every peer, stops, and ends every sequence. Messages that were passed stay in the store.
    public func close() async {
        if case .listens(let listener) = source { listener.close() }
        server?.cancel()
        await withCheckedContinuation { continuation in
            enqueue { .always { machine in machine.close { continuation.resume() } } }
        }
        await server?.value
        server = nil
        timer?.task.cancel()
        timer = nil
        receptions.end()
        heard.finish()
        board.finish()
    }

    // MARK: Turns

    /// Has something happen in the next turn.
    package nonisolated func enqueue(_ input: @escaping @Sendable () -> EndpointInput) { enqueue([input]) }

    private nonisolated func enqueue(_ inputs: [@Sendable () -> EndpointInput]) {
        let isIdle = inbox.withLock { inbox in
            inbox.inputs += inputs
            defer { inbox.isWorking = true }
            return !inbox.isWorking
        }
        if isIdle { executor.queue.async { self.assumeIsolated { $0.work() } } }
    }

    /// Makes a call of the owner's a part of the next turn. Returns once that is committed.
    nonisolated(nonsending) package func call<Value: Sendable>(
        _ body: @escaping @Sendable (EndpointMachine) throws(WormholeError) -> Value
    ) async throws(WormholeError) -> Value {
        let outcome: Result<Value, WormholeError> = await withCheckedContinuation { continuation in
            enqueue {
                var value: Value?
                return EndpointInput {
                    machine, _ throws(WormholeError) in
                    value = try body(machine)
                } finish: { _, error in
                    continuation.resume(
                        returning: error.map(Result.failure) ?? value.map(Result.success) ?? .failure(.closed))
                }
            }
        }
        return try outcome.get()
    }

    private func work() {
        while let inputs = takeInputs() {
            machine.handle(inputs, at: clock.now)
            let actions = machine.release(at: clock.now)
            SocketCalls.$faults.withValue(faults) { for action in actions { perform(action) } }
        }
        setTimer()
    }

    /// What happens in the next turn; nil if nothing does.
    private func takeInputs() -> [EndpointInput]? {
        let isDue = !own.isEmpty || machine.due.map { $0 <= clock.now } ?? false
        let others: [@Sendable () -> EndpointInput]? = inbox.withLock { inbox in
            guard isDue || !inbox.inputs.isEmpty else {
                inbox.isWorking = false
                return nil
            }
            defer { inbox.inputs = [] }
            return inbox.inputs
        }
        defer { own = [] }
        return others.map { others in own + others.map { $0() } }
    }

    /// A timer that is set for earlier stays: it causes a turn too many, and then the next is set.
    private func setTimer() {
        guard let due = machine.due else { return }
        if let timer {
            guard due < timer.due else { return }
            timer.task.cancel()
        }
        timer = (
            due, Task.detached { [clock] in if (try? await clock.sleep(until: due)) != nil { await self.timePassed() } }
        )
    }

    private func timePassed() {
        timer = nil
        let isIdle = inbox.withLock { inbox in
            defer { inbox.isWorking = true }
            return !inbox.isWorking
        }
        if isIdle { work() }
    }

    private func perform(_ action: EndpointAction) {
        switch action {
        case .connect: connect()
        case .send(let datagram, let channel): send(datagram, over: channel)
        case .sendAtOnce(let datagram, let channel): _ = try? channels[channel]?.sendAtOnce(datagram)
        case .close(let channel): channels.removeValue(forKey: channel)?.close()
        case .heard(let message): heard.send(message)
        case .answer(let question): answer(question)
        case .dropAnswer(let question): answers[question]?.cancel()
        case .file(let job):
            fileQueue.async {
                let result = job.run()
                self.enqueue { .fileDone(result) }
            }
        }
    }

    private func send(_ datagram: [UInt8], over channel: ChannelNumber) {
        guard let transport = channels[channel] else { return }
        do throws(WormholeError) {
            if try transport.sendAtOnce(datagram) { return own.append(.sent(on: channel)) }
        } catch {
            return own.append(.always { $0.notSent(on: channel, error) })
        }
        Task.detached {
            do throws(WormholeError) {
                try await transport.send(datagram)
                self.enqueue { .sent(on: channel) }
            } catch {
                self.enqueue { .always { $0.notSent(on: channel, error) } }
            }
        }
    }

    private func answer(_ question: PeerQuestion) {
        guard let answerer = answerers[question.name] else {
            return own.append(.always { $0.answered(question.id, .failure(.nobody)) })
        }
        answers[question.id] = begin(answerer, question)
    }

    /// An answer that waits for nothing is made when this returns.
    private nonisolated func begin(_ answerer: @escaping Answerers.Answerer, _ question: PeerQuestion) -> Task<
        Void, Never
    > {
        Task.immediate {
            let outcome = await answerer(question.payload, question.peer)
            self.enqueue {
                .always { machine in
                    machine.answered(question.id, outcome)
                    self.assumeIsolated { $0.answers[question.id] = nil }
                }
            }
        }
    }

    // MARK: Channels

    private func listen(to listener: any TransportListener) async {
        await listener.acceptEach(clock) { error in
            logger.warning("a connection was not accepted", metadata: ["error": "\(error)"])
        } accepted: { transport, failures in
            if failures > 0 { logger.notice("connections are accepted again", metadata: ["failures": "\(failures)"]) }
            admit(transport)
        }
    }

    private func connect() {
        guard case .connects(let connector) = source else { return }
        server = Task {
            do throws(WormholeError) {
                admit(try await connector.connect())
            } catch {
                enqueue { .always { $0.notConnected(error) } }
            }
        }
    }

    private func admit(_ transport: any DatagramTransport) {
        channelCount += 1
        let number = channelCount
        channels[number] = transport
        enqueue {
            .on(number) { machine, _ throws(WormholeError) in
                try machine.opened(number, to: transport.peer, largestDatagram: transport.largestDatagram)
            }
        }
        Task(executorPreference: transport.arrivals) { await self.receive(from: transport, number) }
    }

    /// Receives from a channel to its end. What has arrived together is one turn, and what comes after it waits in the transport.
    private nonisolated func receive(from transport: any DatagramTransport, _ channel: ChannelNumber) async {
        var isOpen = true
        while isOpen {
            var inputs: [@Sendable () -> EndpointInput] = []
            do throws(WormholeError) {
                var datagram: [UInt8]? = try await transport.receive()
                while let received = datagram {
                    inputs.append { .received(received, on: channel) }
                    datagram = inputs.count < Wormhole.mostReceived ? try transport.receiveAtOnce() : nil
                }
            } catch {
                inputs.append { .ended(channel, error) }
                if case .datagramTooLong = error {} else { isOpen = false }
            }
            await withCheckedContinuation { continuation in
                enqueue(inputs + [{ .always { _ in continuation.resume() } }])
            }
        }
    }
}

/// A thread that runs one actor, for calls that wait for a disk.
private final class QueueExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "tapline.endpoint")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
