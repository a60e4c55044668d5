import PhoneHost
import WatchLink
import Wormhole

/// The program of a phone from its start to its end, which may be sudden.
final class HostRun {
    let process: DiskProcess
    let store: PhoneStore
    let server: PhoneServer
    let clock: WorldClock
    /// The failed writes that are counted already.
    var failuresNoted = 0
    private let listener = AirListener()
    private let changes = AirListener()
    private let control: AirListener?
    private let log: HostLog
    private let number: Int
    private var channels: [AirChannel] = []

    /// Opens the database and serves it.
    ///
    /// - Parameter control: where programs come that send files; nil where there are none.
    /// - Throws: what a person who starts the program reads.
    init(
        of phone: Phone, on disk: VirtualDisk, at now: Instant, pump: JobPump,
        wrapping: @escaping @Sendable (any MessageStorage) -> any MessageStorage, control: AirListener? = nil
    ) throws(PhoneError) {
        self.control = control
        process = DiskProcess()
        log = phone.log
        number = log.begin()
        clock = WorldClock()
        clock.advance(to: now)
        disk.process = process
        store = try PhoneStore(inMemory: phone.path, dependencies: phone.wallClock.dependencies)
        server = PhoneServer(
            store: store, watches: listener, changes: changes, sharing: control, name: phone.name, clock: clock,
            logger: log.logger(of: number), wrapping: wrapping)
        process.killed = { [log, number] in log.end(number) }
        let server = server
        let result: Result<Void, PhoneError>? = pump.result {
            do throws(PhoneError) { return .success(try await server.start()) } catch { return .failure(error) }
        }
        try result?.get()
    }

    /// A watch has connected.
    func open() -> AirChannel? {
        guard process.isRunning else { return nil }
        let channel = AirChannel()
        channels.removeAll { !$0.isOpen }
        channels.append(channel)
        listener.offer(channel)
        return channel
    }

    /// A program connects that sends a file; nil where it cannot.
    func openControl() -> AirChannel? {
        guard process.isRunning, let control else { return nil }
        let channel = AirChannel()
        control.offer(channel)
        return channel
    }

    /// A command changes the database while `change` runs.
    func announce(_ change: () -> Void) {
        guard process.isRunning else { return change() }
        let channel = AirChannel()
        changes.offer(channel)
        change()
        channel.end()
    }

    /// Ends the program as a signal does.
    func stop(_ pump: JobPump) {
        let (server, store) = (server, store)
        let isDone: Void? = pump.result {
            await server.stop()
            try? store.close()
        }
        if isDone == nil { kill(pump) } else { process.kill() }
    }

    /// The program is gone from one moment to the next. What is left of it in this process is cleared away, and changes
    /// nothing.
    func kill(_ pump: JobPump) {
        process.kill()
        for channel in channels { channel.close() }
        listener.close()
        changes.close()
        control?.close()
        let (server, store) = (server, store)
        Task.detached {
            await server.stop()
            try? store.close()
        }
        pump.run()
        clock.abandonSleepers()
        pump.run()
        try? store.close()
    }
}
