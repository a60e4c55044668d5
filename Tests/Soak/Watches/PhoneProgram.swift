import PhoneHost
import WatchLink
import Wormhole

/// The program of a phone.
final class PhoneProgram: ComputerProgram {
    let process: DiskProcess
    let server: PhoneServer
    private let store: PhoneStore
    private let clock: ProgramClock
    private let listener = AirListener()
    private let control = AirListener()
    private var channels: [AirChannel] = []

    /// Opens the database and serves it.
    ///
    /// - Throws: what a person who starts the program reads.
    init(
        of phone: PhoneComputer, _ process: DiskProcess, _ clock: ProgramClock, _ executor: SingleThreadExecutor,
        wrapping: @escaping @Sendable (any MessageStorage) -> any MessageStorage
    ) throws(PhoneError) {
        self.process = process
        self.clock = clock
        let (log, run) = (phone.log, phone.log.begin())
        store = try PhoneStore(inMemory: phone.path, dependencies: phone.wallClock.dependencies)
        server = PhoneServer(
            store: store, watches: listener, control: control, name: phone.name, clock: clock,
            logger: log.logger(of: run), wrapping: wrapping)
        process.killed = { log.end(run) }
        let server = server
        let result: Result<Void, PhoneError>? = executor.result {
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

    /// A program connects to the control socket; nil if it cannot.
    func openControl() -> AirChannel? {
        guard process.isRunning else { return nil }
        let channel = AirChannel()
        control.offer(channel)
        return channel
    }

    /// A command changes the database while `change` runs.
    func announce(_ change: () -> Void) {
        let channel = openControl()
        channel?.request(.changing)
        change()
        channel?.end()
    }

    func stop(_ executor: SingleThreadExecutor) {
        let (server, store) = (server, store)
        let isDone: Void? = executor.result {
            await server.stop()
            try? store.close()
        }
        process.kill()
        if isDone == nil { discard(executor) }
    }

    func discard(_ executor: SingleThreadExecutor) {
        for channel in channels { channel.close() }
        listener.close()
        control.close()
        let (server, store) = (server, store)
        Task.detached {
            await server.stop()
            try? store.close()
        }
        executor.run()
        while clock.abandonSleepers() { executor.run() }
        try? store.close()
    }
}
