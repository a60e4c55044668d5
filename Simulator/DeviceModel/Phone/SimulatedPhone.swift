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

    init(_ state: sending PhoneState) {
        self.state = Mutex(state)
    }

    /// Reads a part of the phone's state, such as its check-offs or heard messages.
    package subscript<Value: Sendable>(dynamicMember path: KeyPath<PhoneState, Value>) -> Value {
        state.withLock { $0[keyPath: path] }
    }

    /// Reads or changes a setting of the phone: the costs of its database, its faults or its calendar. Of the faults, only the
    /// delay of transactions has an effect. The phone uses the calendar in its messages, and tells the watch its time.
    package subscript<Value: Sendable>(dynamicMember path: WritableKeyPath<PhoneState, Value>) -> Value {
        get { state.withLock { $0[keyPath: path] } }
        set { state.withLock { $0[keyPath: path] = newValue } }
    }

    /// Adds an item at the end of the list, or at `rank`. The list is sorted by rank.
    package func add(_ item: PhoneItem, rank: UInt32? = nil) {
        state.withLock { $0.change { $0.add(item, rank: rank) } }
    }

    package func rename(_ id: UInt32, to title: String) {
        state.withLock { $0.change { $0.rename(id, to: title) } }
    }

    /// Removes an item from the list, as if it was checked off or removed on the phone.
    package func remove(_ id: UInt32) {
        state.withLock { $0.change { $0.remove(id) } }
    }

    /// Offers these past items instead of the earlier ones, most likely first. New items must not use their IDs.
    package func offer(_ items: [PhoneItem]) {
        state.withLock { $0.change { $0.offer(items) } }
    }

    /// Sets a latest value for a program. An empty payload clears the value.
    package func pass(latest name: String, _ payload: [UInt8]) {
        state.withLock { $0.pass(latest: name, payload) }
    }

    package func pass(queued name: String, _ payload: [UInt8]) {
        state.withLock { $0.pass(queued: name, payload) }
    }

    /// Asks the watch a question for a program. The reply appears in `heard`. The timeout is in milliseconds.
    package func ask(_ name: String, _ payload: [UInt8], timeout: UInt32) {
        state.withLock { $0.programs.ask(name, payload, timeout: timeout) }
    }

    /// Answers the watch's questions under a name from now on. If `answer` returns nil, the question fails.
    package func answer(_ name: String, with answer: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
        state.withLock { $0.programs.answer(name, with: answer) }
    }

    /// Sends a file for a program. The phone keeps it until a watch accepts files. Traps if another file has used its transfer
    /// number.
    package func send(_ file: PhoneFile) {
        state.withLock { $0.sending.send(file) }
    }

    /// Cancels a file for a program. Does nothing if the transfer has ended.
    package func cancelFile(transfer: UInt64) {
        state.withLock { $0.sending.cancel(transfer) }
    }

    /// Sends the complication these entries instead of those computed from the list.
    package func send(timeline: [ComplicationEntry]) {
        state.withLock { $0.setTimeline(timeline) }
    }

    /// Makes the watch show at once the complication's entries that it has. A real phone has a daily budget for this; this one
    /// has none.
    package func pushComplication() {
        state.withLock { $0.pushComplication() }
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
