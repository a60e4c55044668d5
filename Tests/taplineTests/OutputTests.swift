import Foundation
import Glibc
import SystemPackage
import Testing

@testable import tapline

/// Only the files in `writers` write to the terminal. They sanitize text that comes from other programs.
@Suite struct OutputTests {
    /// The files that may write to standard output or standard error, each with the calls that it may use.
    private static let writers: [String: [String]] = [
        // Writes the screen of the watch as text.
        "Simulator/TerminalWatch/Session/PlainSession.swift": ["Glibc.write("],
        // Its questions contain only words of this program and digits.
        "Sources/tapline/Bluetooth/AnsweringTerminal.swift": ["Glibc.write("],
        "Sources/tapline/Bluetooth/RadioNotes.swift": ["standardError"],
        "Sources/tapline/Phone/AccountCommand.swift": ["standardError"],
        "Sources/tapline/Phone/PasswordPrompt.swift": ["standardError"],
        "Sources/tapline/Phone/SyncCommand.swift": ["standardError"],
        // Gets sanitized lines from the log handler.
        "Sources/tapline/LogOutput.swift": ["Glibc.write(", "StreamLogHandler"],
        "Sources/CommandSupport/StandardOutput.swift": ["FileDescriptor.standardOutput", "standardError"],
        "Sources/CommandSupport/CommandProgram.swift": ["standardOutput", "standardError"],
        "Sources/tapline/Wormhole/AskCommand.swift": ["standardError"],
    ]

    private static let words = [
        "FileHandle.standardOutput.write", "FileHandle.standardOutput", "FileHandle.standardError",
        "FileDescriptor.standardOutput", "FileDescriptor.standardError", "Glibc.write(",
        "StreamLogHandler", " print(", "Swift.print(", "fputs(", "fwrite(text", "debugPrint(", "dump(",
    ]

    @Test func `nothing else writes to the terminal`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        var found: [String: Set<String>] = [:]
        for place in ["Sources", "Simulator"] {
            let files = FileManager.default.enumerator(atPath: root.appending(path: place).path)
            while let name = files?.nextObject() as? String {
                guard name.hasSuffix(".swift") else { continue }
                let text = try String(contentsOf: root.appending(path: "\(place)/\(name)"), encoding: .utf8)
                for line in text.split(separator: "\n") where !line.drop(while: { $0 == " " }).hasPrefix("//") {
                    for word in OutputTests.words where line.contains(word) && !line.contains("func print(") {
                        found["\(place)/\(name)", default: []].insert(word)
                    }
                }
            }
        }
        let strange = found.filter { file, words in
            let allowed = OutputTests.writers[file] ?? []
            return words.contains { word in !allowed.contains { word.contains($0) } }
        }
        #expect(strange.isEmpty, "\(strange)")
        #expect(Set(found.keys).isSuperset(of: OutputTests.writers.keys), "a file of the table writes nothing any more")
    }
}

@Suite struct LogOutputTests {
    @Test func `lines without room are left out and counted, and the others are whole`() throws {
        let pipe = try UnreadPipe()
        let log = LogOutput(pipe.writing)
        for number in 0..<3 { log.write("lost \(number)\n") }
        #expect(pipe.drain().allSatisfy { $0 == "." })
        log.write("first\n")
        log.write("second\n")
        #expect(pipe.drain() == "tapline: the log was not read in time; lines missing here: 3\nfirst\nsecond\n")
    }

    @Test func `a line of any length does not wait for the reader`() throws {
        let pipe = try UnreadPipe()
        _ = pipe.drain()
        let log = LogOutput(pipe.writing)
        log.write(String(repeating: "x", count: 1 << 20) + "\n")
        #expect(pipe.drain().count == 1 << 16, "as much as the pipe holds")
        log.write("next\n")
        let note = "tapline: the log was not read in time; lines missing here: 1\n"
        #expect(pipe.drain() == "\n\(note)next\n", "the note does not continue the line whose end is missing")
    }

    @Test func `a note that was written is not repeated, even if the line after it is cut`() throws {
        let pipe = try UnreadPipe()
        let log = LogOutput(pipe.writing)
        log.write("lost\n")
        _ = pipe.drain()
        log.write(String(repeating: "x", count: 1 << 20) + "\n")
        #expect(pipe.drain().hasPrefix("tapline: the log was not read in time; lines missing here: 1\nxxx"))
        log.write("next\n")
        #expect(pipe.drain() == "\ntapline: the log was not read in time; lines missing here: 1\nnext\n")
    }

    @Test func `a terminal that has stopped does not keep a line waiting`() throws {
        var (master, terminal) = (CInt(-1), CInt(-1))
        try #require(openpty(&master, &terminal, nil, nil, nil) == 0)
        defer {
            close(master)
            close(terminal)
        }
        let log = LogOutput(terminal)
        // More lines than the terminal has room for, because the test reads none.
        for number in 0..<10_000 { log.write("line \(number) of many that nobody reads\n") }
        #expect(fcntl(terminal, F_GETFL) & O_NONBLOCK == 0, "the terminal of others is as it was")
    }
}

/// A pipe that is full until the test reads from it.
final class UnreadPipe: Sendable {
    let reading: CInt
    let writing: CInt

    init() throws(Errno) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Errno(rawValue: errno) }
        (reading, writing) = (ends[0], ends[1])
        let capacity = fcntl(writing, getPipeSize)
        let filler = [UInt8](repeating: UInt8(ascii: "."), count: Int(capacity))
        guard write(writing, filler, filler.count) == filler.count else { throw Errno(rawValue: errno) }
    }

    /// F_GETPIPE_SZ of fcntl(2). The C library defines it only for programs that set _GNU_SOURCE.
    private var getPipeSize: CInt { 1032 }

    deinit {
        close(reading)
        close(writing)
    }

    func drain() -> String {
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        var count = CInt(0)
        while ioctl(reading, UInt(FIONREAD), &count) == 0, count > 0 {
            let size = read(reading, &part, part.count)
            guard size > 0 else { break }
            text += part[..<size]
        }
        return String(decoding: text, as: UTF8.self)
    }
}
