extension BlueZControl {
    /// Has bluetoothd do something until the registration ends, and tells it again whenever it has been away.
    ///
    /// - Throws: what `make` throws the first time.
    func register(
        _ make: @escaping @Sendable () async throws(BluetoothError) -> Void,
        undo: @escaping @Sendable () async -> Void
    ) async throws(BluetoothError) -> BluetoothRegistration {
        _ = try await link.tree()
        let run = link.now.runs
        try await make()
        let state = Published(BluetoothRegistration.State.active)
        let changes = link.changes()
        let work = Task {
            await BlueZControl.keep(state, through: changes, since: run, make)
            await undo()
        }
        return BluetoothRegistration(state: state, work: work)
    }

    /// Makes a registration again for every daemon that is met after the first, until the task is cancelled.
    private static func keep(
        _ state: Published<BluetoothRegistration.State>, through changes: AsyncStream<DaemonMachine>, since first: Int,
        _ make: @Sendable () async throws(BluetoothError) -> Void
    ) async {
        var run = first
        for await machine in changes {
            switch machine.state {
            case .looking, .loading: continue
            case .unreachable(let error): state.set(.waiting(error))
            case .absent: state.set(.waiting(.noDaemon))
            case .running:
                guard machine.runs != run else { continue }
                do throws(BluetoothError) {
                    try await make()
                    run = machine.runs
                    state.set(.active)
                } catch {
                    state.set(.waiting(error))
                }
            }
        }
    }
}
