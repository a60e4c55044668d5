import Testing
import WatchLink

@testable import BluetoothBridge

struct ConnectionPriorityTests {
    @Test(arguments: [ConnectionPriority.fast, .slow])
    func `The parameters are those that a controller takes`(_ pace: ConnectionPriority) {
        let parameters = pace.parameters
        #expect((6...3_200).contains(parameters.shortestInterval))
        #expect((parameters.shortestInterval...3_200).contains(parameters.longestInterval))
        #expect(parameters.latency <= 499)
        // The specification's rule: the time-out is more than twice the longest silence.
        let silence = Double(parameters.longestInterval) * 1.25 * Double(parameters.latency + 1)
        #expect(Double(parameters.supervisionTimeout) * 10 > 2 * silence)
    }

    @Test func `Fast is every 15 ms`() {
        #expect(Double(ConnectionPriority.fast.parameters.longestInterval) * 1.25 == 15)
    }

    @Test func `The settling time is six events of a slow link that the watch must not skip`() {
        let slow = ConnectionPriority.slow.parameters
        let interval = Microseconds(UInt64(slow.longestInterval) * 1_250)
        #expect(
            ConnectionParameterPolicy.settlingTime
                == ConnectionParameterPolicy.settlingTime(interval: interval, latency: Int(slow.latency)))
        #expect(ConnectionParameterPolicy.settlingTime == .milliseconds(1_080))
    }
}
