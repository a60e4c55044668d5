import Testing
import WatchLink

@testable import BluetoothBridge

@Suite("The pace of a link")
struct ConnectionPriorityTests {
    @Test("The parameters are those that a controller takes", arguments: [ConnectionPriority.fast, .slow])
    func allowed(_ pace: ConnectionPriority) {
        let parameters = pace.parameters
        #expect((6...3_200).contains(parameters.shortestInterval))
        #expect((parameters.shortestInterval...3_200).contains(parameters.longestInterval))
        #expect(parameters.latency <= 499)
        // The specification's rule: the time-out is more than twice the longest silence.
        let silence = Double(parameters.longestInterval) * 1.25 * Double(parameters.latency + 1)
        #expect(Double(parameters.supervisionTimeout) * 10 > 2 * silence)
    }

    @Test("Fast is every 15 ms")
    func fast() {
        #expect(Double(ConnectionPriority.fast.parameters.longestInterval) * 1.25 == 15)
    }

    @Test("The settling time is six events of a slow link that the watch must not skip")
    func settlingTime() {
        let slow = ConnectionPriority.slow.parameters
        let interval = Microseconds(UInt64(slow.longestInterval) * 1_250)
        #expect(
            ConnectionParameterPolicy.settlingTime
                == ConnectionParameterPolicy.settlingTime(interval: interval, latency: Int(slow.latency)))
        #expect(ConnectionParameterPolicy.settlingTime == .milliseconds(1_080))
    }
}
