import Watch
import WatchLink

/// Parses the script language. Each line has one command. Blank lines and lines that begin with `#` are skipped.
///
/// A text argument (a title, a row or a file) is the rest of its line, without white space at its ends.
package struct ScriptParser: Sendable {
    /// Returns the contents of an included file.
    package typealias Reading = @Sendable (_ path: String) throws(ScriptError.Problem) -> String

    /// The default time limit of `wait until …`: 30 s.
    package static let waitLimit = Microseconds.seconds(30)
    /// The deepest nesting of `include`.
    package static let deepestInclude = 16
    package static let mostIncludes = 1_000

    package let file: String
    private let reading: Reading

    package init(file: String) {
        self.init(file: file) { path throws(ScriptError.Problem) in
            throw .cannotRead(file: path, reason: "this script has no files")
        }
    }

    package init(file: String, reading: @escaping Reading) {
        self.file = file
        self.reading = reading
    }

    /// A parser that reads included files from the file system.
    package static func ofFiles(_ file: String) -> ScriptParser {
        ScriptParser(file: file) { path throws(ScriptError.Problem) in
            do throws(DeviceModelError) {
                return String(decoding: try HostFile.readWhole(path), as: UTF8.self)
            } catch {
                throw .cannotRead(file: path, reason: error.reason)
            }
        }
    }

    /// Parses a whole script. Returns its statements in order, including those of included files.
    ///
    /// - Throws: the error of the first line that is wrong.
    package func statements(in text: String) throws(ScriptError) -> [ScriptStatement] {
        var blocks = ScriptBlocks()
        var includes = Includes(path: [file])
        try read(text, of: file, into: &blocks, &includes)
        return blocks.take()
    }

    /// Removes the byte order mark that some editors write.
    static func withoutMark(_ text: String) -> Substring {
        text.unicodeScalars.first == "\u{FEFF}" ? Substring(text.unicodeScalars.dropFirst()) : text[...]
    }

    /// Parses one line of a script that arrives line by line.
    ///
    /// - Parameter number: the line number, from 1.
    func read(line: String, number: Int, into blocks: inout ScriptBlocks) throws(ScriptError) {
        var includes = Includes(path: [file])
        let line = number == 1 ? String(ScriptParser.withoutMark(line)) : line
        try read(line: line, at: ScriptPlace(file: file, line: number), above: 0, into: &blocks, &includes)
    }
}

// MARK: Lines

extension ScriptParser {
    private struct Includes {
        var path: [String]
        var count = 0
    }

    private func read(
        _ text: String, of file: String, into blocks: inout ScriptBlocks, _ includes: inout Includes
    ) throws(ScriptError) {
        let floor = blocks.depth
        // Carriage return and line feed together are one `Character`.
        let lines = ScriptParser.withoutMark(text).split(omittingEmptySubsequences: false) {
            $0 == "\n" || $0 == "\r\n"
        }
        for (index, line) in lines.enumerated() {
            let place = ScriptPlace(file: file, line: index + 1)
            try read(line: String(line), at: place, above: floor, into: &blocks, &includes)
        }
        try blocks.requireEnd(above: floor)
    }

    private func read(
        line: String, at place: ScriptPlace, above floor: Int, into blocks: inout ScriptBlocks,
        _ includes: inout Includes
    ) throws(ScriptError) {
        let parsed: ScriptLine
        do throws(ScriptError.Problem) {
            parsed = try ScriptLine(line)
        } catch {
            throw ScriptError(error, at: place)
        }
        switch parsed {
        case .nothing: break
        case .command(let command): blocks.append(ScriptStatement(command, at: place))
        case .repeats(let times): try blocks.begin(times: times, at: place)
        case .end: try blocks.end(at: place, above: floor)
        case .include(let name): try include(place.path(of: name), at: place, into: &blocks, &includes)
        }
    }

    private func include(
        _ path: String, at place: ScriptPlace, into blocks: inout ScriptBlocks, _ includes: inout Includes
    ) throws(ScriptError) {
        let names = includes.path.map(ScriptParser.withoutDots)
        if let first = names.firstIndex(of: ScriptParser.withoutDots(path)) {
            throw ScriptError(.includesItself(Array(includes.path[first...]) + [path]), at: place)
        }
        guard includes.path.count < ScriptParser.deepestInclude else {
            throw ScriptError(.tooMuch("more than \(ScriptParser.deepestInclude) files inside one another"), at: place)
        }
        includes.count += 1
        guard includes.count <= ScriptParser.mostIncludes else {
            throw ScriptError(.tooMuch("more than \(ScriptParser.mostIncludes) included files"), at: place)
        }
        let text: String
        do throws(ScriptError.Problem) {
            text = try reading(path)
        } catch {
            throw ScriptError(error, at: place)
        }
        includes.path.append(path)
        try read(text, of: path, into: &blocks, &includes)
        includes.path.removeLast()
    }

    /// Resolves `.` and `a/..` in a path, so that two paths of the same file are equal.
    private static func withoutDots(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
        }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}

/// Collects the statements of a script line by line. Keeps the statements of a `repeat` until its `end`.
struct ScriptBlocks {
    static let deepest = 8
    /// The most runs of one statement in nested repeats.
    static let mostRuns = 1_000_000

    /// A `repeat` without its `end` so far.
    private struct Open {
        var place: ScriptPlace
        var times: Int
        var statements: [ScriptStatement] = []
    }

    private var open: [Open] = []
    private var statements: [ScriptStatement] = []

    var depth: Int { open.count }

    mutating func append(_ statement: ScriptStatement) {
        if open.isEmpty { statements.append(statement) } else { open[open.count - 1].statements.append(statement) }
    }

    mutating func begin(times: Int, at place: ScriptPlace) throws(ScriptError) {
        guard open.count < ScriptBlocks.deepest else {
            throw ScriptError(.tooMuch("more than \(ScriptBlocks.deepest) repeats inside one another"), at: place)
        }
        guard open.reduce(times, { $0 * $1.times }) <= ScriptBlocks.mostRuns else {
            throw ScriptError(.tooMuch("repeats inside one another run this more than a million times"), at: place)
        }
        open.append(Open(place: place, times: times))
    }

    /// Ends the innermost repeat. The outermost `floor` repeats belong to an including file, which must end them.
    mutating func end(at place: ScriptPlace, above floor: Int) throws(ScriptError) {
        guard open.count > floor, let ended = open.popLast() else {
            throw ScriptError(.malformed(fault: "end without repeat", allowed: "end after repeat N"), at: place)
        }
        append(ScriptStatement(.repeat(times: ended.times, ended.statements), at: ended.place))
    }

    /// Throws if more than `floor` repeats have no `end`.
    func requireEnd(above floor: Int = 0) throws(ScriptError) {
        guard open.count > floor, let last = open.last else { return }
        throw ScriptError(
            .malformed(fault: "repeat without end", allowed: "repeat N, commands, then end"), at: last.place)
    }

    mutating func take() -> [ScriptStatement] {
        defer { statements = [] }
        return statements
    }
}

enum ScriptLine: Equatable {
    case nothing
    case command(ScriptCommand)
    /// Repeats the lines up to the matching `end`.
    case repeats(times: Int)
    case end
    /// Inserts the statements of the file.
    case include(String)

    static let mostRepeats = 10_000

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
