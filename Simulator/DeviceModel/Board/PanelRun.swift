/// Whether more of a screen may follow the lines that a program has sent to the panel at once.
package enum PanelRun: Sendable, Equatable {
    /// Nothing more is to be sent.
    case last
    /// As many as the runtime sends at a time while nobody waits for them. They are the last ones where it comes to rest.
    case perhapsPart

    /// Lines of a part: what the runtime sends at a time, so that a touch waits for no whole screen.
    static var partLength: Int { 20 }

    /// A run of this many lines.
    init(lines: Int) {
        self = lines == PanelRun.partLength ? .perhapsPart : .last
    }
}
