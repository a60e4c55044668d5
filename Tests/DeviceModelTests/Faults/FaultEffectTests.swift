import TestDoubles
import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct FaultEffectTests {
    private struct Notice: Equatable {
        var pulses: [HapticPattern]
        var spent: TimeSpent
        /// The delay of the phone's answer to each message; nil if no answer came.
        var answers: [Microseconds?]
    }

    @Test(arguments: Fault.all.dropLast()) func `A fault makes a difference`(fault: Fault) throws {
        var faults = WatchFaults()
        var changes: [FaultChange] = []
        var notices: [Notice] = []
        repeat {
            let change = fault.next(faults)
            faults.make(change, at: .start)
            changes.append(change)
            notices.append(try notice(changes))
        } while !faults.isNone && changes.count < 10
        // The last change turns the fault off.
        #expect(notices.last == (try notice([])))
        #expect(notices.contains { $0 != notices.last }, "nothing reacts to \(fault.label)")
    }

    @Test func `A low battery, with which no receipt is felt, is shown on the face and the status sheet`() throws {
        let bench = try WatchBench.connected(items: 3, for: .seconds(1))
        bench.send(.press(.crown))
        bench.run(for: .milliseconds(200))
        let face = bench.snapshot.frame
        bench.faults.supply = .low
        bench.run(for: .milliseconds(200))
        #expect(bench.snapshot.frame != face && bench.screen.lines.contains("battery low"))
        bench.send(.press(.side))
        bench.run(for: .milliseconds(200))
        #expect(bench.screen.lines.first == "Phone, battery low")
        bench.send(.press(.side))
        bench.faults.supply = .sufficient
        bench.run(for: .milliseconds(200))
        #expect(bench.snapshot.frame == face)
    }

    private func notice(_ changes: [FaultChange]) throws -> Notice {
        let bench = try WatchBench.connected(items: 3)
        let switches = FaultSwitches()
        for change in changes { switches.make(change, at: .start) }
        bench.faults = switches.faults
        bench.tap(0)
        bench.run(for: .seconds(2))
        return Notice(
            pulses: bench.snapshot.haptics.pulses.map(\.pattern), spent: bench.work.spent,
            answers: answers(switches))
    }

    private func answers(_ switches: FaultSwitches) -> [Microseconds?] {
        let phone = EchoRadio()
        let radio = LinkedRadio(
            phone, switches: switches, clock: HostClock().control, cost: DeviceProfile.memoryLCD.radio, seed: 1)
        var now = Instant.start
        radio.service(at: now)
        return (0..<20).map { number in
            let sent = now
            _ = radio.send([0x11, UInt8(number)].span)
            while now - sent < .seconds(7) {
                now = now + .milliseconds(5)
                radio.service(at: now)
                var buffer = [UInt8](repeating: 0, count: 512)
                var span = buffer.mutableSpan
                if radio.receive(into: &span) != nil { return now - sent }
            }
            return nil
        }
    }
}

private final class EchoRadio: RadioPort {
    private var arrived: [[UInt8]] = []

    var state: RadioState { .up(connection: 1, maximumSDU: 512) }
    var interest: RadioInterest { RadioInterest(.nothing) }

    func send(_ datagram: Span<UInt8>) -> RadioOutcome {
        arrived.append(datagram.indices.map { datagram[$0] })
        return .sent
    }

    func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        guard !arrived.isEmpty else { return nil }
        let bytes = arrived.removeFirst()
        for (index, byte) in bytes.enumerated() { buffer[index] = byte }
        return bytes.count
    }

    func disconnect() {}
    func service(at now: Instant) {}
}
