import DeviceModel
import HostSystem
import Testing
import Watch
import WatchLink

@testable import BluetoothBridge
@testable import HostRadio

@Suite struct BatteryLevelTests {
    private func watch(_ faults: FaultSwitches, _ battery: BatteryControl) throws -> SimulatedWatch {
        let board = try SimulatedBoard(
            flash: MemoryFlash(FlashGeometry(sectorCount: 16)), clock: .real(HostClock()), calendar: .unset,
            faults: faults)
        return try SimulatedWatch(
            running: RuntimeProgram(on: board, handler: ShippingHandler(), seed: 1), faults: faults, battery: battery)
    }

    @Test func `it follows the gauge, and a low supply`() throws {
        let (faults, battery) = (FaultSwitches(), BatteryControl())
        battery.make(.charge(percent: 60))
        let watch = try watch(faults, battery)
        defer { watch.stop() }
        let level = BatteryLevel(of: watch)
        #expect(level.percent == 60)
        battery.make(.charge(percent: 59))
        #expect(level.percent == 59)
        watch.make(.battery(.low))
        #expect(level.percent == 1)
        watch.make(.none)
        #expect(level.percent == 59)
    }

    @Test func `a listener hears of a change`() async throws {
        let (faults, battery) = (FaultSwitches(), BatteryControl())
        let watch = try watch(faults, battery)
        defer { watch.stop() }
        let level = BatteryLevel(of: watch)
        var levels = level.levels().makeAsyncIterator()
        #expect(await levels.next() == 100)
        battery.make(.charge(percent: 20))
        #expect(await levels.next() == 20)
    }
}
