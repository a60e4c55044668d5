import Foundation
import Testing

@testable import tapline

/// Every line that this program shows is written in one of a few places, each of which cleans what others have written.
@Suite struct OutputTests {
    /// What writes to the standard output or error by itself, by file.
    private static let writers: [String: [String]] = [
        // It shows the text of the watch's view.
        "Simulator/TerminalWatch/Session/PlainSession.swift": ["Glibc.write("],
        // Its questions are of this program's words and digits alone.
        "Sources/tapline/Bluetooth/AnsweringTerminal.swift": ["Glibc.write("],
        "Sources/tapline/Bluetooth/RadioNotes.swift": ["standardError"],
        "Sources/tapline/Phone/AccountCommand.swift": ["standardError"],
        "Sources/tapline/Phone/PasswordPrompt.swift": ["standardError"],
        "Sources/tapline/Phone/SyncCommand.swift": ["standardError"],
        "Sources/CommandSupport/ProgressLine.swift": ["standardError"],
        // The log's handler gives it what is clean.
        "Sources/tapline/Settings/LogOutput.swift": ["Glibc.write("],
        "Sources/tapline/Settings/Logger+StandardError.swift": ["StreamLogHandler"],
        "Sources/CommandSupport/StandardOutput.swift": ["FileDescriptor.standardOutput"],
        "Sources/CommandSupport/CommandProgram.swift": ["standardOutput", "standardError"],
        "Sources/tapline/Wormhole/AnswerCommand.swift": ["standardError"],
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
        // The table's own methods of that name put lines together.
        let strange = found.filter { file, words in
            let allowed = OutputTests.writers[file] ?? []
            return words.contains { word in !allowed.contains { word.contains($0) } }
        }
        #expect(strange.isEmpty, "\(strange)")
        #expect(Set(found.keys).isSuperset(of: OutputTests.writers.keys), "a file of the table writes nothing any more")
    }
}
