/// The statements of a script as its lines come, those of a `repeat` gathered until its `end`.
struct ScriptBlocks {
    /// The most repeats inside one another.
    static let deepest = 8
    /// The most runs of what is in repeats inside one another.
    static let mostRuns = 1_000_000

    /// A `repeat` without its `end` yet.
    private struct Open {
        var place: ScriptPlace
        var times: Int
        var statements: [ScriptStatement] = []
    }

    private var open: [Open] = []
    private var statements: [ScriptStatement] = []

    /// The number of repeats that have no end yet.
    var depth: Int { open.count }

    mutating func append(_ statement: ScriptStatement) {
        if open.isEmpty { statements.append(statement) } else { open[open.count - 1].statements.append(statement) }
    }

    /// Opens a repeat.
    mutating func begin(times: Int, at place: ScriptPlace) throws(ScriptError) {
        guard open.count < ScriptBlocks.deepest else {
            throw ScriptError(.tooMuch("more than \(ScriptBlocks.deepest) repeats inside one another"), at: place)
        }
        guard open.reduce(times, { $0 * $1.times }) <= ScriptBlocks.mostRuns else {
            throw ScriptError(.tooMuch("repeats inside one another run this more than a million times"), at: place)
        }
        open.append(Open(place: place, times: times))
    }

    /// Closes the newest repeat, of those beyond the first `floor`.
    mutating func end(at place: ScriptPlace, above floor: Int) throws(ScriptError) {
        guard open.count > floor, let ended = open.popLast() else {
            throw ScriptError(.malformed(fault: "end without repeat", allowed: "end after repeat N"), at: place)
        }
        append(ScriptStatement(.repeat(times: ended.times, ended.statements), at: ended.place))
    }

    /// Requires that no more than `floor` repeats are open.
    func requireEnd(above floor: Int = 0) throws(ScriptError) {
        guard open.count > floor, let last = open.last else { return }
        throw ScriptError(
            .malformed(fault: "repeat without end", allowed: "repeat N, commands, then end"), at: last.place)
    }

    /// Takes the statements that are complete.
    mutating func take() -> [ScriptStatement] {
        defer { statements = [] }
        return statements
    }
}
