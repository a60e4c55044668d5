import Testing
import WatchLink

@testable import DeviceModel

@Suite struct FaultyAirTests {
    private static let message: [UInt8] = [FrameKind.queued.rawValue, 1]
    private static let acknowledgement: [UInt8] = [FrameKind.acknowledgement.rawValue, 1]
    private static let pong: [UInt8] = [FrameKind.pong.rawValue]
    private let cost = DeviceProfile.memoryLCD.radio

    /// Air that takes no time of itself.
    private func air(seed: UInt64 = 1) -> FaultyAir {
        FaultyAir(DeviceProfile.instant.radio, seed: seed)
    }

    private func at(_ milliseconds: UInt32) -> Instant { .start + .milliseconds(milliseconds) }

    @Test func `Without faults everything arrives at once`() {
        var air = air()
        air.sendToPhone(Self.message, WatchFaults(), at: at(10))
        air.sendToWatch(Self.acknowledgement, WatchFaults(), at: at(10))
        #expect(air.toPhone.map(\.due) == [at(10)])
        #expect(air.takeForWatch(at: at(10)) == Self.acknowledgement)
        #expect(air.nextDue == at(10))
    }

    @Test func `Air that takes time carries so many bytes in every event`() {
        let cost = RadioCost(
            interval: .milliseconds(30), latency: 3, payloadPerEvent: 100, supervisionTimeout: .seconds(6))
        var air = FaultyAir(cost, seed: 1)
        #expect(!air.isInstant)
        _ = air.follow(.up(connection: 1, maximumSDU: 512), at: at(1_000))
        let long = [UInt8](repeating: FrameKind.queued.rawValue, count: 250)
        air.sendToPhone(long, WatchFaults(), at: at(1_001))
        air.sendToPhone(Self.message, WatchFaults(), at: at(1_001))
        air.sendToPhone(long, WatchFaults(), at: at(1_001))
        // Events 1 to 3; 50 bytes of the third are left, and 48 of them go on.
        #expect(air.toPhone.map(\.due) == [at(1_090), at(1_090), at(1_180)])
        air.toPhone = []
        // Nothing has happened for long: the watch listens to every fourth event alone.
        air.sendToWatch(Self.acknowledgement, WatchFaults(), at: at(10_001))
        #expect(air.toWatch.map(\.due) == [at(10_120)])
        air.sendToWatch(Self.acknowledgement, WatchFaults(), at: at(10_121))
        #expect(air.toWatch.map(\.due) == [at(10_120), at(10_150)])
    }

    @Test(arguments: [30, 60, 90])
    func `A loss costs as many intervals as events are lost, and no order`(loss: Int) {
        var faults = WatchFaults()
        faults.loss = loss
        var air = air(seed: UInt64(loss))
        var events = 0
        let count = 2_000
        for number in 0..<count {
            // So far apart that none waits for the one before.
            let sent = Instant.start + .seconds(UInt32(number) * 10)
            air.sendToPhone(Self.message, faults, at: sent)
            let late = (air.toPhone[number].due - sent).count
            #expect(late % cost.interval.count == 0)
            events += Int(late / cost.interval.count)
        }
        #expect(air.toPhone.map(\.due) == air.toPhone.map(\.due).sorted())
        // Of a geometric distribution the mean is p / (1 - p).
        let mean = Double(events) / Double(count)
        let expected = Double(loss) / Double(100 - loss)
        #expect(abs(mean - expected) < 0.2 * expected)
    }

    @Test func `Jitter is at most what it is said to be, and what comes later does not overtake`() {
        var faults = WatchFaults()
        faults.jitter = .milliseconds(50)
        var air = air()
        for _ in 0..<200 { air.sendToWatch(Self.acknowledgement, faults, at: at(100)) }
        let due = air.toWatch.map(\.due)
        #expect(due == due.sorted())
        #expect(due.allSatisfy { $0 >= at(100) && $0 <= at(150) })
        #expect(Set(due.map(\.microseconds)).count > 3)
    }

    @Test func `A slow phone is late with what follows from a message, and in time with its signs of life`() {
        var faults = WatchFaults()
        faults.phone = .seconds(2)
        var air = air()
        air.sendToWatch(Self.acknowledgement, faults, at: at(0))
        #expect(air.takeForWatch(at: at(0)) == Self.acknowledgement)
        air.sendToPhone(Self.message, faults, at: at(100))
        air.sendToWatch(Self.pong, faults, at: at(110))
        #expect(air.takeForWatch(at: at(110)) == Self.pong)
        air.sendToWatch(Self.acknowledgement, faults, at: at(120))
        #expect(air.takeForWatch(at: at(2_099)) == nil)
        #expect(air.takeForWatch(at: at(2_100)) == Self.acknowledgement)
    }

    @Test func `A link over which nothing is heard dies after the supervision timeout`() {
        var faults = WatchFaults()
        faults.loss = 100
        var air = air()
        #expect(air.silence(faults, isUp: true, at: at(0)) == .silent)
        #expect(air.endOfSilence == .start + cost.supervisionTimeout)
        #expect(air.silence(faults, isUp: true, at: at(1_000)) == .silent)
        #expect(air.silence(faults, isUp: true, at: .start + cost.supervisionTimeout) == .over)
        air.clear()
        #expect(air.silence(faults, isUp: false, at: at(60_000)) == .silent)
        #expect(air.silence(WatchFaults(), isUp: false, at: at(60_000)) == .heard)
    }

    @Test func `What is on its way over a channel that ends is lost`() {
        var air = air()
        #expect(air.follow(.up(connection: 1, maximumSDU: 512), at: .start) == .opened)
        air.sendToPhone(Self.message, WatchFaults(), at: at(10))
        #expect(air.follow(.up(connection: 1, maximumSDU: 512), at: .start) == .same)
        #expect(air.toPhone.count == 1)
        #expect(air.follow(.up(connection: 2, maximumSDU: 512), at: .start) == .opened)
        #expect(air.toPhone.isEmpty)
        #expect(air.follow(.down, at: .start) == .closed)
    }
}
