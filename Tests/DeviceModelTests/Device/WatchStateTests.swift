import TestSupport
import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct WatchStateTests {
    private func bench(_ phone: InMemoryPhone) throws -> WatchBench<ShippingHandler> {
        try WatchBench(phone: phone, handler: ShippingHandler())
    }

    @Test func `another watch goes on where the saved one was`() throws {
        let phone = InMemoryPhone(items: 5)
        let first = try bench(phone)
        first.connect()
        first.tap(1)
        first.run(for: .seconds(1))
        first.disconnect()
        first.tap(0)
        first.run(for: .seconds(1))
        first.watch.battery?.make(.charge(percent: 40))
        let state = try first.watch.saveState()
        #expect(state.link == .down)

        let second = try bench(phone)
        try second.watch.loadState(try WatchState(json: state.json))
        #expect(second.titles == ["Item 3", "Item 4", "Item 5"])
        #expect(second.screen.waitingMessages == 1)
        #expect(second.watch.shownBattery?.percent == 40)
        second.connect()
        #expect(phone.checkOffs.map(\.id) == [2, 1])
    }

    @Test func `a check-off that was felt is in what is saved at once after it`() throws {
        for pause in [0, 1, 3, 10, 249, 251] as [UInt32] {
            let phone = InMemoryPhone(items: 3)
            let first = try bench(phone)
            first.connect()
            first.disconnect()
            first.run(for: .seconds(1))
            for input in [Input].tap(row: 0) { first.watch.send(input) }
            _ = first.watch.wait(for: .milliseconds(pause)) { _ in false }
            let state = try first.watch.saveState()
            // The touch controller sees a finger at its next scan.
            let felt = first.snapshot.haptics.count
            #expect(felt == (pause < 10 ? felt : 1))

            let second = try bench(phone)
            try second.watch.loadState(state)
            second.connect()
            #expect(phone.checkOffs.count == felt, "\(pause) ms after the touch")
        }
    }

    @Test func `after a day of anything both watches do the same, and nothing that was felt is lost`() throws {
        var kept = 0
        try withSeeds(12, "a day, save and load") { random, seed in
            let phone = InMemoryPhone(items: 12)
            let first = try bench(phone)
            first.connect()
            for _ in 0..<40 { happen(on: first, &random) }
            first.disconnect()
            let state = try first.watch.saveState()
            let felt = first.snapshot.haptics.pulses.count { $0.pattern != .failure }

            let second = try bench(phone)
            try second.watch.loadState(try WatchState(json: state.json))
            try first.watch.restart(.restart)
            #expect(try second.watch.restart(.read) == first.watch.restart(.read), "seed \(seed)")
            let inputs = (0..<20).map { _ in input(&random) }
            for input in inputs {
                for bench in [first, second] {
                    bench.send(input)
                    bench.run(for: .seconds(1))
                }
                // The file keeps whole seconds. So one watch may reach the next minute up to a second after the other.
                let times = [first, second].map { $0.watch.calendar?.reading(at: $0.clock.now, ahead: 0).shows }
                guard times[0].map({ $0 / 60 }) == times[1].map({ $0 / 60 }) else {
                    let apart = (times[0] ?? 0).distance(to: times[1] ?? 0)
                    #expect(abs(apart) <= 1, "seed \(seed)")
                    continue
                }
                #expect(second.screen.text == first.screen.text, "seed \(seed)")
                #expect(second.snapshot.frame == first.snapshot.frame, "seed \(seed)")
            }
            let later = second.snapshot.haptics.pulses.count { $0.pattern != .failure }
            second.connect()
            #expect(second.screen.isSynchronized, "seed \(seed)")
            #expect(phone.checkOffs.count >= felt + later, "seed \(seed)")
            kept += felt + later
        }
        #expect(kept > TestLevel.rounds(2, nightly: 12), "hardly anything was felt")
    }

    private func happen(on bench: WatchBench<ShippingHandler>, _ random: inout SplitMix64) {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: bench.disconnect()
        case 1: bench.connect()
        case 2:
            let number = UInt32.random(in: 100..<100_000, using: &random)
            bench.onPhone { $0.add(PhoneItem(id: number, title: "Item \(number)")) }
        case 3: bench.run(for: .seconds(UInt32.random(in: 1..<3_600, using: &random)))
        case 4: _ = try? bench.watch.restart(.restart)
        default:
            bench.send(input(&random))
            bench.run(for: .milliseconds(UInt32.random(in: 1..<600, using: &random)))
        }
    }

    private func input(_ random: inout SplitMix64) -> [Input] {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: [.crown(detents: Int8.random(in: -4...4, using: &random))]
        case 1: [.press(.crown)]
        case 2: [.press(.side)]
        default: .tap(row: Int.random(in: 0..<RowGeometry.rowsVisible, using: &random))
        }
    }

    @Test func `a restart keeps the flash, drops the link and lets the clock go on`() throws {
        let bench = try bench(InMemoryPhone(items: 3))
        bench.connect()
        bench.tap(0)
        bench.run(for: .seconds(1))
        let before = try #require(bench.watch.calendar?.reading(at: bench.clock.now, ahead: 0).shows)
        try bench.watch.restart(.restart)
        #expect(bench.titles == ["Item 2", "Item 3"])
        #expect(bench.screen.link == .down)
        #expect(bench.snapshot.taps.isEmpty)
        #expect(bench.watch.calendar?.reading(at: bench.clock.now, ahead: 0).shows == before)
        bench.connect()
        #expect(bench.screen.isSynchronized)
        bench.tap(0)
        #expect(bench.snapshot.taps.map(\.tap.count) == [1])
    }

    @Test func `off the wrist a watch starts without a word of what is private`() throws {
        for way in 0..<3 {
            let bench = try bench(InMemoryPhone(list: "Groceries", items: [PhoneItem(id: 1, title: "Secret")]))
            bench.connect()
            bench.send(.wrist(.removed))
            switch way {
            case 0: try bench.watch.restart(.restart)
            case 1: try bench.watch.restart(.reset)
            default: try bench.watch.loadState(try WatchState(json: bench.watch.saveState().json))
            }
            #expect(bench.screen.screen == .face && bench.screen.wrist == .removed)
            bench.connect()
            bench.run(for: .seconds(1))
            #expect(!bench.screen.text.contains("Secret"))
            bench.send(.wrist(.worn))
            bench.send(.press(.crown))
            #expect(bench.titles == ["Secret"])
        }
        // A watch that loads the state is off the wrist, as the saved watch was.
        let first = try bench(InMemoryPhone(items: 1))
        first.connect()
        first.send(.wrist(.removed))
        let second = try bench(InMemoryPhone(items: 1))
        try second.watch.loadState(try WatchState(json: first.watch.saveState().json))
        second.run(for: .seconds(1))
        #expect(second.screen.wrist == .removed)
    }

    @Test func `a reset leaves nothing of the list in the flash`() throws {
        let bench = try bench(InMemoryPhone(list: "Groceries", items: [PhoneItem(id: 1, title: "Secret")]))
        bench.connect()
        bench.run(for: .seconds(2))
        let secret = Array("Secret".utf8)
        #expect(try bench.watch.restart(.read).bytes.contains(secret))
        try bench.watch.restart(.reset)
        #expect(!bench.flash.contents.contents.contains(secret))
        #expect(bench.titles.isEmpty)
        bench.connect()
        #expect(bench.titles == ["Secret"])
    }

    @Test func `a watch takes no flash of another kind, and goes on`() throws {
        let bench = try bench(InMemoryPhone(items: 3))
        bench.connect()
        let before = try bench.watch.restart(.read)
        let other = FlashGeometry(sectorCount: 16)
        #expect(throws: RestartError.otherChip(expected: before.geometry, found: other)) {
            try bench.watch.restart(.load(FlashImage(erased: other)))
        }
        #expect(try bench.watch.restart(.read) == before)
        #expect(bench.screen.link == .reachable)
        #expect(bench.titles.count == 3)
    }

    @Test func `a chip that fails keeps what it had where it can`() throws {
        let bench = try bench(InMemoryPhone(items: 3))
        bench.connect()
        let before = try bench.watch.restart(.read)
        bench.flash.change { $0.fault = .pending(.verifyFailed, operations: 60, noise: FlashNoise(seed: 1)) }
        #expect(throws: RestartError.flashFailed(.verifyFailed)) {
            try bench.watch.restart(.load(FlashImage(before.geometry, bytes: before.bytes.map { $0 & 0x0F }) ?? before))
        }
        #expect(bench.flash.contents.contents == before.bytes)
    }
}

extension [UInt8] {
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: part) }
    }
}
