/// Something that BlueZ does for this program until the registration ends: advertise, serve, ask it to compare digits.
///
/// It renews itself: when the bus, bluetoothd or the adapter goes away, it is registered again as soon as they are
/// back.
public final class BluetoothRegistration: Sendable {
    /// The state of a registration.
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

    /// The state now, and each later state.
    public func states() -> AsyncStream<State> { state.values() }

    /// Ends the registration and returns when BlueZ has confirmed that. Releasing this object ends it too, a moment
    /// later.
    public func end() async {
        work.cancel()
        await work.value
        state.set(.ended)
    }
}
