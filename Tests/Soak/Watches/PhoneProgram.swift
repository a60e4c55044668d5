import PhoneHost
import WatchLink
import Wormhole

final class PhoneProgram: ComputerProgram {
    let process: DiskProcess
    let endpoint: AirEndpoint
    private let phone: PhoneMachine
    private let store: PhoneStore

    init(
        of computer: PhoneComputer, _ process: DiskProcess, _ clock: SimulationClock,
        wrapping: (any MessageStorage) -> any MessageStorage
    ) throws {
        self.process = process
        let (log, run) = (computer.log, computer.log.begin())
        process.killed = { log.end(run) }
        let store = try PhoneStore(inMemory: computer.path, dependencies: computer.wallClock.dependencies)
        self.store = store
        let logger = log.logger(of: run)
        var quiet = logger
        quiet.logLevel = .warning
        let events = PhoneEvents()
        let messages = PhoneMachine.messages(in: store, events)
        let machine = EndpointMachine(
            connects: false, store: wrapping(messages),
            configuration: PhoneMachine.configuration(of: store, named: computer.name), logger: quiet)
        endpoint = AirEndpoint(machine, of: process, clock)
        do {
            phone = try PhoneMachine(store, messages, events, on: machine, checkingEvery: nil, logger: logger)
            _ = try endpoint.call { machine throws(WormholeError) in try machine.start() }.get()
        } catch {
            try? store.close()
            throw error
        }
    }

    var connected: Set<PeerIdentity> { phone.connected }

    func open() -> AirChannel? {
        guard process.isRunning else { return nil }
        let channel = AirChannel()
        endpoint.accept(channel)
        return channel
    }

    func databaseChanged() {
        endpoint.add(.always { [phone] _ in phone.databaseChanged() })
    }

    var due: Instant? { endpoint.due }

    func step() -> Bool { endpoint.step() }

    func stop() {
        let isDone = endpoint.close()
        if isDone { try? store.close() }
        process.kill()
        discard()
    }

    func discard() {
        endpoint.abandon()
        try? store.close()
    }
}
