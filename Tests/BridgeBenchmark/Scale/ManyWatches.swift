import ListFeedTesting
import WatchLink
import Wormhole

/// Watches without screens, in one process and on one thread of it: each is a socket, a session and a list in memory.
struct ManyWatches: Answerer {
    let count: Int

    func serve(in directory: String) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for number in 1...count {
                // One after the other: a host sends strangers away where more than 64 have not said who they are.
                var watch = try await LightWatch(number, UnixConnector(path: directory + "/host.sock"))
                while !watch.isOpen { try await watch.step() }
                let opened = watch
                group.addTask(executorPreference: Wormhole.socketExecutor) {
                    var watch = opened
                    // It ends with the host.
                    while (try? await watch.step()) != nil {}
                }
            }
        }
        try await OtherProcess.waitForEnd()
    }
}

/// A watch that applies what it is sent, and tells when its list has another length.
private struct LightWatch {
    private let transport: any DatagramTransport
    private let clock = SystemClock()
    private var session: Session
    private var list = WatchModel()

    init(_ number: Int, _ connector: UnixConnector) async throws {
        transport = try await LightWatch.connect(connector)
        let identity = LinkIdentity(role: .watch, identity: UInt64(number), epoch: 1, name: LinkName("light"))
        session = Session(identity: identity, limits: LinkLimits(largestSDU: 512))
        session.connected(at: clock.now, maximumSDU: transport.largestDatagram)
    }

    /// The host may not be there yet.
    private static func connect(_ connector: UnixConnector) async throws -> any DatagramTransport {
        while true {
            do throws(WormholeError) { return try await connector.connect() } catch {
                guard case .nobodyListening = error else { throw error }
                // The host does not listen yet: try again.
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    /// Whether the host has said hello.
    var isOpen: Bool { session.peer != nil }

    /// Sends the frames that are due, and then waits for the next datagram and takes it.
    ///
    /// - Throws: where the link has ended.
    mutating func step() async throws {
        guard try await answer() else { throw OtherProcessHasGone() }
        let datagram = try await transport.receive()
        guard case .message(let header) = session.receive(datagram.span, at: clock.now) else { return }
        let body = try MessageBody(datagram.span, header: header)
        let name = body.name.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        if name == "list" { try apply(body.payload.withUnsafeBufferPointer { Array($0) }) }
        session.applied(header.delivery, sequence: header.sequence, at: clock.now)
    }

    private mutating func apply(_ payload: [UInt8]) throws {
        let before = list.items
        try list.apply(payload: payload)
        if list.items != before { OtherProcess.report(list.items, steadyNanoseconds()) }
    }

    /// Sends the frames that are due. The host pings this watch, so that the next datagram always comes.
    ///
    /// - Returns: false where the session has closed the link.
    private mutating func answer() async throws -> Bool {
        while true {
            switch session.next(at: clock.now) {
            case .transmit(let request):
                let frame = session.frame(for: request)
                var bytes = [UInt8](repeating: 0, count: LinkLimits.longestControlFrame)
                var writer = CBORWriter(bytes.mutableSpan)
                try frame.encode(into: &writer)
                let count = writer.count
                try await transport.send(Array(bytes[..<count]))
                session.sent(control: frame, at: clock.now)
            case .wait: return true
            case .close, .sendQueued, .sendLatest: return false
            }
        }
    }
}

extension WatchModel {
    /// How many items are on the list: those that it shows, and those behind them.
    fileprivate var items: UInt64 { UInt64(rows.count) + UInt64(more) }
}
