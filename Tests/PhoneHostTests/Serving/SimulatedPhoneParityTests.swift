import Foundation
import GRDB
import Logging
import Synchronization
import TestSupport
import Testing
import Watch
import WatchLink
import Wormhole
import WormholeTesting

@testable import DeviceModel
@testable import PhoneHost

/// The simulated phone and the store-backed one, given the same list and the same events, send the same datagrams.
@Suite(.timeLimit(.minutes(60))) struct SimulatedPhoneParityTests {
    @Test func `both phones send the same bytes whatever happens`() async throws {
        let phones = try await TwoPhones(titles: (1...200).map { "Item \($0) of a list that is longer than a watch" })
        try await phones.connect(epoch: 71)
        try await phones.exchange()
        #expect(phones.compared >= 20, "a whole list has gone over the link")

        for row in [0, 3, 127] { try await phones.checkOff(row: row) }
        try await phones.checkOff(id: 1)
        try await phones.checkOff(row: 3)
        try await phones.add("Crème fraîche, and as much more as makes a title that no watch has room for")
        try await phones.rename(row: 2, to: "Rye bread")
        try await phones.remove(row: 5)
        try await phones.remove(row: 150)
        try await phones.reload(.given, token: 7)
        try await phones.reload(.everything, token: 8)
        phones.advance(seconds: 61)
        try await phones.checkOff(row: 10)
    }

    @Test func `a watch that comes back is given what has changed`() async throws {
        let phones = try await TwoPhones(titles: ["Milk", "Eggs", "Bread"])
        try await phones.connect(epoch: 71)
        try await phones.exchange()
        try await phones.checkOff(row: 0)
        await phones.cut()
        phones.advance(seconds: 600)
        try await phones.add("Butter")
        try await phones.checkOff(row: 1)
        try await phones.connect()
        try await phones.exchange()
        try await phones.rename(row: 3, to: "Salted butter")
        #expect(phones.compared > 10)
    }

    @Test func `a watch that has lost everything is given everything under a new epoch`() async throws {
        let phones = try await TwoPhones(titles: ["Milk", "Eggs", "Bread"])
        try await phones.connect(epoch: 71)
        try await phones.exchange()
        try await phones.checkOff(row: 0)
        await phones.cut()
        phones.forgetEverything()
        try await phones.connect(epoch: 73)
        try await phones.exchange()
        try await phones.checkOff(row: 1)
        try await phones.checkOff(row: 2)
    }

    @Test func `a watch that refuses a change of the list is given the list anew`() async throws {
        let phones = try await TwoPhones(titles: ["Milk", "Eggs", "Bread"])
        try await phones.connect(epoch: 71)
        try await phones.exchange()
        phones.refuseNext()
        try await phones.add("Butter")
        try await phones.waitUntilRefusalIsKnown()
        try await phones.remove(row: 1)
    }
}

extension SimulatedPhoneParityTests {
    @Test func `both phones send the same bytes of files, also to a watch that takes one at a time`() async throws {
        let phones = try await TwoPhones(titles: ["Milk"])
        try await phones.connect(epoch: 71)
        try await phones.exchange()
        try await phones.send([UInt8](repeating: 0x5A, count: 9_000), label: "face.pbm", transfer: 5)
        #expect(phones.stored == ["face.pbm"])
        phones.refuseNextFile()
        try await phones.send([1, 2, 3], label: "busy.txt", transfer: 6)
        #expect(phones.stored == ["face.pbm"])
        try await phones.send([], label: "empty", transfer: 7)
        #expect(phones.stored == ["face.pbm", "empty", "busy.txt"])
        #expect(phones.compared > 20)
    }
}

/// Both phones with one watch, whose datagrams go to both. What they send is compared before the watch takes it.
private final class TwoPhones {
    private let directory: TemporaryDirectory
    private let world = SteppedDependencies()
    private let source = RandomSource()
    private let store: PhoneStore
    private let server: PhoneServer
    private let link = InMemoryLink()
    private let simulated: SimulatedPhone
    private var transport: (any DatagramTransport)?
    /// The items that were ever on the list, in order.
    private var items: [PhoneItem]
    private var session: Session
    private let sockets: SocketDirectory
    private var files = FileTaking()
    private var positions = StreamPositions()
    private var outbox: [UInt32: [UInt8]] = [:]
    private var verdict = ApplyOutcome.applied
    private let now = WatchLink.Instant.start
    private(set) var compared = 0

    init(titles: [String]) async throws {
        let random = source
        var limits = LinkLimits(largestSDU: 512)
        limits.kinds = .files
        session = Session(identity: LinkIdentity(role: .watch, identity: 9, epoch: 3), limits: limits)
        directory = TemporaryDirectory()
        let world = world
        store = try PhoneStore(
            path: directory.file("phone.sqlite"),
            dependencies: PhoneDependencies(
                now: { world.now }, zone: { _ in 0 }, random: { random.next() }))
        let stored = try await store.add(titles.map { ItemDraft(title: try CleanTitle($0)) }).items
        items = stored.map { PhoneItem(id: $0.id.rawValue, title: $0.title) }
        let identity = try MessageStore(store).identity(proposal: 1)
        simulated = SimulatedPhone(
            PhoneState(
                list: PhoneItems(name: try await store.contents().name, items: items),
                LinkIdentity(role: .phone, identity: identity, epoch: 71)))
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        sockets = try SocketDirectory(path: directory.file("sockets"))
        server = PhoneServer(
            store: store, watches: link.listener, control: try ControlSocket.endpoint(.phone).listener(in: sockets),
            clock: ManualClock(), logger: logger)
        setCalendar()
        try await server.start()
    }

    // MARK: The link

    /// Connects the watch; `epoch` is the one that the store-backed phone draws if it has to.
    func connect(epoch: UInt32 = 1) async throws {
        source.fix(UInt64(epoch))
        transport = try await link.connector.connect()
        session.connected(at: now, maximumSDU: 512, positions: positions)
        simulated.connected(at: now, maximumSDU: 512)
    }

    /// Cuts the link, and waits until the store-backed phone knows.
    func cut() async {
        transport?.close()
        transport = nil
        session.disconnected(at: now)
        simulated.disconnected(at: now)
        while await !server.connectedWatches.isEmpty { await Task.yield() }
        await server.settled()
    }

    func forgetEverything() {
        positions = StreamPositions()
        outbox = [:]
        session.restart(as: LinkIdentity(role: .watch, identity: 9, epoch: 5))
    }

    func refuseNext() { verdict = .rejected(.refused) }

    /// Waits until the store-backed phone, which has a thread of its own, has read the watch's refusal.
    func waitUntilRefusalIsKnown() async throws {
        while try await store.read({ try String.fetchOne($0, sql: "SELECT given FROM watch") }) != "nothing" {
            await Task.yield()
        }
    }

    /// Has the phones and the watch say everything that they have to say.
    func exchange() async throws {
        while true {
            let arrived = drainSimulated()
            var sent: [[UInt8]] = []
            for _ in arrived {
                guard let transport else { throw WormholeError.closed }
                sent.append(try await transport.receive())
            }
            #expect(TwoPhones.streams(sent) == TwoPhones.streams(arrived), "after \(compared) datagrams")
            compared += arrived.count
            for datagram in arrived { take(datagram) }
            let answers = try drainWatch()
            for datagram in answers {
                try await transport?.send(datagram)
                simulated.receive(datagram, at: now)
            }
            positions = session.positions
            if arrived.isEmpty, answers.isEmpty { return }
        }
    }

    /// The datagrams of each kind in their order, as hexadecimal digits. Which of the two streams has its turn first depends,
    /// on the store-backed phone, on whether an acknowledgement overtakes the note that its message was sent.
    private static func streams(_ datagrams: [[UInt8]]) -> [UInt8: [String]] {
        Dictionary(grouping: datagrams) { $0.first ?? 0 }.mapValues { datagrams in
            datagrams.map { bytes in bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
        }
    }

    private func drainSimulated() -> [[UInt8]] {
        var datagrams: [[UInt8]] = []
        while case .send(let datagram) = simulated.next(at: now) { datagrams.append(datagram) }
        return datagrams
    }

    private func take(_ datagram: [UInt8]) {
        if datagram[0] == FrameKind.file.rawValue { files.take(datagram) }
        guard case .message(let header) = session.receive(datagram.span, at: now) else { return }
        session.applied(header.delivery, sequence: header.sequence, outcome: verdict, at: now)
        verdict = .applied
    }

    private func drainWatch() throws -> [[UInt8]] {
        var datagrams: [[UInt8]] = []
        while true {
            switch session.next(at: now) {
            case .transmit(let request):
                let frame = session.frame(for: request)
                session.sent(control: frame, at: now)
                datagrams.append(
                    try [UInt8](capacity: 512) { writer throws(CBORError) in try frame.encode(into: &writer) })
            case .sendQueued(let sequence):
                session.sent(.queued, sequence: sequence, at: now)
                datagrams.append(try #require(outbox[sequence]))
            case .sendLatest: session.skipped(latestUpTo: session.positions.latestIssued)
            case .close, .wait: return datagrams + files.takeAnswers()
            }
        }
    }

    // MARK: What happens

    func checkOff(row: Int) async throws { try await checkOff(id: items[row].id) }

    func checkOff(id: UInt32) async throws {
        try await say(CheckMessage(item: id, localTime: 0, tap: 1))
    }

    /// The labels of the files that the watch has stored.
    var stored: [String] { files.stored }

    /// The watch is busy when it is offered the next file.
    func refuseNextFile() { files.isBusy = .once }

    func send(_ content: [UInt8], label: String, transfer: UInt64) async throws {
        let path = directory.file(label)
        try Data(content).write(to: URL(filePath: path))
        source.fix(transfer)
        let channel = try await ControlChannel(to: .endpoint(.phone), in: sockets)
        try await channel.send(
            .send(path: path, label: label, recipient: PeerIdentity(rawValue: 9).description, timeout: 0))
        guard case .file = try await channel.receive() else { throw WormholeError.closed }
        simulated.change { $0.send(PhoneFile(label: label, content: content, transfer: transfer)) }
        try await exchange()
        channel.close()
    }

    func reload(_ extent: ReloadMessage.Extent, token: UInt32) async throws {
        try await say(ReloadMessage(token: token, extent: extent))
    }

    private func say(_ message: some LinkMessage) async throws {
        positions.queuedIssued += 1
        let sequence = positions.queuedIssued
        outbox[sequence] = try [UInt8](capacity: 512) { writer throws(CBORError) in
            try message.encodeFrame(sequence: sequence, into: &writer)
        }
        session.issued(queuedUpTo: sequence)
        try await exchange()
    }

    func add(_ title: String) async throws {
        source.release()
        let known = Set(items.map(\.id))
        let stored = try await store.add([ItemDraft(title: try CleanTitle(title))]).items
        let item = try #require(stored.first { !known.contains($0.id.rawValue) })
        items.append(PhoneItem(id: item.id.rawValue, title: item.title))
        try await changed { $0.add(PhoneItem(id: item.id.rawValue, title: item.title)) }
    }

    func rename(row: Int, to title: String) async throws {
        let id = items[row].id
        let time = world.now.storedMilliseconds
        try await store.write { db in
            try db.execute(sql: "UPDATE item SET title = ? WHERE id = ?", arguments: [title, id])
            try db.execute(sql: "UPDATE list SET changedAt = ?", arguments: [time])
        }
        try await changed { $0.rename(id, to: title) }
    }

    func remove(row: Int) async throws {
        let id = items[row].id
        try await store.apply(
            ListEdit(item: ItemIdentifier(rawValue: id), action: .remove(at: world.now)), origin: .phone)
        try await changed { $0.remove(id) }
    }

    func advance(seconds: Int) {
        world.advance(seconds: TimeInterval(seconds))
        setCalendar()
    }

    private func setCalendar() {
        simulated.change { [world, now] in
            $0.calendar = .set(LocalTime(seconds: UInt32(world.now.timeIntervalSince1970)), at: now)
        }
    }

    private func changed(_ change: (inout PhoneState) -> Void) async throws {
        simulated.change(change)
        await server.listChanged()
        await server.settled()
        try await exchange()
    }
}

/// Random numbers from a seed, or one number again and again: the store-backed phone draws epochs from it.
private final class RandomSource: Sendable {
    private enum Mode {
        case seeded
        case fixed(UInt64)
    }

    private let state = Mutex((generator: SplitMix64(seed: 1), mode: Mode.seeded))

    func next() -> UInt64 {
        state.withLock { state in
            switch state.mode {
            case .seeded: state.generator.next()
            case .fixed(let number): number
            }
        }
    }

    func fix(_ number: UInt64) { state.withLock { $0.mode = .fixed(number) } }

    func release() { state.withLock { $0.mode = .seeded } }
}
