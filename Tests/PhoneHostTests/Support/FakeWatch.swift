import HostSystem
import TestDoubles
import WatchLink
import Wormhole
import WormholeTesting

@testable import PhoneHost

/// A watch without a screen: a Wormhole endpoint in the watch role, with its list in a `WatchModel`.
final class FakeWatch: Sendable {
    /// The payload of a `CheckMessage`, for an endpoint that encodes with `Codable`.
    struct Check: Codable, Sendable {
        var item: UInt32
        var localTime: UInt32
        var tap: UInt32

        enum CodingKeys: Int, CodingKey {
            case item = 0
            case localTime = 1
            case tap = 2
        }
    }

    /// The payload of a `ReloadMessage`, for an endpoint that encodes with `Codable`.
    struct Reload: Codable, Sendable {
        var token: UInt32
        var extent: UInt32?

        enum CodingKeys: Int, CodingKey {
            case token = 0
            case extent = 1
        }
    }

    private struct State {
        var model = WatchModel()
        var messages = 0
    }

    private final class Memory: Sendable {
        let state = WaitableState(State())

        func apply(_ message: InboundMessage) throws(WormholeError) -> ApplyOutcome {
            guard case .queued(let name, let payload) = message.content, name == MessageName(.list) else {
                return .applied
            }
            state.change { state in
                do { try state.model.apply(payload: payload) } catch { return }
                state.messages += 1
            }
            return .applied
        }
    }

    let endpoint: Wormhole
    private let memory: Memory

    init(
        _ connector: any TransportConnector, name: String, clock: any LinkClock = SystemClock()
    ) {
        let memory = Memory()
        self.memory = memory
        let store = MessageStore.inMemory { message throws(WormholeError) in try memory.apply(message) }
        endpoint = Wormhole(
            .connects(connector), store: store, configuration: WormholeConfiguration(role: .watch, name: name),
            clock: clock)
    }

    var model: WatchModel { memory.state.value.model }

    /// The number of `list` messages that the watch has applied.
    var messages: Int { memory.state.value.messages }

    /// Waits until `isMet` returns true for the list, or until the test is cancelled at its time limit.
    func wait(until isMet: @escaping @Sendable (WatchModel) -> Bool) async {
        _ = await memory.state.wait { state in isMet(state.model) ? true : nil }
    }

    func check(_ title: String, tap: UInt32 = 1) async throws {
        let id = memory.state.change { state -> UInt32? in
            guard let row = state.model.rows.first(where: { $0.title.text == title }) else { return nil }
            state.model.remove(row.id)
            return row.id
        }
        guard let id else { return }
        try await check(id: id, tap: tap)
    }

    @discardableResult
    func check(id: UInt32, tap: UInt32 = 1) async throws -> MessageHandle? {
        try await endpoint.pass(
            Check(item: id, localTime: 0, tap: tap), under: MessageName(.check), delivery: .queued, to: .only(.phone))
    }
}
