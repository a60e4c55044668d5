import DeviceModel
import HostSystem
import TapLatency

/// What handlers execute, as a table for a terminal.
struct HandlerCountTable {
    private let counts: HandlerCounts
    private let device: DeviceProfile
    private static let lengths = [8, 32, 128]

    init(_ counts: HandlerCounts, on device: DeviceProfile) {
        self.counts = counts
        self.device = device
    }

    var text: String {
        counts.handlers.map(section).joined(separator: "\n")
    }

    private func section(_ handler: HandlerCount) -> String {
        let head =
            "instructions, items:".padded(to: 36) + HandlerCountTable.lengths.map { "\($0)".aligned(to: 12) }.joined()
            + "cycles".aligned(to: 14) + "time".aligned(to: 11) + "by the manual".aligned(to: 20)
        let rows = handler.stages.map(row)
        let stack = "\(FigureText(count: handler.stackBytes).plain) bytes of the stack in use"
        return (["\(handler.name) on \(counts.profile)", head] + rows + [stack]).joined(separator: "\n") + "\n"
    }

    /// The most of each length; cycles and time are those of the worst tap of all.
    private func row(_ stage: StageCount) -> String {
        let figures = HandlerCountTable.lengths.map { length in
            let most = stage.worst(items: length)?.mostInstructions
            return (most.map { FigureText(count: $0).plain } ?? "–").aligned(to: 12)
        }
        let row = "  " + stage.name.padded(to: 24) + stage.placement.word.padded(to: 10) + figures.joined()
        guard let worst = stage.worst else { return row }
        let cycles = row + FigureText(count: worst.mostCycles).plain.aligned(to: 14)
        guard let hertz = device.processor.clockHertz else { return cycles }
        func time(_ cycles: Int) -> FigureText { FigureText(time: Double(cycles) * 1e6 / Double(hertz)) }
        let allowed = worst.allowedCycles
        return cycles + time(worst.mostCycles).plain.aligned(to: 11)
            + "\(time(allowed.lowerBound).plain) to \(time(allowed.upperBound).plain)".aligned(to: 20)
    }
}
