/// Something that BlueZ does for this program until it ends: advertise, serve, ask it to compare digits.
///
/// It comes back by itself: where the bus, bluetoothd or the adapter goes away, it is registered again as soon as they are
/// there.
public final class BluetoothRegistration: Sendable {
    /// How it stands.
    public enum State: Hashable, Sendable {
        /// BlueZ does it.
        case active
        /// BlueZ does not, for this reason; it is tried again.
        case waiting(BluetoothError)
        /// It was ended.
        case ended
    }

    private let state: Published<State>
    private let work: Task<Void, Never>

    package init(state: Published<State>, work: Task<Void, Never>) {
        self.state = state
        self.work = work
    }

    deinit { work.cancel() }

    /// How it stands, now and whenever that changes.
    public func states() -> AsyncStream<State> { state.values() }

    /// Ends it, and returns when BlueZ has been told. The end of this object ends it too, a moment later.
    public func end() async {
        work.cancel()
        await work.value
        state.set(.ended)
    }
}
