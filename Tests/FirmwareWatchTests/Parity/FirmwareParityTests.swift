import DeviceModel
import Testing
import Watch
import WatchLink

@testable import FirmwareWatch

/// The firmware does what the simulated watch does: the same pictures, the same words, the same messages.
@Suite(.serialized, .enabled(if: FirmwareUnderTest.image != nil, "FIRMWARE names no image"))
struct FirmwareParityTests {
    private static let pause = ParityStep.run(.milliseconds(400))

    private static let scenarios: [(name: String, items: Int, steps: [ParityStep])] = [
        ("a new watch", 0, [.run(.seconds(1)), .send(.press(.crown)), pause, .send(.press(.crown)), pause]),
        (
            "taps", 10,
            [
                .connect, pause, .tap(row: 0), pause, .tap(row: 2), pause, .tap(row: 0), .tap(row: 1), pause,
                .send(.touch(x: 3, y: 3)), pause, .run(.seconds(5)),
            ]
        ),
        (
            "the crown, the face and the sheets", 30,
            [
                .connect, pause, .send(.crown(detents: 5)), pause, .tap(row: 3), pause, .send(.crown(detents: 100)),
                pause, .send(.crown(detents: -2)), pause, .send(.press(.crown)), pause, .send(.press(.side)), pause,
                .send(.press(.crown)), pause, .send(.press(.crown)), pause, .send(.crown(detents: -128)), pause,
            ]
        ),
        (
            "without a phone", 5,
            [
                .connect, pause, .cut, pause, .tap(row: 0), pause, .tap(row: 1), pause, .run(.seconds(20)), .connect,
                pause, .tap(row: 0), pause,
            ]
        ),
        (
            "changes on the phone", 4,
            [
                .connect, pause, .add(50, "Rye bread, sliced and rather long for a row"), pause, .remove(2), pause,
                .rename(3, "Crème fraîche"), pause, .tap(row: 1), .remove(1), pause, .send(.press(.crown)), pause,
            ]
        ),
        (
            "a restart", 8,
            [
                .connect, pause, .tap(row: 0), pause, .cut, pause, .tap(row: 0), pause, .restart, pause, .connect,
                pause, .tap(row: 0), pause,
            ]
        ),
        ("the end of a list", 2, [.connect, pause, .tap(row: 0), pause, .tap(row: 0), pause, .run(.seconds(2))]),
        ("more than the watch holds", 200, [.connect, .run(.seconds(2)), .tap(row: 5), pause, .tap(row: 0), pause]),
    ]

    @Test(arguments: scenarios.map(\.name))
    func `it shows and sends what the simulated watch does`(name: String) throws {
        let scenario = try #require(Self.scenarios.first { $0.name == name })
        let simulated = try WatchBench(
            phone: SimulatedPhone(items: scenario.items), handler: ShippingHandler(), profile: .asTheFirmware,
            datagramTime: .milliseconds(15))
        let firmware = try FirmwareBench(
            image: try #require(FirmwareUnderTest.image), phone: SimulatedPhone(items: scenario.items))
        try compare(firmware, with: simulated, after: "the start")
        for (number, step) in scenario.steps.enumerated() {
            try simulated.perform(step)
            try firmware.perform(step)
            try compare(firmware, with: simulated, after: "step \(number): \(step)")
        }
    }

    private func compare(_ firmware: some ParityBench, with simulated: some ParityBench, after step: String) throws {
        let (found, expected) = (firmware.snapshot, simulated.snapshot)
        try #require(found.phase == .running, "after \(step)")
        #expect(found.description.lines == expected.description.lines, "after \(step)")
        #expect(found.frame == expected.frame, "after \(step)")
        #expect(found.haptics.pulses.map(\.pattern) == expected.haptics.pulses.map(\.pattern), "after \(step)")
        let arrived = (firmware.phone.checkOffs, simulated.phone.checkOffs)
        #expect(arrived.0.map { [$0.id, $0.sequence] } == arrived.1.map { [$0.id, $0.sequence] }, "after \(step)")
        #expect(firmware.phone.waiting == simulated.phone.waiting, "after \(step)")
        let stages = (found.taps.map { $0.stages.map(\.name) }, expected.taps.map { $0.stages.map(\.name) })
        #expect(stages.0 == stages.1, "after \(step)")
    }

    @Test func `two runs with the same inputs are the same to the byte and the microsecond`() throws {
        let image = try #require(FirmwareUnderTest.image)
        func diary() throws -> [String] {
            let bench = try FirmwareBench(image: image, phone: SimulatedPhone(items: 12))
            bench.connect()
            let steps: [ParityStep] = [
                Self.pause, .tap(row: 0), .tap(row: 3), Self.pause, .send(.press(.crown)), .cut, Self.pause,
                .send(.press(.crown)), .tap(row: 1), Self.pause, .connect, Self.pause,
            ]
            // A burst reports more than the board keeps until it is idle.
            let rows = (0..<RowGeometry.rowsVisible).map { RowGeometry.rowTop($0) + 2 }
            #expect(bench.burst(rows.map { .touch(x: 60, y: Int16($0)) }))
            return try steps.map { step in
                try bench.perform(step)
                let snapshot = bench.snapshot
                return "\(snapshot.time) \(snapshot.number) \(snapshot.output) \(snapshot.description) "
                    + "\(bench.phone.checkOffs)"
            }
        }
        let first = try diary()
        let second = try diary()
        let difference = zip(first, second).enumerated().first { $0.element.0 != $0.element.1 }
        #expect(difference == nil && first.count == second.count, "at step \(difference?.offset ?? first.count)")
    }

    @Test func `a thousand taps without a pause lose none`() throws {
        let image = try #require(FirmwareUnderTest.image)
        let bench = try FirmwareBench(image: image, phone: SimulatedPhone(items: 3))
        bench.connect()
        let press = Input.press(.crown)
        let before = bench.snapshot.description.screen
        #expect(bench.burst([Input](repeating: press, count: 1_000)))
        #expect(bench.snapshot.description.screen == before)
        #expect(bench.burst([press]))
        #expect(bench.snapshot.description.screen != before)
    }
}
