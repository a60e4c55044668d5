import Logging
import Synchronization
import WatchLink
import Wormhole

/// The program of one end, from its start to its end.
final class EndProgram: ComputerProgram {
    /// The most messages of an inbox: more than a plan has.
    private static let mostKept = 1_000
    /// How many complication messages an end may pass on a day: few enough that plans spend them.
    static let complicationsADay = 3

    let process: DiskProcess
    let handler: EndHandler
    private let clock: ProgramClock
    private let listener = AirListener()
    private let channels = Channels()

    /// The channels of a program, which end when it is killed: what it would still say is not heard.
    private final class Channels: Sendable {
        private let open = Mutex<[AirChannel]>([])

        func add(_ channel: AirChannel) {
            open.withLock { open in
                open.removeAll { !$0.isOpen }
                open.append(channel)
            }
        }

        func close() {
            for channel in open.withLock({ $0 }) { channel.close() }
        }
    }

    /// Opens the store and starts the endpoint.
    ///
    /// - Parameter connect: a channel to the other end, for the one that connects; nil if that is not in reach.
    /// - Throws: what a person who starts the program reads.
    init(
        of side: DeliveryScenario.Machine, _ process: DiskProcess, _ clock: ProgramClock,
        _ executor: SingleThreadExecutor, seenBy facts: DeliveryFacts,
        store wrapping: @Sendable (any MessageStorage) -> any MessageStorage, connect: @escaping () -> AirChannel?
    ) throws(WormholeError) {
        (self.process, self.clock) = (process, clock)
        let (log, logRun) = (side.log, side.log.begin())
        let recorder = FactRecorder(side.end, clock, facts)
        process.killed = { [channels] in
            log.end(logRun)
            recorder.end()
            channels.close()
        }
        let random = { @Sendable [wallClock = side.wallClock] in wallClock.next() }
        let store = try MessageStore(inMemory: side.path, keeping: EndProgram.mostKept)
        var logger = log.logger(of: logRun)
        logger.logLevel = .warning
        var configuration: WormholeConfiguration
        let source: ChannelSource
        switch side.end {
        case .phone:
            configuration = WormholeConfiguration(role: .phone, name: "phone")
            source = .listens(listener)
        case .watch:
            configuration = WormholeConfiguration(role: .watch, name: "watch")
            source = .connects(AirConnector(connect))
        }
        configuration.complicationsADay = EndProgram.complicationsADay
        configuration.randomNumber = random
        configuration.localDay = { [wallClock = side.wallClock] in wallClock.day }
        // A minute is longer than a plan.
        configuration.longestPause = .seconds(4)
        configuration.unwantedPause = .seconds(8)
        let wormhole = Wormhole(
            source, storage: wrapping(store), configuration: configuration, clock: clock, logger: logger,
            fileSystem: process.fileSystem)
        handler = EndHandler(end: side.end, wormhole: wormhole, store: store, recorder: recorder, clock: clock)
        let (handler, directory) = (handler, side.folder.incoming)
        let started: Result<Void, WormholeError>? = executor.result {
            do throws(WormholeError) { return .success(try await handler.start(in: directory)) } catch {
                return .failure(error)
            }
        }
        try started?.get()
    }

    /// A channel of this program's to the other end.
    func open(_ channel: AirChannel) {
        channels.add(channel)
    }

    /// The other end has connected.
    func offer(_ channel: AirChannel) {
        open(channel)
        listener.offer(channel)
    }

    func stop(_ executor: SingleThreadExecutor) {
        let handler = handler
        let isDone: Void? = executor.result { await handler.close() }
        process.kill()
        if isDone == nil { discard(executor) }
    }

    func discard(_ executor: SingleThreadExecutor) {
        listener.close()
        let handler = handler
        Task.detached { await handler.close() }
        executor.run()
        while clock.abandonSleepers() { executor.run() }
    }
}
