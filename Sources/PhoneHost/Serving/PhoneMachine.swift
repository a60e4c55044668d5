import Foundation
import GRDB
import HostSystem
import Logging
import Synchronization
import WatchLink
import Wormhole

/// Collects the events of the message store's transactions until the phone handles them.
package final class PhoneEvents: Sendable {
    private let events = Mutex<[MessageEvent]>([])

    package init() {}

    func report(_ event: MessageEvent) { events.withLock { $0.append(event) } }

    fileprivate func take() -> [MessageEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}

/// Decides what the phone does, without sockets, threads and clock: it queues rows for the watches, and handles their
/// messages.
///
/// `EndpointMachine` runs it in turns. Each turn handles all inputs that have arrived, in one transaction of the phone's
/// database.
package final class PhoneMachine: EndpointProgram {
    /// The watches that the next round brings up to date. A round is one transaction, which queues what these watches lack.
    private enum Due {
        case some(Set<PeerIdentity>)
        case everyone
    }

    private enum Plan {
        static let (round, retry, foreseen, check, publish) = ("round", "retry", "foreseen", "check", "publish")
    }

    /// The pause before a failed round is repeated. A person hardly notices it, but it lets another program release its
    /// lock on the database.
    private static let retryPause = Microseconds.seconds(1)

    private unowned let endpoint: EndpointMachine
    private let messages: MessageStore
    private let events: PhoneEvents
    private let dependencies: PhoneDependencies
    private let logger: Logger
    /// How often the phone checks whether another program has changed the database; nil for never.
    private let interval: Microseconds?
    private var version: Int64?
    package private(set) var connected: Set<PeerIdentity> = []
    private var notices = NewsRateLimit()
    private var due = Due.some([])
    private var wallClock = WallClockMoves()
    /// The callbacks to call when `isSettled` becomes true.
    private var settling: [() -> Void] = []

    package static func messages(in store: PhoneStore, _ events: PhoneEvents) -> MessageStore {
        MessageStore(store, report: { events.report($0) })
    }

    package static func configuration(of store: PhoneStore, named name: String) -> WormholeConfiguration {
        var configuration = WormholeConfiguration(role: .phone, name: name)
        configuration.kinds = LinkKinds.interactive.and(.files)
        let dependencies = store.dependencies
        configuration.localTime = { dependencies.localSeconds(dependencies.now()) }
        configuration.localDay = { dependencies.localDay }
        configuration.randomNumber = dependencies.random
        return configuration
    }

    /// Becomes the program of `endpoint`. `messages` must come from `messages(in:_:)` with the same `store` and `events`.
    /// The endpoint must use `messages` as its store, or a store that wraps `messages`.
    package init(
        _ store: PhoneStore, _ messages: MessageStore, _ events: PhoneEvents, on endpoint: EndpointMachine,
        checkingEvery interval: Microseconds?, logger: Logger
    ) throws(WormholeError) {
        self.endpoint = endpoint
        self.messages = messages
        self.events = events
        self.interval = interval
        self.logger = logger
        dependencies = store.dependencies
        if interval != nil { version = try readVersion() }
        endpoint.program = self
        planCheck()
    }

    // MARK: Events

    package func follow(_ changes: [ReachabilityChange]) {
        let events = events.take()
        for case .connecting(let watch) in events {
            logger.info("watch \(watch) is connecting", metadata: .about(watch))
        }
        for change in changes { handle(change) }
        for event in events { handle(event) }
        guard !settling.isEmpty, isSettled else { return }
        let settled = settling
        settling = []
        for tell in settled { tell() }
    }

    private func handle(_ change: ReachabilityChange) {
        switch change.reachability {
        case .reachable:
            connected.insert(change.peer)
            logger.info("watch \(change.peer) is connected", metadata: .about(change.peer))
            markDue(change.peer)
        case .unreachable(let end):
            guard connected.remove(change.peer) != nil else { return }
            logger.info("watch \(change.peer) disconnected: \(end.reason)", metadata: .about(change.peer))
        }
    }

    private func handle(_ event: MessageEvent) {
        switch event {
        case .connecting: break
        case .noticed(let news):
            guard notices.admit(news, at: endpoint.now) else { return }
            logger.warning("watch \(news.watch) \(news.notice)", metadata: .about(news.watch))
        case .due(let watch): markDue(watch)
        case .published:
            endpoint.plan(
                Plan.publish, at: endpoint.now,
                EndpointInput { machine, _ throws(WormholeError) in try machine.outgoingChanged() })
        case .applied(let message, let outcome, let title):
            log(message, outcome, title)
            listChanged()
        }
    }

    private func log(_ message: InboundMessage, _ outcome: ApplyOutcome, _ title: String?) {
        let subject = "watch \(message.peer), message \(message.sequence)"
        let about = Logger.Metadata.about(message.peer)
        switch (message.content, outcome) {
        case (.queued(MessageName(.check), _), .applied):
            logger.info("\(subject): checked off \"\(title ?? "")\"", metadata: about)
        case (.queued(MessageName(.check), _), .rejected(.refused)):
            logger.warning("\(subject): checked off an unknown item (kept in the history)", metadata: about)
        case (.queued(let name, _), .applied): logger.info("\(subject): \(name)", metadata: about)
        case (.queued(let name, _), .rejected(let reason)):
            logger.warning("\(subject): \(name) was rejected: \(reason.words)", metadata: about)
        case (.latest, _), (.cleared, _), (.nothing, _): logger.debug("\(subject)", metadata: about)
        }
    }

    // MARK: Rounds

    /// Plans to bring every connected watch up to date. One transaction handles changes that arrive together.
    package func listChanged() {
        due = .everyone
        planRound()
    }

    /// Plans to bring one watch up to date.
    private func markDue(_ watch: PeerIdentity) {
        if case .some(let watches) = due { due = .some(watches.union([watch])) }
        planRound()
    }

    /// Whether no round is planned. The retry after a failed round does not count.
    package var isSettled: Bool { !endpoint.isPlanned(Plan.round) }

    package func settle(_ done: @escaping () -> Void) {
        if isSettled { done() } else { settling.append(done) }
    }

    private func planRound() {
        endpoint.plan(
            Plan.round, at: endpoint.now,
            EndpointInput { [unowned self] _, _ throws(WormholeError) in
                try round()
            } finish: { [unowned self] _, error in
                if let error { roundFailed(error) }
            })
    }

    private func round() throws(WormholeError) {
        let due = due
        self.due = .some([])
        let watches: Set<PeerIdentity>
        switch due {
        case .everyone: watches = connected
        case .some(let some): watches = some.intersection(connected)
        }
        let round = try messages.write { [dependencies] db in
            try PhoneStore.FeedRound(db, for: watches, dependencies)
        }
        switch round.recipients {
        case nil: try endpoint.outgoingChanged()
        case let some? where some.count > 1: try endpoint.outgoingChanged()
        case let some?: for watch in some { try endpoint.outgoingChanged(for: .only(watch)) }
        }
        try cancelFilesOfForgottenWatches()
        endpoint.after { [self] in conclude(round, of: watches.count) }
    }

    private func conclude(_ round: PhoneStore.FeedRound, of watches: Int) {
        foresee(round.nextUpdate)
        if round.order == .sorted { listChanged() }
        for watch in round.forgotten {
            logger.info("watch \(watch) was forgotten", metadata: .about(watch))
            endpoint.disconnect(watch)
        }
        if round.queued > 0 {
            logger.debug(
                "queued \(CountText(round.queued, "message")) for \(CountText(watches, "watch", "watches"))")
        }
    }

    /// Plans another attempt to bring the watches up to date, because otherwise they would wait for the next change.
    private func roundFailed(_ error: WormholeError) {
        logger.error("the watches could not be brought up to date: \(error)")
        due = .everyone
        endpoint.plan(
            Plan.retry, at: endpoint.now + PhoneMachine.retryPause, .always { [unowned self] _ in listChanged() })
    }

    private func cancelFilesOfForgottenWatches() throws(WormholeError) {
        let files = try endpoint.filesUnderWay()
        guard !files.isEmpty else { return }
        let known = Set(try messages.peers())
        for file in files where !known.contains(file.peer) { try endpoint.cancelSending(file.number) }
    }

    /// Plans to bring the watches up to date when the wearer's clock shows `time`. The new plan replaces the earlier plan.
    ///
    /// The wearer may set the clock, so the phone reads the clock at least once a minute.
    ///
    /// - Parameter time: in local seconds since 1970; nil only removes the earlier plan.
    private func foresee(_ time: UInt32?) {
        guard let time else { return endpoint.unplan(Plan.foreseen) }
        let now = dependencies.localSeconds(dependencies.now())
        let pause = Microseconds.seconds(max(1, min(max(time, now) - now, 60)))
        endpoint.plan(
            Plan.foreseen, at: endpoint.now + pause,
            .always { [unowned self] _ in
                if dependencies.localSeconds(dependencies.now()) < time { foresee(time) } else { planRound() }
            })
    }

    // MARK: Other programs

    package func databaseChanged() {
        logger.info("a command has changed the database")
        if interval != nil { version = (try? readVersion()) ?? version }
        listChanged()
    }

    /// Reads SQLite's `data_version`, which changes only if another connection changes the database. Other programs have
    /// connections of their own.
    private func readVersion() throws(WormholeError) -> Int64? {
        try messages.read { try Int64.fetchOne($0, cached: "PRAGMA data_version") }
    }

    private func planCheck() {
        guard let interval else { return }
        endpoint.plan(
            Plan.check, at: endpoint.now + interval,
            .always { [unowned self] _ in
                check()
                planCheck()
            })
    }

    /// Brings the watches up to date if another program has changed the database, or if the wearer's clock was set.
    private func check() {
        // The published time line contains local times. If the wearer's clock was set, other entries may be needed.
        if wallClock.hasMoved(to: dependencies.localSeconds(dependencies.now()), at: endpoint.now) { planRound() }
        guard let present = try? readVersion(), present != version else { return }
        version = present
        logger.info("another program has changed the database")
        listChanged()
    }
}

/// Notices that the wearer has set the clock or changed the time zone.
struct WallClockMoves {
    /// What the clock showed at the last call of `hasMoved`, in local seconds since 1970, and the time of that call; nil
    /// before the first.
    private var last: (shown: UInt32, at: WatchLink.Instant)?

    /// The maximum difference between the clock's advance and the time that has passed, in seconds. If it is larger, the
    /// clock was set.
    private static let tolerance: Int64 = 60

    /// Whether the wearer has set the clock since the last call: the clock's advance differs from the time that has passed
    /// by more than `tolerance`. `shown` is what the clock shows, in local seconds since 1970.
    mutating func hasMoved(to shown: UInt32, at now: WatchLink.Instant) -> Bool {
        defer { last = (shown, now) }
        guard let last else { return false }
        let passed = Int64((now.microseconds - last.at.microseconds) / 1_000_000)
        return abs(Int64(shown) - Int64(last.shown) - passed) > WallClockMoves.tolerance
    }
}
