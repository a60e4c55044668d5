import BenchmarkFigures
import BluetoothBridge
import BluetoothBridgeTesting
import Glibc
import WatchLink
import Wormhole

/// What a channel of ours costs over a bare socket: round trip and throughput between the same two adapters, in one run and
/// in turns, so that all see the same machine. `Tests/bluetooth benchmark` runs it.
@main
struct ChannelBenchmark {
    /// Round trips of 20 bytes that are timed in each turn.
    static let roundTrips = 300
    /// Datagrams of 512 bytes, the watch's largest, that are timed in each turn.
    static let datagrams = 600
    /// How often each way has its turn; the median counts.
    static let turns = 7

    static func main() async throws {
        let air = try Air()
        try air.bond(.numericComparison)
        let listener = try L2CAPListener(on: air.watch.address)
        let ways: [any Way] = [BareWay(), PolledWay(), TaskWay(), MixedWay()]
        var figures: [[Figures]] = ways.map { _ in [] }
        for _ in 0..<turns {
            for (index, way) in ways.enumerated() { figures[index].append(try await way.measure(air, listener)) }
        }
        let bare = Figures(medianOf: figures[0])
        print("         round trip, 20 bytes    one way, 512 bytes")
        for (way, all) in zip(ways, figures) {
            let median = Figures(medianOf: all)
            let slower = rounded(median.microseconds / bare.microseconds)
            let share = rounded(median.kibibytesPerSecond / bare.kibibytesPerSecond)
            print(
                "\(way.name)   \(median.microseconds) us, \(slower) x    \(median.kibibytesPerSecond) KiB/s, \(share) x"
            )
        }
        try await measureEndpoints(air, listener)
    }

    /// Two endpoints over a channel of theirs, beside a bare socket in the same turn.
    private static func measureEndpoints(_ air: Air, _ listener: L2CAPListener) async throws {
        let endpoints = try await EndpointBenchmark(air)
        var all: [EndpointBenchmark.Turn] = []
        // The first turn warms the caches up and is not counted.
        for turn in 0...turns {
            let measured = try await endpoints.turn(air, listener)
            if turn > 0 { all.append(measured) }
        }
        await endpoints.close()
        let questions = Spread(all.map { $0.question / $0.bareTrip })
        let files = Spread(all.map { $0.file / $0.bareDatagrams })
        print(
            """
            ask and answer, 20 bytes          \(Spread(all.map(\.question)).text(digits: 0)) us
              / a round trip over a bare socket   \(questions.text(digits: 2)) x
            Wormhole.send, 512 KiB            \(Spread(all.map(\.file)).text(digits: 0)) KiB/s
              / bare, datagrams of 4,096 bytes    \(files.text(digits: 2)) x
            """)
    }

    private static func rounded(_ ratio: Double) -> Double { (ratio * 100).rounded() / 100 }
}

/// A way to use a channel.
protocol Way: Sendable {
    var name: String { get }

    /// Opens a channel, measures and closes it.
    func measure(_ air: Air, _ listener: L2CAPListener) async throws -> Figures
}

struct Figures {
    /// Of one round trip.
    let microseconds: Double
    /// One way.
    let kibibytesPerSecond: Double

    init(_ started: WatchLink.Instant, _ turned: WatchLink.Instant, _ ended: WatchLink.Instant) {
        microseconds = (Double((turned - started).count) / Double(ChannelBenchmark.roundTrips)).rounded()
        let bytes = Double(ChannelBenchmark.datagrams * 512)
        kibibytesPerSecond = (bytes / 1.024 * 1_000 / Double((ended - turned).count)).rounded()
    }

    init(medianOf all: [Figures]) {
        microseconds = all.map(\.microseconds).sorted()[all.count / 2]
        kibibytesPerSecond = all.map(\.kibibytesPerSecond).sorted()[all.count / 2]
    }
}

/// Blocking calls on two threads, with nothing of ours: what the others are compared with.
struct BareWay: Way {
    let name = "bare  "

    func measure(_ air: Air, _ listener: L2CAPListener) async throws -> Figures {
        let near = try BareSocket.connect(air, to: listener.psm)
        let far = try BareSocket.accept(from: listener)
        defer { for end in [near, far] { close(end) } }
        for end in [near, far] { BareSocket.block(end) }
        let clock = SystemClock()
        let echo = FarEnd { number, buffer in
            let count = recv(far, &buffer, buffer.count, 0)
            if count > 0, number < ChannelBenchmark.roundTrips { _ = send(far, buffer, count, 0) }
            return count > 0
        }
        var buffer = [UInt8](repeating: 1, count: 4_096)
        let started = clock.now
        for _ in 0..<ChannelBenchmark.roundTrips {
            _ = send(near, buffer, 20, 0)
            _ = recv(near, &buffer, buffer.count, 0)
        }
        let turned = clock.now
        for _ in 0..<ChannelBenchmark.datagrams { _ = send(near, buffer, 512, 0) }
        echo.wait()
        return Figures(started, turned, clock.now)
    }
}

/// Our socket, polled by two threads: the simulated watch's way.
struct PolledWay: Way {
    let name = "polled"

    func measure(_ air: Air, _ listener: L2CAPListener) async throws -> Figures {
        let (phone, watch) = try await TaskWay.open(air, listener)
        let (near, far) = (phone.socket, watch.socket)
        defer { for end in [near, far] { end.close() } }
        let clock = SystemClock()
        let echo = FarEnd { number, buffer in
            let count = far.next(into: &buffer)
            if let count, number < ChannelBenchmark.roundTrips { far.put(Array(buffer.prefix(count))) }
            return count != nil
        }
        let (short, long) = ([UInt8](repeating: 1, count: 20), [UInt8](repeating: 1, count: 512))
        var buffer = [UInt8](repeating: 1, count: 4_096)
        let started = clock.now
        for _ in 0..<ChannelBenchmark.roundTrips {
            near.put(short)
            _ = near.next(into: &buffer)
        }
        let turned = clock.now
        for _ in 0..<ChannelBenchmark.datagrams { near.put(long) }
        echo.wait()
        return Figures(started, turned, clock.now)
    }
}

/// Our channel, used by two tasks: the phone's way.
struct TaskWay: Way {
    let name = "tasks "

    /// Times `near` against a far end, which has heard everything when `heard` returns.
    static func time(_ near: L2CAPChannel, heard: () async throws -> Void) async throws -> Figures {
        let clock = SystemClock()
        let (short, long) = ([UInt8](repeating: 1, count: 20), [UInt8](repeating: 1, count: 512))
        let started = clock.now
        for _ in 0..<ChannelBenchmark.roundTrips {
            try await near.transport.send(short)
            _ = try await near.transport.receive()
        }
        let turned = clock.now
        for _ in 0..<ChannelBenchmark.datagrams { try await near.transport.send(long) }
        try await heard()
        return Figures(started, turned, clock.now)
    }

    static func open(_ air: Air, _ listener: L2CAPListener) async throws -> (phone: L2CAPChannel, watch: L2CAPChannel) {
        let connector = L2CAPConnector(
            to: air.watchPeer, psm: listener.psm, from: air.phone.address, timeLimit: .seconds(20))
        async let phone = connector.open()
        while true {
            if let watch = try listener.acceptWaiting() { return (try await phone, watch) }
            await Task.yield()
        }
    }

    func measure(_ air: Air, _ listener: L2CAPListener) async throws -> Figures {
        let (near, far) = try await TaskWay.open(air, listener)
        defer {
            near.socket.close()
            far.socket.close()
        }
        let echo = Task {
            for number in 0..<(ChannelBenchmark.roundTrips + ChannelBenchmark.datagrams) {
                let bytes = try await far.transport.receive()
                if number < ChannelBenchmark.roundTrips { try await far.transport.send(bytes) }
            }
        }
        return try await TaskWay.time(near) { try await echo.value }
    }
}

/// Our channel, used by a task on the phone's side, and polled by a thread on the watch's: what `tapline` does.
struct MixedWay: Way {
    let name = "mixed "

    func measure(_ air: Air, _ listener: L2CAPListener) async throws -> Figures {
        let (near, watch) = try await TaskWay.open(air, listener)
        let far = watch.socket
        defer {
            near.socket.close()
            far.close()
        }
        let echo = FarEnd { number, buffer in
            let count = far.next(into: &buffer)
            if let count, number < ChannelBenchmark.roundTrips { far.put(Array(buffer.prefix(count))) }
            return count != nil
        }
        return try await TaskWay.time(near) { echo.wait() }
    }
}

extension DatagramSocket {
    func put(_ datagram: [UInt8]) {
        while (try? send(datagram.span)) == .busy { wait(for: POLLOUT) }
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

/// The far end of a channel, on a thread of its own.
final class FarEnd {
    private var thread = pthread_t()

    /// What the thread does with each datagram, by its number; false ends it.
    typealias Step = (_ number: Int, _ buffer: inout [UInt8]) -> Bool

    private final class Job {
        let count: Int
        let step: Step

        init(_ count: Int, _ step: @escaping Step) { (self.count, self.step) = (count, step) }

        func run() {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            for number in 0..<count where !step(number, &buffer) { return }
        }
    }

    /// Starts the thread, for a number of datagrams.
    init(_ count: Int = ChannelBenchmark.roundTrips + ChannelBenchmark.datagrams, _ step: @escaping Step) {
        pthread_create(
            &thread, nil,
            { context in
                // The context is the one retained reference that was handed to this thread.
                guard let context else { return nil }
                Unmanaged<Job>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(Job(count, step)).toOpaque())
    }

    func wait() { pthread_join(thread, nil) }
}
