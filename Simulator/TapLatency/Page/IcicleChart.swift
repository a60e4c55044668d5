import MachineWatch

/// The cycles of a handler's stages as boxes: the handler on top, below it its stages, below each the functions that it calls,
/// all as wide as their share.
struct IcicleChart: Sendable {
    /// How much of its cycles a function spends itself.
    enum Shade: String, CaseIterable, Sendable {
        case little = "spends-little"
        case some = "spends-some"
        case most = "spends-most"

        init(own: Int, of total: Int) {
            let share = Double(own) / Double(max(total, 1))
            self = share >= 0.5 ? .most : share >= 0.1 ? .some : .little
        }

        var meaning: String {
            switch self {
            case .little: "almost all in what it calls"
            case .some: "at least a tenth in the function itself"
            case .most: "at least half in the function itself"
            }
        }
    }

    /// A box: where it lies, in shares of the width, and what it stands for.
    struct Box: Equatable, Sendable {
        var row: Int
        var begin: Double
        var width: Double
        var label: String
        var title: String
        var shade: Shade
    }

    private static let rowHeight = 20
    /// A share of the width below which boxes become one with those beside them.
    static let narrowest = 0.003
    /// A share of the width below which a text would not be read: some four letters.
    private static let narrowestText = 0.033
    /// What a letter takes of the width of a page that has all the room it wants.
    private static let letter = 0.0072

    let handler: String
    private let taps: Int
    private let stages: [CodePart]
    private let around: CodePart?

    /// The chart of a handler; nil where its machine code was not executed, or has no stage that took a cycle.
    init?(_ report: TapReport) {
        stages = report.codeOfStages.filter { $0.calls.cycles > 0 }
        if stages.isEmpty { return nil }
        handler = report.handler
        taps = max(1, report.taps)
        around = report.codeAroundStages
    }

    private var cycles: Int { stages.reduce(0) { $0 + $1.calls.cycles } }

    /// What takes most, in a sentence or two.
    var summary: String {
        let largest = stages.max { $0.calls.cycles < $1.calls.cycles }
        guard let largest, let function = largest.largest(1).first else { return "" }
        let share = FigureText(share: Double(largest.calls.cycles) / Double(cycles)).text
        var text =
            "\(perTap(cycles)) in the stages. The largest part, \(share), is “\(largest.name)”; \(function.name) "
        text += "itself takes \(FigureText(share: function.share).text) of that."
        if let around, let most = around.largest(1).first {
            text +=
                " Around the stages, the rests between the taps included, go another \(perTap(around.calls.cycles)), "
            text += "\(FigureText(share: most.share).text) of them in \(most.name)."
        }
        return text
    }

    private func perTap(_ cycles: Int) -> String {
        "\(FigureText(count: Int((Double(cycles) / Double(taps)).rounded())).text) cycles a tap"
    }

    // MARK: Boxes

    /// The boxes, row by row from the top within each stage.
    var boxes: [Box] {
        var boxes = [
            box(handler, row: 0, begin: 0, cycles: cycles, shade: .little)
        ]
        var begin = 0.0
        var rest = 0
        for stage in stages.sorted(by: { ($1.calls.cycles, $0.name) < ($0.calls.cycles, $1.name) }) {
            let width = share(stage.calls.cycles)
            guard width >= IcicleChart.narrowest else {
                rest += stage.calls.cycles
                continue
            }
            boxes.append(box(stage.name, row: 1, begin: begin, cycles: stage.calls.cycles, shade: .little))
            addFunctions(of: stage.calls, from: begin, to: &boxes)
            begin += width
        }
        if share(rest) >= IcicleChart.narrowest {
            boxes.append(box("smaller stages", row: 1, begin: begin, cycles: rest, shade: .little))
        }
        return boxes
    }

    private func addFunctions(of profile: CallProfile, from begin: Double, to boxes: inout [Box]) {
        let totals = profile.totals
        /// Where a call's own box lies, and how far its callees have filled the row below it; by its place.
        var places: [(row: Int, filled: Double)] = []
        var narrow = [Int](repeating: 0, count: profile.calls.count)
        var top = begin
        for (index, call) in profile.calls.enumerated() {
            let row = call.caller.map { places[$0].row + 1 } ?? 2
            let start = call.caller.map { places[$0].filled } ?? top
            places.append((row, start))
            let width = share(totals[index])
            guard width >= IcicleChart.narrowest else {
                if let caller = call.caller, share(totals[caller]) >= IcicleChart.narrowest {
                    narrow[caller] += totals[index]
                }
                continue
            }
            let name = profile.names[call.function]
            let label = FunctionLabel(name)
            let hasRoom = Double(label.text.count + 2) * IcicleChart.letter <= width
            boxes.append(
                box(
                    hasRoom ? label.text : label.shortest, called: name, row: row, begin: start, cycles: totals[index],
                    shade: Shade(own: call.cycles, of: totals[index])))
            if let caller = call.caller { places[caller].filled += width } else { top += width }
        }
        for (caller, cycles) in narrow.enumerated() where share(cycles) >= IcicleChart.narrowest {
            boxes.append(
                box(
                    "smaller ones", row: places[caller].row + 1, begin: places[caller].filled, cycles: cycles,
                    shade: .little))
        }
    }

    private func share(_ cycles: Int) -> Double { Double(cycles) / Double(max(self.cycles, 1)) }

    private func box(
        _ label: String, called name: String? = nil, row: Int, begin: Double, cycles: Int, shade: Shade
    ) -> Box {
        let share = share(cycles)
        return Box(
            row: row, begin: begin, width: share, label: label,
            title: "\(name ?? label): \(perTap(cycles)), \(FigureText(share: share).text)", shade: shade)
    }

    // MARK: Drawing

    var markup: Markup {
        let boxes = boxes
        let rows = (boxes.map(\.row).max() ?? 0) + 1
        var drawing = SVGDrawing(
            label: "The cycles of \(handler) as boxes: stages below the handler, functions below what calls them.",
            height: rows * IcicleChart.rowHeight + 1)
        for box in boxes {
            drawing.box(
                box.begin, to: min(1, box.begin + box.width), y: box.row * IcicleChart.rowHeight,
                height: IcicleChart.rowHeight, style: box.shade.rawValue,
                text: box.width >= IcicleChart.narrowestText ? box.label : nil, title: box.title)
        }
        return drawing.markup
    }
}
