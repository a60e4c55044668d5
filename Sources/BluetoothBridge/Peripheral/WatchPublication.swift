/// A watch that phones can find, until this ends.
public final class WatchPublication: Sendable {
    private let serving: BluetoothRegistration
    private let work: Task<Void, Never>

    init(serving: BluetoothRegistration, work: Task<Void, Never>) {
        self.serving = serving
        self.work = work
    }

    deinit { work.cancel() }

    /// Withdraws the watch and returns when BlueZ has confirmed that.
    public func end() async {
        work.cancel()
        await work.value
        await serving.end()
    }
}
