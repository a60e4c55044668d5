import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct RuntimeProgramTests {
    private struct Pair {
        let watch: VirtualWatch<RuntimeProgram<MemoryFlash, ShippingHandler>>
        let phone: InMemoryPhone
        let radio: VirtualRadio
    }

    private func pair(items: Int) throws -> Pair {
        let clock = VirtualClock()
        let titles = (1...UInt32(items)).map { PhoneItem(id: $0, title: "item \($0)") }
        let phone = InMemoryPhone(list: "Groceries", items: titles)
        let radio = VirtualRadio(to: phone, clock: clock, latency: .milliseconds(5))
        let board = try SimulatedBoard(
            flash: MemoryFlash(FlashGeometry(sectorCount: 16)), radio: radio, clock: .virtual(clock),
            calendar: .set(LocalTime(seconds: 1_000_000), at: .start))
        let watch = try VirtualWatch(running: RuntimeProgram(on: board, handler: ShippingHandler(), seed: 7))
        return Pair(watch: watch, phone: phone, radio: radio)
    }

    @Test func `Two runs of the same script are the same to the byte`() throws {
        func run() throws -> [String] {
            let pair = try pair(items: 40)
            pair.radio.connect()
            for tap in 0..<12 {
                pair.watch.send(
                    .tap(row: tap % 6), at: Instant(microseconds: 1_000_000 + UInt64(tap) * 210_007))
            }
            pair.watch.clock.schedule(at: Instant(microseconds: 2_000_003)) { pair.radio.cut() }
            pair.watch.clock.schedule(at: Instant(microseconds: 3_500_009)) { pair.radio.connect() }
            var diary: [String] = []
            _ = pair.watch.wait(for: .seconds(20)) { snapshot in
                diary.append(
                    "\(snapshot.time.microseconds) \(snapshot.handled.count) \(snapshot.frame.bytes.hashValue) "
                        + "\(snapshot.description) \(snapshot.output.taps)")
                return false
            }
            diary.append("\(pair.phone.checkOffs)")
            return diary
        }
        let first = try run()
        #expect(first.count > 20)
        #expect(try run() == first)
    }

    @Test func `What was said of the screen is said again only while it holds`() throws {
        let clock = VirtualClock()
        let phone = InMemoryPhone(items: 30)
        let radio = VirtualRadio(to: phone, clock: clock, cost: DeviceProfile.memoryLCD.radio)
        let board = try SimulatedBoard(
            flash: MemoryFlash(FlashGeometry(sectorCount: 16)), radio: radio, clock: .virtual(clock),
            calendar: .set(LocalTime(seconds: 1_000_000), at: .start), profile: .memoryLCD)
        var program = RuntimeProgram(on: board, handler: ShippingHandler(), seed: 7)
        program.start()
        clock.schedule(at: .start + .milliseconds(10)) { radio.connect() }
        for tap in 1...20 {
            let time = Instant.start + .milliseconds(UInt32(tap) * 170)
            clock.schedule(at: time) { [inputs = board.inputs] in
                for input in [Input].tap(row: tap % 6) { inputs.post(TimedInput(input, at: time)) }
            }
        }
        clock.schedule(at: .start + .milliseconds(2_000)) { radio.cut() }
        clock.schedule(at: .start + .milliseconds(2_500)) { radio.connect() }
        clock.schedule(at: .start + .seconds(5)) { [inputs = board.inputs] in
            inputs.post(TimedInput(.press(.crown), at: .start + .seconds(5)))
        }
        let end = Instant.start + .seconds(200)
        var spoken: Set<[String]> = []
        while clock.now < end {
            switch program.step() {
            case .again: break
            case .idle(let deadline): board.idle(until: min(deadline ?? end, end))
            }
            let screen = program.describe()
            let anew = ScreenDescription(&program.runtime, .all)
            try #require(screen == anew)
            spoken.insert(anew.lines)
        }
        #expect(spoken.count > 40)
        #expect(phone.checkOffs.count > 10)
    }

    @Test func `A snapshot shows what was, however late a test looks at it`() throws {
        let pair = try pair(items: 10)
        pair.radio.connect()
        _ = pair.watch.wait(for: .seconds(2)) { $0.description.rows.count == 10 }
        let before = pair.watch.snapshot
        // The rows have to be on the panel too.
        _ = pair.watch.wait(for: .milliseconds(50)) { _ in false }
        pair.watch.send(.tap(row: 0))
        _ = pair.watch.wait(for: .seconds(2)) { $0.description.rows.count == 9 }
        #expect(before.description.rows.first?.title == "item 1")
        #expect(pair.watch.snapshot.description.rows.first?.title == "item 2")
    }
}
