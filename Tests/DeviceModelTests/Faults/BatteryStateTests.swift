import Synchronization
import Testing

@testable import DeviceModel

@Suite struct BatteryControlTests {
    @Test func `it says what was set, and tells of every change`() {
        let control = BatteryControl()
        let changes = Mutex(0)
        control.observe { changes.withLock { $0 += 1 } }
        control.make(.charge(percent: 40))
        control.make(.charging(true))
        #expect(control.state == BatteryState(percent: 40, isCharging: true))
        control.make(.charge(percent: 200))
        #expect(control.state.percent == 100)
        #expect(changes.withLock { $0 } == 3)
        #expect(BatteryState(percent: 101) == nil)
        #expect(BatteryState(percent: -1) == nil)
    }

    @Test func `with a low supply it says almost nothing`() {
        let state = BatteryState.full
        #expect(state.shown(with: .sufficient) == state)
        #expect(state.shown(with: .low).percent == 1)
        #expect(BatteryState(percent: 0)?.shown(with: .low).percent == 0)
        #expect(state.words == "battery 100 %")
    }
}
