import HostSystem

/// A service of BlueZ for this program until the registration ends: advertising, serving, or accepting pairings.
///
/// It renews itself: after the bus, bluetoothd or the adapter was gone, it is registered again as soon as they are back.
public final class BluetoothRegistration: Sendable {
    /// The state of a registration.
    public enum State: Hashable, Sendable {
        /// It is registered.
        case active
        /// It is not registered, for this reason; it is tried again.
        case waiting(BluetoothError)
        /// It has ended.
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

    /// Ends the registration and returns when BlueZ has confirmed that. Releasing this object ends it too, without that
    /// confirmation.
    public func end() async {
        work.cancel()
        await work.value
        state.set(.ended)
    }
}
