import CommandSupport
import DeviceModel
import HostSystem
import TapLatency
import Watch

/// What handlers execute, as a table for a terminal of 80 columns.
struct HandlerCountTable {
    private let counts: HandlerCounts
    private let device: DeviceProfile
    private static let lengths = [8, 32, 128]

    init(_ counts: HandlerCounts, on device: DeviceProfile) {
        self.counts = counts
        self.device = device
    }

    var text: String {
        counts.handlers.map { section($0).joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private func section(_ handler: HandlerCount) -> [String] {
        let head =
            "  instructions, items:".padded(to: 22)
            + HandlerCountTable.lengths.map { "\($0)".aligned(to: 11) }.joined() + "time".aligned(to: 8)
            + "by the manual".aligned(to: 17)
        return ["\(handler.name) on \(counts.profile)", head]
            + group("before the panel is updated", handler, .immediate)
            + group("after it", handler, .deferred) + messages(handler)
            + ["\(FigureText(count: handler.stackBytes).plain) bytes of the stack in use"]
    }

    /// The stages at a place and the handler's own code there; nothing where there is neither.
    private func group(_ title: String, _ handler: HandlerCount, _ placement: StagePlacement) -> [String] {
        let rows =
            handler.stages.filter { $0.placement == placement }.map { row($0, $0.name) }
            + handler.around.filter { $0.placement == placement }.map { row($0, "(around the stages)") }
        return rows.isEmpty ? [] : ["\(title):"] + rows
    }

    /// What is done for the handler's messages, each time; nothing where it has none.
    private func messages(_ handler: HandlerCount) -> [String] {
        guard !handler.messages.isEmpty else { return [] }
        return ["for a message, a button or a file:"] + handler.messages.flatMap { wideRow($0) }
    }

    /// A row whose name may take a line of its own.
    private func wideRow(_ message: StageCount) -> [String] {
        guard message.name.count >= 20 else { return [row(message, message.name)] }
        return ["  " + message.name, row(message, "")]
    }

    /// The most of each length; the time is that of the worst tap of all.
    private func row(_ stage: StageCount, _ name: String) -> String {
        let figures = HandlerCountTable.lengths.map { length in
            let most = stage.worst(items: length)?.mostInstructions
            return (most.map { FigureText(count: $0).plain } ?? "–").aligned(to: 11)
        }
        let row = "  " + name.padded(to: 20) + figures.joined()
        guard let worst = stage.worst, let hertz = device.processor.clockHertz else { return row }
        func time(_ cycles: Int) -> UInt64 { UInt64((Double(cycles) * 1e6 / Double(hertz)).rounded()) }
        let allowed = time(worst.allowedCycles.lowerBound)...time(worst.allowedCycles.upperBound)
        return row + FigureText(time: time(worst.mostCycles)).plain.aligned(to: 8)
            + FigureText(between: allowed).plain.aligned(to: 17)
    }
}
