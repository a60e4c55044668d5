import ArgumentParser
import BluetoothBridge
import Glibc
import GuestAdapters
import HostSystem
import WatchLink
import Wormhole

/// Compares Tapline's Bluetooth channel with a bare socket: round trips and throughput between the same two adapters. The
/// channel and the socket take turns in one run, so that a busy machine slows both down. `Tests/bluetooth benchmark` runs it.
struct ChannelBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channel", abstract: "Times a Bluetooth channel between two adapters, beside a bare socket.")

    /// The number of timed round trips in a turn. Each has 20 bytes in both directions.
    static let roundTrips = 300
    /// The number of timed one-way datagrams in a turn. Unless a way says otherwise, they have 512 bytes, the maximum that a
    /// watch receives.
    static let datagrams = 600

    @Option(help: "How often each way has its turn.")
    var turns = 7

    func validate() throws {
        guard turns > 0 else { throw ValidationError("there is at least one turn") }
    }

    func run() async throws {
        let air = try Air()
        try air.bond(.numericComparison)
        let listener = try L2CAPListener(on: air.watch.address)
        let ways: [any ChannelWay] = [BareWay(), PolledWay(), TaskWay(), MixedWay()]
        var times: [[ChannelTimes]] = ways.map { _ in [] }
        for _ in 0..<turns {
            for (index, way) in ways.enumerated() { times[index].append(try await way.measure(air, listener)) }
        }
        var figures = Figures("a channel, 20 bytes there and back, 512 bytes one way, \(turns) turns")
        for (way, own) in zip(ways, times) {
            figures.add("\(way.name), round trip", own.map(\.roundTrip), "us")
            figures.add("  / bare", zip(own, times[0]).map { $0.roundTrip / $1.roundTrip }, digits: 2, "x")
            figures.add("\(way.name), one way", own.map(\.rate), "KiB/s")
            figures.add("  / bare", zip(own, times[0]).map { $0.rate / $1.rate }, digits: 2, "x")
        }
        print(figures.text)
        try await measureEndpoints(air, listener)
    }

    private func measureEndpoints(_ air: Air, _ listener: L2CAPListener) async throws {
        let endpoints = try await EndpointBenchmark(air)
        var all: [EndpointBenchmark.Turn] = []
        // The first turn warms the caches up and is not counted.
        for turn in 0...turns {
            let measured = try await endpoints.turn(air, listener)
            if turn > 0 { all.append(measured) }
        }
        await endpoints.close()
        var figures = Figures("two endpoints over a channel, \(turns) turns")
        figures.add("ask and answer, 20 bytes", all.map(\.question), "us")
        figures.add("  / a round trip over a bare socket", all.map { $0.question / $0.bareTrip }, digits: 2, "x")
        figures.add("Wormhole.send, 512 KiB", all.map(\.file), "KiB/s")
        figures.add("  / bare, datagrams of 4,096 bytes", all.map { $0.file / $0.bareDatagrams }, digits: 2, "x")
        print(figures.text)
    }
}

protocol ChannelWay: Sendable {
    var name: String { get }

    func measure(_ air: Air, _ listener: L2CAPListener) async throws -> ChannelTimes
}

struct ChannelTimes {
    /// In microseconds.
    let roundTrip: Double
    /// One way, in KiB a second.
    let rate: Double

    /// Times the round trips, and then the one-way datagrams of `size` bytes.
    ///
    /// - Parameter heard: waits until the far end has received all datagrams.
    init(
        size: Int = 512, send: ([UInt8]) async throws -> Void, receive: () async throws -> Void,
        heard: () async throws -> Void
    ) async throws {
        let clock = SystemClock()
        let (short, long) = ([UInt8](repeating: 1, count: 20), [UInt8](repeating: 1, count: size))
        let started = clock.now
        for _ in 0..<ChannelBenchmark.roundTrips {
            try await send(short)
            try await receive()
        }
        let turned = clock.now
        for _ in 0..<ChannelBenchmark.datagrams { try await send(long) }
        try await heard()
        roundTrip = Double((turned - started).count) / Double(ChannelBenchmark.roundTrips)
        rate = ChannelTimes.kibibytes(ChannelBenchmark.datagrams * size, clock.now - turned)
    }

    static func kibibytes(_ bytes: Int, _ time: Microseconds) -> Double {
        Double(bytes) / 1_024 * 1_000_000 / Double(max(1, time.count))
    }

    /// Starts a thread for the far end. The thread answers the round trips, and then receives the one-way datagrams.
    ///
    /// - Parameter receive: puts the next datagram into the buffer and returns its length; nil at the end.
    static func farEnd(
        receive: @escaping @Sendable (inout [UInt8]) -> Int?, send: @escaping @Sendable ([UInt8]) -> Void
    ) throws -> SystemThread {
        try SystemThread {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            for number in 0..<(ChannelBenchmark.roundTrips + ChannelBenchmark.datagrams) {
                guard let count = receive(&buffer) else { return }
                if number < ChannelBenchmark.roundTrips { send(Array(buffer.prefix(count))) }
            }
        }
    }
}

/// The baseline for the other ways: blocking calls on two threads, without Tapline's code.
struct BareWay: ChannelWay {
    let name = "bare"
    var size = 512

    func measure(_ air: Air, _ listener: L2CAPListener) async throws -> ChannelTimes {
        let near = try BareSocket.connect(air, to: listener.psm)
        let far = try BareSocket.accept(from: listener)
        defer { for end in [near, far] { close(end) } }
        for end in [near, far] { BareSocket.block(end) }
        let echo = try ChannelTimes.farEnd { buffer in
            let count = recv(far, &buffer, buffer.count, 0)
            return count > 0 ? count : nil
        } send: { bytes in
            _ = Glibc.send(far, bytes, bytes.count, 0)
        }
        var buffer = [UInt8](repeating: 1, count: 4_096)
        return try await ChannelTimes(
            size: size, send: { _ = Glibc.send(near, $0, $0.count, 0) },
            receive: { _ = recv(near, &buffer, buffer.count, 0) },
            heard: { echo.join() })
    }
}

/// Tapline's socket, polled by a thread on each side. The simulated watch uses it like this.
struct PolledWay: ChannelWay {
    let name = "polled"

    func measure(_ air: Air, _ listener: L2CAPListener) async throws -> ChannelTimes {
        let (phone, watch) = try await TaskWay.open(air, listener)
        let (near, far) = (phone.socket, watch.socket)
        defer { for end in [near, far] { end.close() } }
        let echo = try ChannelTimes.farEnd(receive: { far.next(into: &$0) }, send: { far.put($0) })
        var buffer = [UInt8](repeating: 1, count: 4_096)
        return try await ChannelTimes(
            send: { near.put($0) }, receive: { _ = near.next(into: &buffer) }, heard: { echo.join() })
    }
}

/// Tapline's channel, used by a task on each side. The phone uses it like this.
struct TaskWay: ChannelWay {
    let name = "tasks"

    static func open(_ air: Air, _ listener: L2CAPListener) async throws -> (phone: L2CAPChannel, watch: L2CAPChannel) {
        let connector = L2CAPConnector(
            to: air.watchPeer, psm: listener.psm, from: air.phone.address, timeLimit: .seconds(20))
        async let phone = connector.open()
        while true {
            if let watch = try listener.acceptWaiting() { return (try await phone, watch) }
            await Task.yield()
        }
    }

    func measure(_ air: Air, _ listener: L2CAPListener) async throws -> ChannelTimes {
        let (near, far) = try await TaskWay.open(air, listener)
        defer { for end in [near, far] { end.socket.close() } }
        let echo = Task {
            for number in 0..<(ChannelBenchmark.roundTrips + ChannelBenchmark.datagrams) {
                let bytes = try await far.transport.receive()
                if number < ChannelBenchmark.roundTrips { try await far.transport.send(bytes) }
            }
        }
        return try await ChannelTimes(
            send: { try await near.transport.send($0) }, receive: { _ = try await near.transport.receive() },
            heard: { try await echo.value })
    }
}

/// Tapline's channel, used by a task on the phone's side and polled by a thread on the watch's side. `tapline` does this.
struct MixedWay: ChannelWay {
    let name = "mixed"

    func measure(_ air: Air, _ listener: L2CAPListener) async throws -> ChannelTimes {
        let (near, watch) = try await TaskWay.open(air, listener)
        let far = watch.socket
        defer { for end in [near.socket, far] { end.close() } }
        let echo = try ChannelTimes.farEnd(receive: { far.next(into: &$0) }, send: { far.put($0) })
        return try await ChannelTimes(
            send: { try await near.transport.send($0) }, receive: { _ = try await near.transport.receive() },
            heard: { echo.join() })
    }
}

extension DatagramSocket {
    func put(_ datagram: [UInt8]) {
        while (try? send(datagram.span)) == false { wait(for: POLLOUT) }
    }

    func next(into buffer: inout [UInt8]) -> Int? {
        while true {
            var bytes = buffer.mutableSpan
            switch try? receive(into: &bytes) {
            case .datagram(let count): return count
            case .nothing: wait(for: POLLIN)
            case .truncated, .closed, nil: return nil
            }
        }
    }

    private func wait(for events: Int32) {
        guard let number = fileDescriptor else { return }
        var entry = pollfd(fd: number, events: Int16(events), revents: 0)
        _ = poll(&entry, 1, -1)
    }
}
