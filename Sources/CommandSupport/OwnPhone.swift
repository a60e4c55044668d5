import DeviceModel
import Foundation
import Logging
import PhoneHost
import Synchronization
import Watch
import WatchLink
import Wormhole

/// The phone that a script controls: its list in a `ScriptPhoneHost`, and its radio link to the watch.
package struct OwnPhone: ScriptPhone {
    package let host: ScriptPhoneHost
    let radio: VirtualRadio

    package init(host: ScriptPhoneHost, radio: VirtualRadio) {
        (self.host, self.radio) = (host, radio)
    }

    package func make(_ edit: ScriptPhoneEdit) throws(ScriptPhoneError) {
        do {
            try runBlocking { [self] in try await perform(edit) }
        } catch {
            throw ScriptPhoneError(reason: "\(error)")
        }
        host.databaseChanged()
        radio.runPhone()
    }

    private func perform(_ edit: ScriptPhoneEdit) async throws {
        switch edit {
        case .add(let title): try await host.store.add([ItemDraft(title: try CleanTitle(title))])
        case .check(let query): try await change(query) { .check(at: $0) }
        case .remove(let query): try await change(query) { .remove(at: $0) }
        }
    }

    private func change(_ query: String, _ action: @Sendable (Date) -> ListEdit.Action) async throws {
        let item = try ItemSelector(try await host.store.contents(), preferring: .open).item(query)
        switch try await host.store.apply(ListEdit(item: item.id, action: action(host.date)), origin: .command) {
        case .changed: break
        case .unchanged, .unknownItem: throw ScriptPhoneError(reason: "\"\(item.title)\" is checked off already")
        }
    }

    package func delivery(awaitingAbsent: Bool) -> ScriptDelivery { host.delivery(awaitingAbsent: awaitingAbsent) }

    package func left() throws(ScriptPhoneError) -> Int {
        do {
            return try runBlocking { [host] in try await host.store.contents().open.count }
        } catch {
            throw ScriptPhoneError(reason: "\(error)")
        }
    }
}

/// Runs the real phone on the virtual clock of a script's watch. Its database is in memory, and its work takes the time of the
/// profile.
package final class ScriptPhoneHost: VirtualPhone {
    fileprivate struct Contents {
        let machine: EndpointMachine
        let phone: PhoneMachine
        var channel: ChannelNumber = 0
        var link = Link.down
        /// The identity of the watch that connected last. After a reset a watch has a new identity, and the phone no longer
        /// waits for the old one.
        var newest: Set<PeerIdentity> = []
        var inputs: [EndpointInput] = []
        var database = PhoneDatabase<[UInt8]>()
        var outgoing: [[UInt8]] = []

        enum Link {
            case down, up
            /// The phone is closing the link.
            case closing
        }
    }

    private let contents: Mutex<Contents>
    let store: PhoneStore
    private let clock: VirtualClock
    private let start: LocalTime
    private let cost: PhoneCost
    private let faults: FaultSwitches

    /// Makes a phone without a list. Its wall clock shows `start` when the virtual clock is at 0.
    package init(clock: VirtualClock, start: LocalTime, cost: PhoneCost, faults: FaultSwitches) throws {
        (self.clock, self.start, self.cost, self.faults) = (clock, start, cost, faults)
        let random = Mutex(SplitMix64(seed: 1))
        store = try PhoneStore(
            inMemory: ":memory:",
            dependencies: PhoneDependencies(
                now: { ScriptPhoneHost.shown(start, clock) }, zone: { _ in 0 },
                random: { random.withLock { $0.next() } }))
        let events = PhoneEvents()
        let messages = PhoneMachine.messages(in: store, events)
        let logger = Logger(label: "tapline.script") { _ in SwiftLogNoOpLogHandler() }
        let machine = EndpointMachine(
            connects: false, store: messages, configuration: PhoneMachine.configuration(of: store, named: "Script"),
            logger: logger)
        let phone = try PhoneMachine(store, messages, events, on: machine, checkingEvery: nil, logger: logger)
        var contents = Contents(machine: machine, phone: phone)
        contents.inputs = [EndpointInput { machine, _ throws(WormholeError) in try machine.start() }]
        self.contents = Mutex(contents)
    }

    package func end() { try? store.close() }

    var date: Date { ScriptPhoneHost.shown(start, clock) }

    private static func shown(_ start: LocalTime, _ clock: VirtualClock) -> Date {
        Date(timeIntervalSince1970: Double(start.seconds) + Double(clock.now.microseconds) / 1_000_000)
    }

    /// Tells the phone that the script has changed its list.
    func databaseChanged() {
        contents.withLock { contents in
            contents.inputs.append(.always { [phone = contents.phone] _ in phone.databaseChanged() })
        }
    }

    /// How far the changes of the list have reached the watch; see `ScriptPhone`.
    package func delivery(awaitingAbsent: Bool) -> ScriptDelivery {
        contents.withLock { contents in
            guard contents.inputs.isEmpty, contents.phone.isSettled else { return .underWay }
            let (machine, connected) = (contents.machine, contents.phone.connected)
            let awaited = awaitingAbsent ? contents.newest : connected
            guard !awaited.isEmpty else { return .noWatch }
            let haveAll = awaited.allSatisfy { connected.contains($0) && machine.isSynchronized(with: $0) }
            return haveAll ? .arrived : .underWay
        }
    }

    // MARK: The link

    package func connected(at now: WatchLink.Instant, maximumSDU: Int) {
        contents.withLock { contents in
            contents.channel += 1
            contents.link = .up
            contents.database.run(at: now)
            contents.inputs.append(
                .on(contents.channel) { [channel = contents.channel] machine, _ throws(WormholeError) in
                    try machine.opened(channel, to: .unknown, largestDatagram: maximumSDU)
                })
        }
    }

    /// Drops messages whose transactions are not over. They were not acknowledged, so the watch sends them again.
    package func disconnected(at now: WatchLink.Instant) {
        contents.withLock { contents in
            contents.inputs.append(.ended(contents.channel, .closed))
            contents.link = .down
            contents.database.dropAll()
            contents.outgoing = []
        }
    }

    package func receive(_ datagram: [UInt8], at now: WatchLink.Instant) {
        let delay = faults.faults.phone
        contents.withLock { contents in
            guard let kind = datagram.first.map(FrameKind.init(rawValue:)), !kind.isControl else {
                return contents.inputs.append(.received(datagram, on: contents.channel))
            }
            contents.database.begin(datagram, taking: cost.transaction(rows: 0) + delay, cost, at: now)
        }
    }

    package func next(at now: WatchLink.Instant) -> PhoneAction {
        contents.withLock { contents in
            while true {
                if !contents.outgoing.isEmpty { return .send(contents.outgoing.removeFirst()) }
                if case .closing = contents.link { return .close }
                contents.endTransactions(at: now)
                let (machine, inputs) = (contents.machine, contents.inputs)
                let isDue = machine.due.map { $0 <= now } ?? false
                guard isDue || !inputs.isEmpty else {
                    return .wait(until: [machine.due, contents.database.nextEnd].compactMap(\.self).min())
                }
                contents.inputs = []
                machine.handle(inputs, at: now)
                let connected = contents.phone.connected
                if !connected.isEmpty { contents.newest = connected }
                for action in machine.release(at: now) { contents.perform(action) }
            }
        }
    }
}

extension ScriptPhoneHost.Contents {
    fileprivate mutating func endTransactions(at now: WatchLink.Instant) {
        while let transaction = database.ended(by: now) {
            inputs.append(
                .received(transaction.message, on: channel, heldFor: transaction.ends - transaction.arrived))
        }
    }

    fileprivate mutating func perform(_ action: EndpointAction) {
        switch action {
        case .send(let datagram, let number):
            guard number == channel, case .up = link else { return }
            outgoing.append(datagram)
            inputs.append(.sent(on: number))
        case .sendAtOnce(let datagram, let number):
            if number == channel, case .up = link { outgoing.append(datagram) }
        case .close(let number): if number == channel, case .up = link { link = .closing }
        case .answer(let question): inputs.append(.always { $0.answered(question.id, .failure(.noListener)) })
        case .file(let job):
            let result = job.run()
            inputs.append(.fileDone(result))
        // This phone only listens, and no other program follows its messages.
        case .connect, .heard, .dropAnswer: break
        }
    }
}
