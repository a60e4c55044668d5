import Synchronization
import Watch
import WatchLink

package struct PhoneItem: Sendable, Equatable {
    /// The phone's number for it, not 0.
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
    /// When the phone's database had it.
    package var committed: Instant
}

/// A phone made of software, for tests and for the lab: a list, a queue for one watch, and a session, all in memory.
///
/// It does no input or output: `VirtualRadio` carries its datagrams. `ListFeed` computes what it sends, as on the real phone: the
/// same list and the same events give the same bytes.
@dynamicMemberLookup
package final class SimulatedPhone: VirtualPhone {
    private let state: Mutex<PhoneState>

    /// A phone with a list.
    ///
    /// - Parameters:
    ///   - name: the list's name.
    ///   - items: the list, in its order.
    ///   - seed: randomness for the phone's identity and epoch.
    package convenience init(list name: String, items: [PhoneItem], seed: UInt64 = 1) {
        let epoch = UInt32(truncatingIfNeeded: seed) | 1
        self.init(
            PhoneState(
                list: PhoneItems(name: name, items: items),
                LinkIdentity(role: .phone, identity: seed &* 0x9E37_79B9 | 1, epoch: epoch)))
    }

    /// A phone with the database of `phone`, and links of its own.
    package convenience init(restoredFrom phone: SimulatedPhone) {
        self.init(phone.state.withLock { $0 })
    }

    init(_ state: sending PhoneState) {
        self.state = Mutex(state)
    }

    /// A part of the phone's state now: its check-offs, waiting messages, heard messages.
    package subscript<Value: Sendable>(dynamicMember path: KeyPath<PhoneState, Value>) -> Value {
        state.withLock { $0[keyPath: path] }
    }

    /// A setting of the phone: the costs of its database, the delay of each transaction, or its wall clock. Its hello tells the
    /// watch that clock's time, and its messages use it. Faults other than the delay have no effect here.
    package subscript<Value: Sendable>(dynamicMember path: WritableKeyPath<PhoneState, Value>) -> Value {
        get { state.withLock { $0[keyPath: path] } }
        set { state.withLock { $0[keyPath: path] = newValue } }
    }

    /// Adds an item at the end of the list, or at `rank`: items are in the order of their ranks.
    package func add(_ item: PhoneItem, rank: UInt32? = nil) {
        state.withLock { $0.change { $0.add(item, rank: rank) } }
    }

    package func rename(_ id: UInt32, to title: String) {
        state.withLock { $0.change { $0.rename(id, to: title) } }
    }

    /// Removes an item from the list, as a check-off or a removal on the phone does.
    package func remove(_ id: UInt32) {
        state.withLock { $0.change { $0.remove(id) } }
    }

    /// Offers past items, likeliest first, instead of the earlier offers. Their numbers are reserved for them.
    package func offer(_ items: [PhoneItem]) {
        state.withLock { $0.change { $0.offer(items) } }
    }

    /// Sets a latest value for a program. An empty value clears it.
    package func pass(latest name: String, _ payload: [UInt8]) {
        state.withLock { $0.pass(latest: name, payload) }
    }

    package func pass(queued name: String, _ payload: [UInt8]) {
        state.withLock { $0.pass(queued: name, payload) }
    }

    /// Asks the watch a question for a program. `heard` gets the reply. The timeout is in milliseconds.
    package func ask(_ name: String, _ payload: [UInt8], timeout: UInt32) {
        state.withLock { $0.programs.ask(name, payload, timeout: timeout) }
    }

    /// Answers the watch's questions under a name from now on. `answer` returns nil for a failure.
    package func answer(_ name: String, with answer: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
        state.withLock { $0.programs.answer(name, with: answer) }
    }

    /// Sends a file for a program, to a watch that accepts files; with another watch it waits. Traps if another file has had its
    /// transfer number.
    package func send(_ file: PhoneFile) {
        state.withLock { $0.sending.send(file) }
    }

    /// Cancels a file for a program. A file that has ended stays as it is.
    package func cancelFile(transfer: UInt64) {
        state.withLock { $0.sending.cancel(transfer) }
    }

    /// Gives the complication this time line instead of the one from the list.
    package func send(timeline: [ComplicationEntry]) {
        state.withLock { $0.setTimeline(timeline) }
    }

    /// Pushes the complication: the watch at once shows the entries that it has. The phone has no budget for pushes here.
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

/// The next action of a phone on a virtual clock.
package enum PhoneAction {
    case send([UInt8])
    case close
    /// The caller asks again at this time, or after an event.
    case wait(until: Instant?)
}
