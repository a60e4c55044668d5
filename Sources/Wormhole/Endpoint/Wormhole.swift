import Dispatch
import HostSystem
import Logging
import Synchronization
import WatchLink

/// A host program's endpoint of the message bridge between a phone and its watches. It passes values under names to the other
/// side, and receives the other side's values.
///
/// A phone serves any number of watches over one listener. A watch has one peer, its phone. Either side may open the channel.
/// If a peer gets a second channel, the endpoint closes the first. The store keeps each queued message until the peer has
/// applied it. An endpoint can close or crash at any moment. A new endpoint with the same store continues its work.
///
/// ```
/// let store = try MessageStore(path: "messages.sqlite")
/// let listener = try UnixListener("watch.sock", in: directory)
/// let configuration = WormholeConfiguration(role: .phone)
/// let phone = Wormhole(.listens(listener), store: store, configuration: configuration)
/// try await phone.start()
/// try await phone.pass(shopping, under: "list", delivery: .queued)
/// for await check in phone.messages(of: Check.self, under: "check") { … }
/// ```
public final actor Wormhole {
    private struct Inbox {
        var inputs: [@Sendable () -> EndpointInput] = []
        var isWorking = false
    }

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
    /// The fault that a test has set for socket calls, copied when the endpoint is made. The original is a task-local value,
    /// which code on the endpoint's own thread does not see.
    private nonisolated let fault = SocketCalls.fault
    private let machine: EndpointMachine
    private var followUps: [EndpointInput] = []
    private var channels: [ChannelNumber: any DatagramTransport] = [:]
    private var channelCount: ChannelNumber = 0
    private var answers: [PeerQuestion.ID: Task<Void, Never>] = [:]
    private var timer: (due: WatchLink.Instant, task: Task<Void, Never>)?
    private var server: Task<Void, Never>?

    /// The executor that runs this actor on the endpoint's own thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Makes an endpoint, which does nothing before `start()`. Only one endpoint at a time may use a store.
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
        let reference = EndpointReference()
        machine = EndpointMachine(
            connects: connects, store: store, configuration: configuration, logger: logger, fileSystem: fileSystem,
            board: board, receptions: receptions, callMachine: { body in await reference.enter(body) })
        reference.set(self)
    }

    private final class EndpointReference: Sendable {
        private struct Contents: Sendable { weak var endpoint: Wormhole? }

        private let contents = Mutex(Contents())

        func set(_ endpoint: Wormhole) { contents.withLock { $0.endpoint = endpoint } }

        func enter(_ body: @escaping @Sendable (EndpointMachine) throws(WormholeError) -> Void) async {
            try? await contents.withLock { $0.endpoint }?.call(body)
        }
    }

    /// Starts to listen for peers or to connect to the peer, and continues until `close()`. A second call does nothing.
    ///
    /// - Throws: an error of the store; `.closed` after `close()`.
    public func start() async throws(WormholeError) {
        guard try await call({ machine throws(WormholeError) in try machine.start() }) else { return }
        if case .listens(let listener) = source { server = Task { await listen(to: listener) } }
    }

    /// Says goodbye to every peer, and closes all channels. Ends the streams of messages and of reachability, and the
    /// reception of files. Messages that were passed stay in the store.
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

    package nonisolated func enqueue(_ input: @escaping @Sendable () -> EndpointInput) { enqueue([input]) }

    private nonisolated func enqueue(_ inputs: [@Sendable () -> EndpointInput]) {
        if beginTurn(inputs) { executor.queue.async { self.assumeIsolated { $0.work() } } }
    }

    /// Adds inputs to the next turn (see `EndpointMachine`). Returns true if the caller must start that turn; false if a turn
    /// is already running or scheduled.
    private nonisolated func beginTurn(_ inputs: [@Sendable () -> EndpointInput] = []) -> Bool {
        inbox.withLock { inbox in
            inbox.inputs += inputs
            defer { inbox.isWorking = true }
            return !inbox.isWorking
        }
    }

    /// Runs a closure as one input of the next turn, and returns once that turn is committed.
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
            SocketCalls.$fault.withValue(fault) { for action in actions { perform(action) } }
        }
        setTimer()
    }

    /// Takes the inputs of the next turn out of the inbox. Returns nil if there are none and the machine's deadline has not
    /// passed.
    private func takeInputs() -> [EndpointInput]? {
        let isDue = !followUps.isEmpty || machine.due.map { $0 <= clock.now } ?? false
        let others: [@Sendable () -> EndpointInput]? = inbox.withLock { inbox in
            guard isDue || !inbox.inputs.isEmpty else {
                inbox.isWorking = false
                return nil
            }
            defer { inbox.inputs = [] }
            return inbox.inputs
        }
        defer { followUps = [] }
        return others.map { others in followUps + others.map { $0() } }
    }

    /// Sets a timer for the machine's deadline. If a timer is set for an earlier time, keeps that timer. The turn at the
    /// earlier time sets the next timer.
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
        if beginTurn() { work() }
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
            if try transport.sendAtOnce(datagram) { return followUps.append(.sent(on: channel)) }
        } catch {
            return followUps.append(.always { $0.notSent(on: channel, error) })
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
            return followUps.append(.always { $0.answered(question.id, .failure(.noListener)) })
        }
        answers[question.id] = begin(answerer, question)
    }

    /// Starts an answerer. If the answerer does not suspend, its answer is already enqueued when this returns.
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

    /// Passes the channel's datagrams to the machine until the channel ends. Up to 16 datagrams that have arrived together
    /// become the inputs of one turn.
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

/// Runs one actor on a serial queue of its own, because calls of the actor may block on the disk.
private final class QueueExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "tapline.endpoint")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
