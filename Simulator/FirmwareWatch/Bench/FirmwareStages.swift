import DeviceModel
import Watch
import WatchLink

/// What the stages of a tap execute on the firmware's image, counted in the emulator, which executes one instruction in 16 ns.
public struct FirmwareStages: Equatable, Sendable {
    /// Instructions of each stage by its name: the mean of the taps, of which each is exact to the board's timer, three
    /// instructions at either end.
    public let instructions: [String: Int]

    /// Taps so often on a list of so many items, with all the time in the world between the taps.
    ///
    /// - Parameters:
    ///   - image: the ELF file.
    ///   - items: the items on the phone's list when the taps begin.
    ///   - taps: the number of taps, at most `items`.
    ///   - progress: is told after every tap how many there were.
    /// - Throws: why the firmware does not run, as `FirmwareBench`.
    public static func measure(
        image: String, items: Int, taps: Int, progress: (Int) -> Void = { _ in }
    ) throws -> FirmwareStages {
        let bench = try FirmwareBench(image: image, phone: SimulatedPhone(items: items))
        bench.connect()
        var sums: [String: (instructions: Int, count: Int)] = [:]
        for tap in 1...taps {
            bench.tap(0)
            bench.run(for: .seconds(1))
            for stage in bench.output.taps.histories.last?.stages ?? [] {
                guard let instructions = stage.instructions else { continue }
                sums[stage.name, default: (0, 0)].instructions += instructions
                sums[stage.name, default: (0, 0)].count += 1
            }
            progress(tap)
        }
        return FirmwareStages(instructions: sums.mapValues { ($0.instructions + $0.count / 2) / $0.count })
    }
}
