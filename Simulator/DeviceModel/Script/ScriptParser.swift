import Watch
import WatchLink

/// A command of a script. Each conforming type is the script language of one kind of watch.
package protocol ScriptLanguage: Equatable, Sendable {
    /// Reads the command whose first word is `name`. `words` has the rest of its line.
    static func read(_ name: String, _ words: inout ScriptWords) throws(ScriptError.Problem) -> Self
    static func repeated(times: Int, _ statements: [ScriptStatement<Self>]) -> Self
}

package typealias ScriptParser = ScriptReader<ScriptCommand>

package enum ScriptLimit {
    /// The default limit of `wait until …`: 30 s.
    package static let wait = Microseconds.seconds(30)
    /// The maximum depth of included files. The script itself counts as the first level.
    package static let deepestInclude = 16
    package static let mostIncludes = 1_000
    package static let mostRepeats = 10_000
    static let deepestRepeat = 8
    /// The maximum number of times that nested repeats may run a statement. It limits the product of their counts.
    static let mostRuns = 1_000_000
}

/// Parses a script with one command on each line. Skips blank lines and comments, which begin with `#`.
///
/// A text argument, such as a title or a file name, is the rest of its line. The white space and the double quotes around it
/// are removed.
package struct ScriptReader<Command: ScriptLanguage>: Sendable {
    /// Returns the text of an included file.
    package typealias Reading = @Sendable (_ path: String) throws(ScriptError.Problem) -> String

    package let file: String
    private let reading: Reading

    /// Errors show `file`, the script's name. The names of included files are relative to the script's directory. The default
    /// `reading` reads included files from this machine's disk.
    package init(file: String, reading: @escaping Reading = ScriptReader.fileText) {
        self.file = file
        self.reading = reading
    }

    @Sendable package static func fileText(_ path: String) throws(ScriptError.Problem) -> String {
        do throws(DeviceModelError) {
            return String(decoding: try HostFile.readWhole(path), as: UTF8.self)
        } catch {
            throw .cannotRead(file: path, reason: error.reason)
        }
    }

    /// Parses a whole script with its included files. Throws the error of the first wrong line.
    package func statements(in text: String) throws(ScriptError) -> [ScriptStatement<Command>] {
        var blocks = ScriptBlocks<Command>()
        var includes = Includes(path: [file])
        try read(text, of: file, into: &blocks, &includes)
        return blocks.take()
    }

    /// Removes the byte order mark that some editors write.
    static func withoutMark(_ text: String) -> Substring {
        text.unicodeScalars.first == "\u{FEFF}" ? Substring(text.unicodeScalars.dropFirst()) : text[...]
    }

    /// Reads one line of a script that arrives line by line. `number` counts from 1.
    package func read(line: String, number: Int, into blocks: inout ScriptBlocks<Command>) throws(ScriptError) {
        var includes = Includes(path: [file])
        let line = number == 1 ? String(ScriptReader.withoutMark(line)) : line
        try read(line: line, at: ScriptPlace(file: file, line: number), above: 0, into: &blocks, &includes)
    }
}

// MARK: Lines

extension ScriptReader {
    private struct Includes {
        var path: [String]
        var count = 0
    }

    private func read(
        _ text: String, of file: String, into blocks: inout ScriptBlocks<Command>, _ includes: inout Includes
    ) throws(ScriptError) {
        let floor = blocks.depth
        // Carriage return and line feed together are one character.
        let lines = ScriptReader.withoutMark(text).split(omittingEmptySubsequences: false) {
            $0 == "\n" || $0 == "\r\n"
        }
        for (index, line) in lines.enumerated() {
            let place = ScriptPlace(file: file, line: index + 1)
            try read(line: String(line), at: place, above: floor, into: &blocks, &includes)
        }
        try blocks.requireEnd(above: floor)
    }

    private func read(
        line: String, at place: ScriptPlace, above floor: Int, into blocks: inout ScriptBlocks<Command>,
        _ includes: inout Includes
    ) throws(ScriptError) {
        let parsed: ScriptLine<Command>
        do throws(ScriptError.Problem) {
            parsed = try ScriptLine<Command>(line)
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
        _ path: String, at place: ScriptPlace, into blocks: inout ScriptBlocks<Command>, _ includes: inout Includes
    ) throws(ScriptError) {
        let names = includes.path.map(ScriptReader.withoutDots)
        if let first = names.firstIndex(of: ScriptReader.withoutDots(path)) {
            let cycle = (includes.path[first...] + [path]).joined(separator: ", ")
            throw ScriptError(.other("\(includes.path[first]) includes itself: \(cycle)"), at: place)
        }
        guard includes.path.count < ScriptLimit.deepestInclude else {
            throw ScriptError(.other("more than \(ScriptLimit.deepestInclude) files inside one another"), at: place)
        }
        includes.count += 1
        guard includes.count <= ScriptLimit.mostIncludes else {
            throw ScriptError(.other("more than \(ScriptLimit.mostIncludes) included files"), at: place)
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

    /// Resolves `.` and `a/..`, so that two paths of the same file are equal.
    private static func withoutDots(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
        }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}

/// Collects a script's statements. Holds back the statements of a `repeat` until its `end` has come.
package struct ScriptBlocks<Command: ScriptLanguage>: Sendable {
    /// A `repeat` whose `end` has not come yet.
    private struct Open {
        var place: ScriptPlace
        var times: Int
        var statements: [ScriptStatement<Command>] = []
    }

    private var open: [Open] = []
    private var statements: [ScriptStatement<Command>] = []

    package init() {}

    package var depth: Int { open.count }

    mutating func append(_ statement: ScriptStatement<Command>) {
        if open.isEmpty { statements.append(statement) } else { open[open.count - 1].statements.append(statement) }
    }

    mutating func begin(times: Int, at place: ScriptPlace) throws(ScriptError) {
        guard open.count < ScriptLimit.deepestRepeat else {
            throw ScriptError(.other("more than \(ScriptLimit.deepestRepeat) repeats inside one another"), at: place)
        }
        guard open.reduce(times, { $0 * $1.times }) <= ScriptLimit.mostRuns else {
            throw ScriptError(.other("repeats inside one another run this more than a million times"), at: place)
        }
        open.append(Open(place: place, times: times))
    }

    /// Ends the innermost open `repeat`. Throws if this file has no open `repeat`. The outermost `floor` repeats belong to the
    /// files that include this file.
    mutating func end(at place: ScriptPlace, above floor: Int) throws(ScriptError) {
        guard open.count > floor, let ended = open.popLast() else {
            throw ScriptError(.malformed(fault: "end without repeat", allowed: "end after repeat N"), at: place)
        }
        append(ScriptStatement(.repeated(times: ended.times, ended.statements), at: ended.place))
    }

    package func requireEnd(above floor: Int = 0) throws(ScriptError) {
        guard open.count > floor, let last = open.last else { return }
        throw ScriptError(
            .malformed(fault: "repeat without end", allowed: "repeat N, commands, then end"), at: last.place)
    }

    package mutating func take() -> [ScriptStatement<Command>] {
        defer { statements = [] }
        return statements
    }
}

enum ScriptLine<Command: ScriptLanguage>: Equatable {
    case nothing
    case command(Command)
    case repeats(times: Int)
    case end
    case include(String)

    init(_ line: String) throws(ScriptError.Problem) {
        var words = ScriptWords(line)
        guard let name = words.next() else {
            self = .nothing
            return
        }
        switch name {
        case "repeat":
            let allowed = "repeat N with N 1 to \(ScriptLimit.mostRepeats)"
            self = .repeats(times: try words.only(allowed) { ScriptWords.number($0, in: 1...ScriptLimit.mostRepeats) })
        case "end":
            try words.end("end alone")
            self = .end
        case "include": self = .include(try words.text("include FILE"))
        default: self = .command(try Command.read(name, &words))
        }
    }
}
