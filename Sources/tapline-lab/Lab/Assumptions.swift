import CommandSupport

/// What a report's figures rest on without a document that supports it, for a terminal.
struct Assumptions {
    let sentences: [String]
    let width: Int
    let ink: TerminalInk

    /// The sentences in lines; none where nothing is assumed.
    var lines: [String] {
        guard !sentences.isEmpty else { return [] }
        return [""] + ("Assumed: " + sentences.joined(separator: " ")).wrapped(to: width).map(ink.faint)
    }
}
