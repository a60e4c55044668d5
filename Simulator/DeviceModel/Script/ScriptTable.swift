/// All commands with their arguments, as the help shows them. Simulator/SCRIPTS.md says what each of them does.
package enum ScriptTable {
    /// Each inner list has the commands of one row of the table in SCRIPTS.md. The rows are in that table's order.
    package static let forms = [
        ["tap ROW", "tap ROW or nothing"],
        ["touch X Y"],
        ["drag X Y X Y", "drag X Y X Y over 500ms"],
        ["swipe left", "swipe right"],
        ["hold row N", "hold row N for 800ms"],
        ["crown N"],
        ["press crown", "press side"],
        ["hold crown", "hold side"],
        ["wrist on", "wrist off", "wrist raise"],
        ["hours 12", "hours 24"],
        ["wait 200ms", "wait 2s"],
        ["wait until synced"],
        ["wait until settled"],
        ["wait until row N TEXT"],
        ["expect title TEXT", "expect row N TEXT"],
        ["expect no row TEXT"],
        ["expect text TEXT"],
        ["expect screen NAME"],
        ["expect face NAME"],
        ["expect left N"],
        ["expect complication TEXT"],
        ["expect haptics N"],
        ["expect MARK within 8ms"],
        ["expect launched within 40ms", "expect arrived within 40ms", "expect raised within 40ms"],
        ["expect screenshot FILE.png"],
        ["phone add TITLE", "phone check ITEM", "phone remove ITEM"],
        ["screenshot FILE.png"],
        ["record FILE", "record end"],
        ["describe"],
        ["pause", "resume", "step"],
        ["speed N"],
        ["time HH:MM", "time YYYY-MM-DD HH:MM", "zone +HH:MM"],
        ["battery N", "charging on", "charging off"],
        ["fault …"],
        ["restart"],
        ["reset"],
        ["save FILE", "load FILE"],
        ["repeat N", "end"],
        ["include FILE"],
        ["quit"],
    ]

    /// The help's lines about all commands except `fault`. The lines about `fault` are in `Fault.synopses`.
    package static var synopses: [String] {
        forms.filter { $0 != ["fault …"] }.map { $0.joined(separator: ", ") }
    }
}
