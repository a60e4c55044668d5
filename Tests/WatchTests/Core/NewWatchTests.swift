import Testing
import WatchLink

@testable import DeviceModel
@testable import Watch

/// The pictures that the firmware is compared with, drawn by the same runtime on a board made of software.
@Suite struct NewWatchTests {
    @Test func aNewWatchHasNoListAndKnowsTheTime() throws {
        let bench = try WatchBench(phone: SimulatedPhone(items: 0), handler: ShippingHandler())
        try GoldenImage.expect(bench.snapshot.frame.bytes, "watch-new")
        bench.send(.press(.crown))
        try GoldenImage.expect(bench.snapshot.frame.bytes, "watch-new-face")
    }

    @Test func theVisibleRowsFitOneReportWhateverTheyAre() throws {
        let wide = String(repeating: "W", count: 60)
        let phone = SimulatedPhone(list: wide, items: (0..<128).map { PhoneItem(id: 4_000_000_000 + $0, title: wide) })
        let bench = try WatchBench(phone: phone, handler: ShippingHandler())
        bench.connect()
        bench.run(for: .seconds(1))
        let board = try SimulatedBoard(
            flash: bench.flash, radio: nil, clock: .virtual(VirtualClock()),
            calendar: WatchBench<ShippingHandler>.defaultCalendar)
        var program = RuntimeProgram(on: board, handler: ShippingHandler(), seed: 1)
        program.start()
        // An answer that does not fit is an error.
        #expect(try program.runtime.description().count > 6 * 48)
        #expect(program.describe().rows.count == 128)
    }
}
