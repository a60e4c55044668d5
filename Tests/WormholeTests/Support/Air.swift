import Synchronization
import TestSupport
import WormholeTesting

@testable import Wormhole

enum AirKind: String, CaseIterable, Sendable {
    case memory
    case unix

    func make() throws -> Air {
        switch self {
        case .memory: .memory(InMemoryLink(largestDatagram: 512))
        case .unix: .unix(TemporaryDirectory(), Cutter())
        }
    }
}

/// The connection between a phone and its watches, which a test can cut and restore.
enum Air: Sendable {
    case memory(InMemoryLink)
    case unix(TemporaryDirectory, Cutter)

    /// Returns a listener. A test may call this again after it has closed the last one.
    func listener() throws -> any TransportListener {
        switch self {
        case .memory(let link): link.listener
        case .unix(let directory, _): try UnixListener("watch.sock", in: directory.sockets(), largestDatagram: 512)
        }
    }

    var connector: any TransportConnector {
        switch self {
        case .memory(let link): link.connector
        case .unix(let directory, let cutter):
            cutter.connector(around: UnixConnector(path: directory.file("watch.sock"), largestDatagram: 512))
        }
    }

    func cut() {
        switch self {
        case .memory(let link): link.cut()
        case .unix(_, let cutter): cutter.cut()
        }
    }

    func restore() {
        switch self {
        case .memory(let link): link.restore()
        case .unix(_, let cutter): cutter.restore()
        }
    }
}

/// A switch for connectors. A call of `cut` closes all channels of the connectors. After that, connecting fails until
/// `restore` is called.
final class Cutter: Sendable {
    private enum State {
        case clear([any DatagramTransport])
        case cut
    }

    private let state = Mutex(State.clear([]))

    func connector(around connector: any TransportConnector) -> any TransportConnector {
        Connector(cutter: self, connector: connector)
    }

    func cut() {
        let channels: [any DatagramTransport] = state.withLock { state in
            guard case .clear(let channels) = state else { return [] }
            state = .cut
            return channels
        }
        for channel in channels { channel.close() }
    }

    func restore() {
        state.withLock { state in
            if case .cut = state { state = .clear([]) }
        }
    }

    private struct Connector: TransportConnector {
        let cutter: Cutter
        let connector: any TransportConnector

        func connect() async throws(WormholeError) -> any DatagramTransport {
            let channel = try await connector.connect()
            let isClear = cutter.state.withLock { state in
                guard case .clear(let channels) = state else { return false }
                state = .clear(channels + [channel])
                return true
            }
            guard isClear else {
                channel.close()
                throw .noListener(path: "cut")
            }
            return channel
        }
    }
}
