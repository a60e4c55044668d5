import Logging
import Synchronization
import WatchLink
import Wormhole

/// The program of one end from its start to its end, which may be sudden.
final class EndRun {
    /// What of the world a program has.
    struct Surroundings {
        let end: WormholeEnd
        let path: String
        let folder: FileFolder
        let facts: DeliveryFacts
        let log: HostLog
        let parts: DeliveryParts
        let random: DrawnNumbers
        let day: SharedDay
        /// A channel to the other end, for the one that connects; nil where nobody is in reach.
        let connect: () -> AirChannel?
    }

    /// The most messages of an inbox: more than a plan has.
    private static let mostKept = 1_000
    /// How many complication messages an end may pass on a day: few enough that plans spend them.
    static let complicationsADay = 3

    let process = DiskProcess()
    let clock = WorldClock()
    let program: EndProgram
    let files: FileCalls
    /// The failed writes that are counted already.
    var failuresNoted = 0
    private let listener = AirListener()
    private let channels: Channels

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

    /// A world and its programs run on one thread, so whoever gets this is on it.
    private struct Box: @unchecked Sendable {
        let process: DiskProcess
    }

    /// Opens the store and starts the endpoint.
    ///
    /// - Throws: what a person who starts the program reads.
    init(_ outside: Surroundings, on disk: VirtualDisk, at now: Instant, pump: JobPump) throws(WormholeError) {
        clock.advance(to: now)
        let logRun = outside.log.begin()
        let witness = Witness(outside.end, clock, outside.facts)
        let channels = Channels()
        self.channels = channels
        let files = FileCalls(killed: { [box = Box(process: process)] in box.process.kill() })
        self.files = files
        process.killed = { [log = outside.log] in
            log.end(logRun)
            witness.goes()
            channels.close()
            files.kill()
        }
        disk.process = process
        let store = try MessageStore(
            inMemory: outside.path, keeping: EndRun.mostKept)
        var logger = outside.log.logger(of: logRun)
        logger.logLevel = .warning
        let source: ChannelSource =
            switch outside.end {
            case .phone: .listens(listener)
            case .watch: .connects(AirConnector(outside.connect))
            }
        let wormhole = Wormhole(
            source, storage: outside.parts.store(store), configuration: EndRun.configuration(outside), clock: clock,
            logger: logger, fileSystem: files.fileSystem)
        program = EndProgram(
            end: outside.end, wormhole: wormhole, store: store, witness: witness, clock: clock)
        let (program, directory) = (program, outside.folder.incoming)
        let started: Result<Void, WormholeError>? = pump.result {
            do throws(WormholeError) { return .success(try await program.start(in: directory)) } catch {
                return .failure(error)
            }
        }
        try started?.get()
    }

    private static func configuration(_ outside: Surroundings) -> WormholeConfiguration {
        let role: LinkRole =
            switch outside.end {
            case .phone: .phone
            case .watch: .watch
            }
        var configuration = WormholeConfiguration(role: role, name: outside.end.rawValue)
        configuration.complicationsADay = complicationsADay
        configuration.randomNumber = { [random = outside.random] in random.next() }
        configuration.localDay = { [day = outside.day] in day.value }
        // Nobody waits a minute in a plan of some seconds.
        configuration.longestPause = .seconds(4)
        configuration.unwantedPause = .seconds(8)
        return configuration
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

    /// Ends the program as a signal does.
    func stop(_ pump: JobPump) {
        let program = program
        let isDone: Void? = pump.result {
            await program.wormhole.close()
            await program.store.close()
        }
        if isDone == nil { kill(pump) } else { process.kill() }
    }

    /// The program is gone from one moment to the next. What is left of it in this process is cleared away, and changes nothing.
    func kill(_ pump: JobPump) {
        process.kill()
        listener.close()
        let program = program
        Task.detached {
            await program.wormhole.close()
            await program.store.close()
        }
        pump.run()
        while clock.nextDeadline != nil {
            clock.abandonSleepers()
            pump.run()
        }
        // The files know the process, and it them.
        process.killed = {}
    }
}

/// The random numbers of the programs of a world.
final class DrawnNumbers: Sendable {
    private let generator: Mutex<SplitMix64>

    init(seed: UInt64) { generator = Mutex(SplitMix64(seed: seed)) }

    func next() -> UInt64 { generator.withLock { $0.next() } }
}

/// The local day of a world, counted from 1970-01-01.
final class SharedDay: Sendable {
    private let day = Mutex<UInt32>(20_000)

    var value: UInt32 { day.withLock { $0 } }

    func move(by days: Int) { day.withLock { $0 = UInt32(clamping: Int($0) + days) } }
}
