import Watch
import WatchLink

/// What one line of a script says.
enum ScriptLine: Equatable {
    /// It is blank, or a comment.
    case nothing
    /// To do something.
    case command(ScriptCommand)
    /// `repeat N`: that what follows, up to `end`, is done so often.
    case repeats(times: Int)
    /// `end`
    case end
    /// `include FILE`: what the file says.
    case include(String)

    /// The most runs of one `repeat`.
    static let mostRepeats = 10_000

    /// Reads a line without its end.
    init(_ line: String) throws(ScriptError.Problem) {
        var words = ScriptWords(line)
        guard let name = words.next() else {
            self = .nothing
            return
        }
        switch name {
        case "repeat":
            let allowed = "repeat N with N 1 to \(ScriptLine.mostRepeats)"
            self = .repeats(times: try words.only(allowed) { ScriptParser.number($0, in: 1...ScriptLine.mostRepeats) })
        case "end":
            try words.end("end alone")
            self = .end
        case "include": self = .include(try words.text("include FILE"))
        default: self = .command(try ScriptParser.command(name, &words))
        }
    }
}
