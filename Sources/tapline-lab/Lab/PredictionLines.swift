import CommandSupport
import TapLatency

/// How well the table of counts predicts what is executed, in two lines.
struct PredictionLines {
    let prediction: PredictionReport?
    let width: Int
    let ink: TerminalInk

    /// The lines; none where nothing was executed to judge it by.
    var lines: [String] {
        guard let prediction, let (condition, figure) = prediction.worst else { return [] }
        let (within, all) = prediction.count(within: PredictionReport.tolerance)
        let difference = FigureText(difference: figure.difference).plain
        let text =
            "\(within) of \(all) figures of \(prediction.conditions.count) other conditions are within 5 %; the worst is "
            + "\(difference), \(figure.mark.rawValue) \(figure.percentile.rawValue) of \(condition.name)"
        return ["", ink.bold("predicted by the table of counts")] + text.wrapped(to: width - 2).map { "  " + $0 }
    }
}
