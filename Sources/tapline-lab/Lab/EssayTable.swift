import CommandSupport
import TapLatency

/// Legacy's stages by their share of the tap, beside what the essay found.
struct EssayTable {
    let report: LabReport
    let width: Int
    let ink: TerminalInk

    /// The lines; none where nothing took any time.
    var lines: [String] {
        let shares = report.essayShares
        if shares.isEmpty { return [] }
        let head = "legacy, stage by stage".padded(to: 26) + "share".aligned(to: 8) + "  in the essay"
        let rows = shares.map { share in
            share.stage.padded(to: 26) + FigureText(share: share.share).plain.aligned(to: 8) + "  "
                + (share.finding?.rawValue ?? "not in it")
        }
        let reasons = shares.compactMap { share in share.reason.map { "\(share.stage): \($0)." } }
        let notes = reasons.isEmpty ? [] : ["Where the two disagree, and why (no cost is tuned to fit):"] + reasons
        return ["", ink.faint(head)] + rows + notes.flatMap { $0.wrapped(to: width) }.map(ink.faint)
    }
}
