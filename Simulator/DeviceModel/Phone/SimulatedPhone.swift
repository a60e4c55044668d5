import Synchronization
import Watch
import WatchLink

package struct PhoneItem: Sendable, Equatable {
    /// The item's ID in the phone's database, not 0.
    package var id: UInt32
    package var title: String

    package init(id: UInt32, title: String) {
        self.id = id
        self.title = title
    }
}

package struct PhoneCheckOff: Sendable, Equatable {
    package var id: UInt32
    package var sequence: UInt32
    package var time: Instant
    /// The time at which the phone's database had the check-off.
    package var committed: Instant
}

/// A simulated phone for tests and for the lab: a list, a message queue for one watch, and a session, all in memory.
///
/// The phone performs no I/O: `VirtualRadio` carries its datagrams. `ListFeed` computes what it sends, as on the real phone.
/// The same list and events always give the same bytes.
@dynamicMemberLookup
package final class SimulatedPhone: VirtualPhone {
    private let state: Mutex<PhoneState>

    /// Creates a phone with a list.
    ///
    /// - Parameters:
    ///   - name: the list's name.
    ///   - items: the items, in the order of the list.
    ///   - seed: seeds the phone's identity and epoch.
    package convenience init(list name: String, items: [PhoneItem], seed: UInt64 = 1) {
        let epoch = UInt32(truncatingIfNeeded: seed) | 1
        self.init(
            PhoneState(
                list: PhoneItems(name: name, items: items),
                LinkIdentity(role: .phone, identity: seed &* 0x9E37_79B9 | 1, epoch: epoch)))
    }

    /// Creates a phone with the data of another one, but without its links, as if restored from a backup.
    package convenience init(restoredFrom phone: SimulatedPhone) {
        self.init(phone.state.withLock { $0 })
    }

    init(_ state: PhoneState) {
        self.state = Mutex(state)
    }

    /// Reads a part of the phone's state, such as its check-offs or heard messages.
    package subscript<Value: Sendable>(dynamicMember path: KeyPath<PhoneState, Value>) -> Value {
        state.withLock { $0[keyPath: path] }
    }

    /// Changes the phone: its list, messages, files or settings. `VirtualRadio.runPhone` then sends what follows. `body` must not
    /// read this phone except through its argument.
    package func change(_ body: (inout PhoneState) -> Void) {
        state.withLock { body(&$0) }
    }

    package func connected(at now: Instant, maximumSDU: Int) {
        state.withLock { $0.connected(at: now, maximumSDU: maximumSDU) }
    }

    package func disconnected(at now: Instant) {
        state.withLock { $0.disconnected(at: now) }
    }

    package func receive(_ datagram: [UInt8], at now: Instant) {
        state.withLock { $0.receive(datagram, at: now) }
    }

    package func next(at now: Instant) -> PhoneAction {
        state.withLock { $0.next(at: now) }
    }
}

/// What a phone on a virtual clock does next.
package enum PhoneAction {
    case send([UInt8])
    case close
    /// The caller calls `next` again at this time or after an event. Nil means only after an event.
    case wait(until: Instant?)
}
