import HostSystem
import Logging
import WatchLink
import Wormhole

/// Serves any number of watches from one database. A change made by a watch, a command or the phone's own view reaches
/// all the others at once.
///
/// A message of a watch, the end of a `ChangeNotifier` and an edit in the view each bring the connected watches up to date,
/// and so does a change that a look at the database finds. A watch that is not connected is brought up to date when it
/// connects, so nothing is queued for it in the meantime.
public final actor PhoneServer {
    private enum Life {
        case new
        case serving([Task<Void, Never>], looking: Task<Void, Never>?)
        case stopped
    }

    /// How a server learns of changes that other programs make.
    package enum Noticing: Sendable {
        /// By what they say over the control socket alone.
        case announced
        /// By looking at the database too, this often: a program that was given another directory of sockets, or none, says
        /// nothing.
        case looked(every: Microseconds)
    }

    /// Whether the watches are being brought up to date.
    private enum Upkeep {
        case idle
        case working
        /// Something has changed since the present round began, so another follows.
        case behind

        var isIdle: Bool {
            switch self {
            case .idle: true
            case .working, .behind: false
            }
        }

        var isBehind: Bool {
            switch self {
            case .idle, .working: false
            case .behind: true
            }
        }
    }

    /// Whom the next round brings up to date.
    private enum Due {
        case some(Set<PeerIdentity>)
        case everyone
    }

    /// Pause after a failure before the next attempt: short for a person, long compared with an attempt to read a database
    /// that is still locked.
    private static let retryPause = Microseconds.seconds(1)

    private let store: PhoneStore
    private let endpoint: Wormhole
    private let control: ControlServer
    private let logger: Logger
    private let clock: any LinkClock
    private let noticing: Noticing
    /// The version of the database that the watches were last brought up to date with.
    private var version: Int64?
    private let events: AsyncStream<MessageEvent>
    private let eventSource: AsyncStream<MessageEvent>.Continuation
    private var connected: Set<PeerIdentity> = []
    private var notices = NewsRateLimit()
    private var life = Life.new
    private let upkeep = WaitableState(Upkeep.idle)
    private var due = Due.some([])
    /// The round that time itself makes necessary; nil where none is foreseen.
    private var foreseen: Task<Void, Never>?
    private var wallClock = WallClockMoves()
    private var view: PhoneList?

    /// A server with one listener for watches and another for control. Nothing happens before `start()`.
    ///
    /// - Parameters:
    ///   - store: the database. One server at a time uses it.
    ///   - name: the name of the phone that watches show; cut after 32 bytes.
    ///   - noticing: how the server learns of changes that other programs make.
    ///   - clock: the time of the link's timers.
    ///   - logger: receives one line for each event.
    ///   - wrapping: what stands between the links and the store of their messages, for a test that breaks it.
    package init(
        store: PhoneStore, watches: any TransportListener, control: any TransportListener, name: String = "",
        noticing: Noticing = .announced, clock: any LinkClock = SystemClock(),
        logger: Logger = Logger(label: "tapline.phone"),
        wrapping: @Sendable (any MessageStorage) -> any MessageStorage = { $0 }
    ) {
        self.store = store
        self.noticing = noticing
        let logger = logger.aboutPeers(clock)
        self.logger = logger
        self.clock = clock
        // What goes costs a line of the log; any one that stays brings the watches up to date.
        (events, eventSource) = AsyncStream.makeStream(
            of: MessageEvent.self, bufferingPolicy: .bufferingNewest(1_024))
        var configuration = WormholeConfiguration(role: .phone, name: name)
        configuration.kinds = LinkKinds.interactive.and(.files)
        let dependencies = store.dependencies
        configuration.localTime = { dependencies.localSeconds(dependencies.now()) }
        configuration.localDay = { dependencies.localDay }
        configuration.randomNumber = dependencies.random
        var quiet = logger
        // The server logs what happens on the links itself.
        quiet.logLevel = max(logger.logLevel, .warning)
        let messages = MessageStore(store, report: { [eventSource] in eventSource.yield($0) })
        endpoint = Wormhole(
            .listens(watches),
            storage: wrapping(messages), configuration: configuration, clock: clock, logger: quiet)
        let endpointControl = EndpointControl(endpoint, inbox: messages)
        self.control = ControlServer(control, clock: clock, logger: logger) {
            [eventSource] request, exchange throws(WormholeError) in
            guard case .changing = request else { return try await endpointControl.perform(request, exchange) }
            for await _ in exchange.further {}
            eventSource.yield(.changed)
        }
    }

    /// A server on this machine's sockets.
    ///
    /// - Parameter others: further listeners for watches, such as Bluetooth.
    public init(
        store: PhoneStore, sockets: PhoneSockets, others: [any TransportListener] = [], name: String = "",
        logger: Logger = Logger(label: "tapline.phone")
    ) {
        let watches: any TransportListener =
            others.isEmpty ? sockets.watches : MergedListener([sockets.watches] + others)
        self.init(
            store: store, watches: watches, control: sockets.control, name: name,
            noticing: .looked(every: .seconds(1)), logger: logger)
    }

    /// Begins to serve.
    ///
    /// - Throws: what the database throws; `.sockets` where the server was stopped before.
    public func start() async throws(PhoneError) {
        guard case .new = life else { throw .sockets(reason: "a stopped server cannot be started again") }
        if case .looked = noticing { version = try await store.version() }
        let list = try await PhoneList(
            ActiveList(store, changed: { [weak self] in await self?.listChanged() }),
            dependencies: store.dependencies)
        view = list
        do {
            try await endpoint.start()
        } catch {
            throw .sockets(reason: error.description)
        }
        let tasks = [
            Task { [weak self, events] in for await event in events { await self?.handle(event) } },
            Task { [weak self, endpoint] in
                for await change in endpoint.reachabilityChanges() { await self?.handle(change) }
            },
            Task { [control] in await control.serve() },
        ]
        switch noticing {
        case .announced: life = .serving(tasks, looking: nil)
        case .looked(let interval):
            life = .serving(
                tasks,
                looking: Task { [weak self, clock] in
                    while (try? await clock.sleep(until: clock.now + interval)) != nil { await self?.look() }
                })
        }
    }

    /// Says goodbye to the watches and stops. The database stays open.
    public func stop() async {
        guard case .serving(let tasks, let looking) = life else { return }
        life = .stopped
        looking?.cancel()
        foreseen?.cancel()
        await looking?.value
        control.close()
        await endpoint.close()
        eventSource.finish()
        for task in tasks { await task.value }
        await settled()
        await view?.settled()
    }

    /// The view of the list that watches and commands change too; nil before `start()`.
    public var list: PhoneList? { view }

    /// The watches that are connected now.
    public var connectedWatches: Set<PeerIdentity> { connected }

    /// Returns when every change that the server noticed before this call is queued for the connected watches.
    public func settled() async {
        await upkeep.waitEvenIfCancelled { $0.isIdle }
    }

    /// Brings the view and every connected watch up to date, because the list may have changed. Changes during that work
    /// share one more round.
    public func listChanged() {
        due = .everyone
        beginRound()
    }

    /// Brings one watch up to date, because it has connected, or something may be queued for it that could not before.
    private func isDue(_ watch: PeerIdentity) {
        if case .some(let watches) = due { due = .some(watches.union([watch])) }
        beginRound()
    }

    private func beginRound() {
        switch upkeep.value {
        case .idle:
            upkeep.change { $0 = .working }
            Task { await work() }
        case .working, .behind:
            upkeep.change { $0 = .behind }
        }
    }

    private func work() async {
        repeat {
            upkeep.change { $0 = .working }
            let due = due
            self.due = .some([])
            switch due {
            case .everyone:
                view?.refresh()
                await bringUpToDate(connected)
            case .some(let watches): await bringUpToDate(watches.intersection(connected))
            }
            await cancelFilesOfForgottenWatches()
        } while upkeep.value.isBehind
        upkeep.change { $0 = .idle }
    }

    private func bringUpToDate(_ watches: Set<PeerIdentity>) async {
        do {
            let round = try await store.feed(watches)
            foresee(round.nextLook)
            if round.order == .sorted { listChanged() }
            for watch in round.forgotten {
                logger.info("watch \(watch) was forgotten", metadata: .about(watch))
                await endpoint.disconnect(watch)
            }
            switch round.recipients {
            case nil: await endpoint.outgoingChanged()
            case let some? where some.count > 1: await endpoint.outgoingChanged()
            case let some?: for watch in some { await endpoint.outgoingChanged(for: .only(watch)) }
            }
            if round.queued > 0 {
                logger.debug(
                    "queued \(CountText(round.queued, "message")) for \(CountText(watches.count, "watch", "watches"))")
            }
        } catch {
            logger.error("the watches could not be brought up to date: \(error)")
            tryAgain(at: clock.now + PhoneServer.retryPause)
        }
    }

    /// Ends the files that were on their way to watches which were forgotten since.
    private func cancelFilesOfForgottenWatches() async {
        do {
            let files = try await endpoint.filesUnderWay()
            guard !files.isEmpty else { return }
            let known = Set(try await store.watches().map { PeerIdentity(rawValue: $0.identity) })
            for file in files where !known.contains(file.peer) { await file.cancel() }
        } catch {
            // The next round looks again.
            logger.warning("the files for watches could not be looked at: \(error)")
        }
    }

    /// Begins a round at a time of the wearer's clock, in local seconds since 1970: something is current then that is not
    /// now. Replaces what was foreseen before.
    ///
    /// That clock may be set, so it is read once a minute.
    private func foresee(_ time: UInt32?) {
        foreseen?.cancel()
        foreseen = nil
        guard let time, case .serving = life else { return }
        let dependencies = store.dependencies
        foreseen = Task { [weak self, clock] in
            var now = dependencies.localSeconds(dependencies.now())
            repeat {
                let pause = Microseconds.seconds(max(1, min(max(time, now) - now, 60)))
                guard (try? await clock.sleep(until: clock.now + pause)) != nil else { return }
                now = dependencies.localSeconds(dependencies.now())
            } while now < time
            await self?.beginForeseenRound()
        }
    }

    private func beginForeseenRound() {
        switch life {
        case .serving: beginRound()
        case .new, .stopped: break
        }
    }

    /// Brings the watches up to date at `time`: the database may be usable again by then, and perhaps no other change
    /// follows.
    private func tryAgain(at time: WatchLink.Instant) {
        Task { [weak self, clock] in
            try? await clock.sleep(until: time)
            await self?.retry()
        }
    }

    private func retry() {
        switch life {
        case .serving: listChanged()
        case .new, .stopped: break
        }
    }

    private func databaseChanged() async {
        logger.info("a command has changed the database")
        if case .looked = noticing { version = (try? await store.version()) ?? version }
        listChanged()
    }

    /// Brings the watches up to date where another program has changed the database.
    private func look() async {
        // What was published may be of another hour than the one that watches show now.
        if wallClock.hasMoved(to: store.dependencies.localSeconds(store.dependencies.now()), at: clock.now) {
            beginRound()
        }
        guard let present = try? await store.version(), present != version else { return }
        version = present
        logger.info("another program has changed the database")
        listChanged()
    }

    private func handle(_ event: MessageEvent) async {
        switch event {
        case .changed: await databaseChanged()
        case .connecting(let watch): logger.info("watch \(watch) is connecting", metadata: .about(watch))
        case .noticed(let news):
            guard notices.admit(news, at: clock.now) else { return }
            logger.warning("watch \(news.watch) \(news.notice)", metadata: .about(news.watch))
        case .due(let watch): isDue(watch)
        case .published: Task { await endpoint.outgoingChanged() }
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

    private func handle(_ change: ReachabilityChange) {
        switch change.reachability {
        case .reachable:
            connected.insert(change.peer)
            logger.info("watch \(change.peer) is connected", metadata: .about(change.peer))
            isDue(change.peer)
        case .unreachable(let end):
            guard connected.remove(change.peer) != nil else { return }
            logger.info("watch \(change.peer) disconnected: \(end.reason)", metadata: .about(change.peer))
        }
    }
}
