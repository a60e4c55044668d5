import Synchronization
import Watch
import WatchLink

/// An item of a simulated phone's list.
package struct PhoneItem: Sendable, Equatable {
    /// The phone's number for it, not 0.
    package var id: UInt32
    package var title: String

    package init(id: UInt32, title: String) {
        self.id = id
        self.title = title
    }
}

/// A check-off as it reached a simulated phone.
package struct PhoneCheckOff: Sendable, Equatable {
    package var id: UInt32
    package var sequence: UInt32
    package var time: Instant
    /// When it was in the phone's database.
    package var committed: Instant
}

/// A phone made of software, for tests and for the lab: a list, a queue for one watch, and a session, all in memory.
///
/// It does no input or output: `VirtualRadio` carries its datagrams. What it sends is computed by `ListFeed`, as on the
/// real phone: the same list and the same events give the same bytes.
@dynamicMemberLookup
package final class SimulatedPhone: VirtualPhone {
    private let state: Mutex<PhoneState>

    /// A phone of this identity; see `PhoneState`.
    package init(list name: String, items: [PhoneItem], identity: LinkIdentity) {
        state = Mutex(PhoneState(list: PhoneItems(name: name, items: items), identity))
    }

    /// A phone with a list.
    ///
    /// - Parameters:
    ///   - name: the list's name.
    ///   - items: the list, in its order.
    ///   - seed: randomness for the phone's identity and epoch.
    package init(list name: String, items: [PhoneItem], seed: UInt64 = 1) {
        state = Mutex(PhoneState(name: name, items: items, seed: seed))
    }

    /// A phone with the same database, whose links are its own.
    package convenience init(restoredFrom phone: SimulatedPhone) {
        self.init(phone.state.withLock { $0 })
    }

    private init(_ state: sending PhoneState) {
        self.state = Mutex(state)
    }

    /// What it is like now: its check-offs, what waits, what it has heard.
    package subscript<Value: Sendable>(dynamicMember path: KeyPath<PhoneState, Value>) -> Value {
        state.withLock { $0[keyPath: path] }
    }

    /// What it takes from now on: the costs of its database, the delay of each transaction, and its wall clock, which its hello tells
    /// the watch and its messages count by. The other faults have no effect here.
    package subscript<Value: Sendable>(dynamicMember path: WritableKeyPath<PhoneState, Value>) -> Value {
        get { state.withLock { $0[keyPath: path] } }
        set { state.withLock { $0[keyPath: path] = newValue } }
    }

    /// Adds an item at the end of the list, or where `rank` says: items are in the order of their ranks.
    package func add(_ item: PhoneItem, rank: UInt32? = nil) {
        state.withLock { $0.change { $0.add(item, rank: rank) } }
    }

    package func rename(_ id: UInt32, to title: String) {
        state.withLock { $0.change { $0.rename(id, to: title) } }
    }

    /// Takes an item off the list, as if it was checked off or removed on the phone.
    package func remove(_ id: UInt32) {
        state.withLock { $0.change { $0.remove(id) } }
    }

    /// Offers past items, likeliest first, in the place of those before. Their numbers are reserved for them.
    package func offer(_ items: [PhoneItem]) {
        state.withLock { $0.change { $0.offer(items) } }
    }

    /// A program passes a latest value; no bytes clear it.
    package func pass(latest name: String, _ payload: [UInt8]) {
        state.withLock { $0.pass(latest: name, payload) }
    }

    /// A program passes a queued message.
    package func pass(queued name: String, _ payload: [UInt8]) {
        state.withLock { $0.pass(queued: name, payload) }
    }

    /// A program asks the watch something; the reply is `heard`.
    package func ask(_ name: String, _ payload: [UInt8], patience: UInt32) {
        state.withLock { $0.programs.ask(name, payload, patience: patience) }
    }

    /// A program answers what the watch asks under a name from now on; nil is a failure.
    package func answer(_ name: String, with answer: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
        state.withLock { $0.programs.answer(name, with: answer) }
    }

    /// A program sends a file, to a watch that takes files: the others leave it waiting. Traps where another file has had its
    /// transfer.
    package func send(_ file: PhoneFile) {
        state.withLock { $0.sending.send(file) }
    }

    /// A program cancels a file; one that has ended stays as it is.
    package func cancelFile(transfer: UInt64) {
        state.withLock { $0.sending.cancel(transfer) }
    }

    /// Gives the complication this time line in place of the one that is made from the list.
    package func send(timeline: [ComplicationEntry]) {
        state.withLock { $0.setTimeline(timeline) }
    }

    /// Pushes the complication: the watch shows what it has at once. No budget is kept here.
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

/// What a phone on a virtual clock wants done.
package enum PhoneAction {
    case send([UInt8])
    case close
    /// Ask again at this time, or when something has happened.
    case wait(until: Instant?)
}
