import Foundation
import Synchronization
import WatchLink

@testable import PhoneHost
@testable import Soak
@testable import Wormhole

/// What happens to a phone's database on a day, transaction by transaction: a list arrives and grows, a watch meets the
/// phone, is fed and checks off, the owner undoes and imports, the program ends and comes again.
final class ScriptedHostDay {
    /// One transaction of the program, or its end and its next start.
    enum Step: Equatable, CustomStringConvertible {
        case add([String], list: String?)
        case importList(String)
        case beginRun
        /// The watch says hello, and names the last message of the queue that it has applied.
        case meet(applied: UInt32)
        case feed
        case acknowledge
        /// The watch has checked off the item at this place of the first list, with its message of this number.
        case check(place: Int, sequence: UInt32)
        case uncheck(place: Int)
        case remove(place: Int)
        case activate(String)
        case passValue
        case restart

        var description: String {
            switch self {
            case .add(let titles, _): "adding \(titles.count) items"
            case .importList: "an import"
            case .beginRun: "the beginning of a run"
            case .meet: "a hello"
            case .feed: "a feed"
            case .acknowledge: "an acknowledgement"
            case .check(_, let sequence): "check-off \(sequence)"
            case .uncheck: "an undo"
            case .remove: "a removal"
            case .activate: "another list"
            case .passValue: "a latest value"
            case .restart: "a restart"
            }
        }
    }

    static let steps: [Step] = [
        .beginRun, .add(["Milk", "Eggs", "Rye", "Salt", "Tea"], list: nil), .meet(applied: 0), .feed, .acknowledge,
        .check(place: 0, sequence: 1), .feed, .check(place: 1, sequence: 2), .check(place: 1, sequence: 3), .feed,
        .uncheck(place: 0), .feed, .acknowledge, .passValue, .restart, .beginRun, .meet(applied: 4), .feed,
        .importList("- [ ] Nails\n- [x] Screws\n" + (0..<12).map { "- [ ] Part \($0)\n" }.joined()),
        .activate("Hardware store"), .feed, .check(place: 0, sequence: 4), .remove(place: 2), .acknowledge,
        .activate("Shopping"), .feed, .add(["Figs"], list: nil), .feed, .restart,
    ]

    static let path = VirtualDisk.root + "day/phone.db"
    static let directory = VirtualDisk.root + "day/"

    private let disk: VirtualDisk
    private let executor = InlineExecutor()
    private let outside = Outside()
    private var store: PhoneStore?
    private let watch = PeerIdentity(rawValue: 77)
    private(set) var process = DiskProcess()

    init(on disk: VirtualDisk) {
        self.disk = disk
        disk.process = process
    }

    /// What the program takes from outside: the same for every attempt at a step.
    private final class Outside: Sendable {
        private struct Contents {
            var step = 0
            var random = SplitMix64(seed: 0)
        }

        private let contents = Mutex(Contents())

        func begin(_ step: Int) {
            contents.withLock { $0 = Contents(step: step, random: SplitMix64(seed: UInt64(step) + 1)) }
        }

        var dependencies: PhoneDependencies {
            PhoneDependencies(
                now: {
                    Date(timeIntervalSince1970: 1_795_176_000 + Double(self.contents.withLock(\.step)) * 60)
                }, timeZone: { .gmt }, random: { self.contents.withLock { $0.random.next() } })
        }
    }

    /// Makes a step happen; throws what the program says if it fails.
    func make(_ number: Int) throws {
        outside.begin(number)
        let store = try opened()
        switch ScriptedHostDay.steps[number] {
        case .restart:
            self.store = nil
            try store.close()
            _ = try opened()
        case let step:
            let watch = watch
            let result: Result<Void, any Error>? = executor.result {
                do { return .success(try await ScriptedHostDay.make(step, in: store, of: watch)) } catch {
                    return .failure(error)
                }
            }
            guard let result else { preconditionFailure("a transaction waits for something") }
            try result.get()
        }
    }

    private func opened() throws(PhoneError) -> PhoneStore {
        if let store { return store }
        let new = try PhoneStore(inMemory: ScriptedHostDay.path, dependencies: outside.dependencies)
        store = new
        return new
    }

    private static func make(_ step: Step, in store: PhoneStore, of watch: PeerIdentity) async throws {
        let messages = MessageStore(store)
        switch step {
        case .add(let titles, let list): _ = try await store.add(try titles.map { try draft($0) }, to: list)
        case .importList(let text): _ = try await store.add(ListImport(text.utf8).drafts, to: "Hardware store")
        case .beginRun:
            let random = store.dependencies.random
            try messages.beginRun { max(UInt32(truncatingIfNeeded: random()), 1) }
        case .meet(let applied):
            let issued = try messages.issued(to: watch)
            var hello = PeerHello(
                role: .watch, identity: watch.rawValue, epoch: 3 + applied, limits: LinkLimits(largestSDU: 512))
            hello.queuedIssued = applied == 0 ? 0 : 3
            hello.queuedFloor = hello.queuedIssued
            hello.queuedApplied = min(applied, issued.queued)
            hello.knownEpoch = applied == 0 ? nil : 50
            let handshake = PeerHandshake(hello: hello, largestBody: 400)
            _ = try messages.resume(watch, handshake: handshake, newEpoch: applied == 0 ? 50 : 51)
        case .feed: _ = try await store.feed([watch])
        case .acknowledge:
            let issued = try messages.issued(to: watch)
            try messages.acknowledged(Acknowledgement(queued: issued.queued, latest: issued.latest), by: watch)
        case .check(let place, let sequence):
            let item = try await store.contents(of: "Shopping").items[place].id
            let message = InboundMessage(
                peer: watch, epoch: 3, sequence: sequence,
                content: .queued(MessageName(.check), payload: try checkOff(item.rawValue, tap: sequence)))
            _ = try messages.apply(message)
        case .uncheck(let place): try await edit(place, in: store) { .uncheck(at: $0) }
        case .remove(let place): try await edit(place, in: store) { .remove(at: $0) }
        case .activate(let list): try await store.activate(list)
        case .passValue: _ = try messages.replace("greeting", with: [1, 2, 3], for: .everyone)
        case .restart: preconditionFailure("a restart is no transaction")
        }
    }

    private static func draft(_ title: String) throws(PhoneError) -> ItemDraft {
        ItemDraft(title: try CleanTitle(title))
    }

    private static func edit(
        _ place: Int, in store: PhoneStore, _ action: (Date) -> ListEdit.Action
    ) async throws(PhoneError) {
        let item = try await store.contents(of: "Shopping").items[place].id
        try await store.apply([ListEdit(item: item, action: action(store.dependencies.now()))], origin: .command)
    }

    private static func checkOff(_ item: UInt32, tap: UInt32) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64)
        var writer = CBORWriter(bytes.mutableSpan)
        try CheckMessage(item: item, localTime: nil, tap: tap).encode(into: &writer)
        let count = writer.count
        return Array(bytes[..<count])
    }

    /// The program is gone from one moment to the next, and with `power` what was not synced; a new one starts.
    func kill(_ loss: Loss) {
        process.kill()
        try? store?.close()
        store = nil
        disk.release(process)
        switch loss {
        case .nothing: break
        case .power: disk.losePower(ScriptedHostDay.directory)
        }
        process = DiskProcess()
        disk.process = process
    }

    /// What is in the database.
    var dump: DatabaseDump? { DatabaseDump(ScriptedHostDay.path, on: disk) }
}
