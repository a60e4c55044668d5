import ArgumentParser
import Wormhole

/// A way to have 20 bytes answered by another process.
enum Way: String, CaseIterable, ExpressibleByArgument, Encodable {
    /// Blocking calls of a thread on each side, with nothing of ours: what the others are compared with.
    case raw
    /// A task on each side of a `SocketTransport`, on the thread of the sockets: what the transport costs.
    case transport
    /// `Wormhole.ask` and `answer`, asked on the thread of the sockets.
    case bridge
    /// The same, asked by any task.
    case anyTask = "any-task"

    /// What it is called in the table.
    var title: String {
        switch self {
        case .raw: "raw socket, blocking threads"
        case .transport: "transport, tasks on the thread of the sockets"
        case .bridge: "ask and answer, on the thread of the sockets"
        case .anyTask: "ask and answer, from any task"
        }
    }

    /// The side that asks, and measures.
    func asker(_ other: consuming OtherProcess) async throws -> any Asker {
        switch self {
        case .raw: RawAsker(other)
        case .transport: try TransportAsker(other)
        case .bridge: try await BridgeAsker(other, on: Wormhole.socketExecutor)
        case .anyTask: try await BridgeAsker(other, on: globalConcurrentExecutor)
        }
    }

    /// The side that answers.
    var answerer: any Answerer {
        switch self {
        case .raw: RawAnswerer()
        case .transport: TransportAnswerer()
        case .bridge, .anyTask: BridgeAnswerer()
        }
    }
}

/// Asks the other process, again and again.
protocol Asker: Sendable {
    /// Times round trips for so long.
    func ask(for length: Duration) async throws -> RoundTrips
}

/// What every way asks and answers.
enum Probe {
    /// Bytes of a question and of an answer.
    static let size = 20
    static let bytes = [UInt8](repeating: 0x61, count: size)
    /// A text that is as long when it is encoded: one byte says how long it is.
    static let text = String(repeating: "a", count: size - 1)
}
