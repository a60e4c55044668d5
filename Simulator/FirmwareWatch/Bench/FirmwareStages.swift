import DeviceModel
import WatchLink

/// What the stages of a tap execute on the firmware's image, counted in the emulator, which executes one instruction in 16 ns.
package struct FirmwareStages: Equatable, Sendable {
    /// Instructions of each stage by its name: the mean of the taps. Each tap is exact to the board's timer, three
    /// instructions at either end.
    package let instructions: [String: Double]

    /// Taps the first row so often, with all the time in the world between the taps.
    ///
    /// - Parameters:
    ///   - image: the ELF file.
    ///   - phone: the phone, whose list is at least as long as there are taps.
    ///   - taps: the number of taps.
    /// - Throws: why the firmware does not run, as `FirmwareBench`.
    package static func measure(image: String, phone: SimulatedPhone, taps: Int) throws -> FirmwareStages {
        let bench = try FirmwareBench(image: image, phone: phone)
        bench.connect()
        // The list that has just come is in the journal, and the sectors behind it are erased.
        bench.run(for: .seconds(2))
        var sums: [String: (instructions: Int, count: Int)] = [:]
        for _ in 0..<taps {
            bench.tap(0)
            bench.run(for: .seconds(1))
            for stage in bench.output.taps.histories.last?.stages ?? [] {
                guard let instructions = stage.instructions else { continue }
                sums[stage.name, default: (0, 0)].instructions += instructions
                sums[stage.name, default: (0, 0)].count += 1
            }
        }
        return FirmwareStages(instructions: sums.mapValues { Double($0.instructions) / Double($0.count) })
    }
}
