import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct LinkedRadioTests {
    private let switches = FaultSwitches()
    private let inner = ScriptedRadio()
    private let radio: LinkedRadio
    private let clock = HostClock()

    init() {
        radio = LinkedRadio(
            inner, switches: switches, clock: clock.control, cost: DeviceProfile.instant.radio, seed: 1)
    }

    private func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 512)
        var span = buffer.mutableSpan
        guard let count = radio.receive(into: &span) else { return nil }
        return Array(buffer.prefix(count))
    }

    @Test func `Without faults it is the radio under it`() {
        radio.service(at: .start)
        #expect(radio.state == inner.state)
        #expect(radio.send([0x05, 2].span) == .sent)
        #expect(inner.sent == [[0x05, 2]])
        inner.arrived = [[7]]
        #expect(receive() == [7])
        #expect(receive() == nil)
    }

    @Test func `A cut closes the channel and keeps it closed until it is over`() {
        radio.service(at: .start)
        switches.make(.cutFor(.seconds(2)), at: .start)
        #expect(radio.state == .down)
        #expect(radio.send([0x05].span) == .refused)
        radio.service(at: .start + .seconds(1))
        #expect(inner.disconnects == 1)
        #expect(radio.interest.wakeAt == .start + .seconds(2))
        let services = inner.services
        radio.service(at: .start + .milliseconds(1_999))
        #expect(inner.services == services)
        radio.service(at: .start + .seconds(2))
        #expect(inner.services == services + 1)
        #expect(switches.faults.isNone)
        #expect(radio.state != .down)
    }

    @Test func `What is late is handed on when it is due, also after the faults are over`() {
        radio.service(at: .start)
        switches.make(.phone(.seconds(1)), at: .start)
        #expect(radio.send([0x11, 1].span) == .sent)
        inner.arrived = [[0x05, 9]]
        radio.service(at: .start + .milliseconds(10))
        #expect(receive() == nil)
        #expect(radio.interest.wakeAt == .start + .seconds(1))
        switches.make(.none, at: .start + .milliseconds(20))
        inner.arrived = [[0x05, 10]]
        radio.service(at: .start + .milliseconds(500))
        #expect(receive() == nil)
        radio.service(at: .start + .seconds(1))
        #expect(receive() == [0x05, 9])
        #expect(receive() == [0x05, 10])
        #expect(receive() == nil)
    }

    @Test func `What the radio has no room for waits until it has`() {
        radio.service(at: .start)
        switches.make(.jitter(.milliseconds(1)), at: .start)
        inner.outcome = .busy
        #expect(radio.send([0x11, 1].span) == .sent)
        radio.service(at: .start + .milliseconds(5))
        #expect(inner.sent == [])
        // The message is already due. The radio waits only for room, so it needs no wake-up time.
        #expect(radio.interest.wakeAt == nil)
        inner.outcome = .sent
        radio.service(at: .start + .milliseconds(6))
        #expect(inner.sent == [[0x11, 1]])
    }

    @Test func `A loss of everything ends the channel and opens none`() {
        radio.service(at: .start)
        switches.make(.loss(percent: 100), at: .start)
        radio.service(at: .start)
        #expect(radio.send([0x11, 1].span) == .sent)
        inner.arrived = [[7]]
        radio.service(at: .start + .seconds(1))
        #expect(receive() == nil)
        #expect(inner.sent == [])
        let end = Instant.start + DeviceProfile.memoryLCD.radio.supervisionTimeout
        #expect(radio.interest.wakeAt == end)
        radio.service(at: end)
        #expect(inner.disconnects == 1)
        let services = inner.services
        radio.service(at: end + .seconds(1))
        #expect(inner.services == services)
        switches.make(.none, at: end + .seconds(2))
        radio.service(at: end + .seconds(2))
        #expect(radio.state != .down)
        #expect(inner.sent == [])
    }
}

private final class ScriptedRadio: RadioPort {
    var arrived: [[UInt8]] = []
    var outcome = RadioOutcome.sent
    private(set) var sent: [[UInt8]] = []
    private(set) var disconnects = 0
    private(set) var services = 0
    private(set) var state = RadioState.down

    var interest: RadioInterest { RadioInterest(.nothing) }

    func send(_ datagram: Span<UInt8>) -> RadioOutcome {
        if outcome == .sent { sent.append(datagram.indices.map { datagram[$0] }) }
        return outcome
    }

    func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        guard !arrived.isEmpty else { return nil }
        let datagram = arrived.removeFirst()
        for index in datagram.indices { buffer[index] = datagram[index] }
        return datagram.count
    }

    func disconnect() {
        disconnects += 1
        state = .down
    }

    func service(at now: Instant) {
        services += 1
        if state == .down { state = .up(connection: UInt32(services), maximumSDU: 512) }
    }
}
