import CommandSupport
import TapLatency
import Watch

/// Legacy's tap-to-update by the phone's list and by what a connection event carries.
struct LegacyTable {
    let points: [LegacyPoint]
    let width: Int
    let ink: TerminalInk

    /// The lines; none where it was not measured.
    var lines: [String] {
        if points.isEmpty { return [] }
        let packets = points.packets.map { FigureText(count: $0, "packet").plain.aligned(to: 12) }.joined()
        let rows = points.rows.map { row in
            FigureText(count: row.database, "item").plain.padded(to: 18)
                + row.medians.map { FigureText(time: $0).plain.aligned(to: 12) }.joined()
        }
        let patience = FigureText(time: WatchLimits.phonePatience.count).plain
        let head =
            "legacy's tap-to-update (p50), by items on the phone and packets of a connection event; it gives up waiting "
            + "after \(patience)"
        return [""] + head.wrapped(to: width).map(ink.faint) + [ink.faint("".padded(to: 18) + packets)] + rows
    }
}
