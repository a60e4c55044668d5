import ArgumentParser
import CommandSupport
import Foundation
import HostSystem
import Synchronization
import Wormhole

struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a file of up to 16 MiB.",
        discussion: """
            The other end has to receive (`tapline wormhole receive`, or a program of its own). If a link breaks, the next one \
            continues with the missing part, until the other end has the whole file and its hash is right. If the command is \
            interrupted, the file stays on its way: the next command of this end continues, `tapline wormhole outstanding` shows \
            its number, and `tapline wormhole send --resume NUMBER` shows its progress again. If a watch is busy with other \
            files, or has to erase its flash first, it is offered the file again at least every 30 s. The progress says so; with \
            --json it is a line with the event "busy".

            EXAMPLES
              tapline wormhole send photo.png --as watch
              tapline wormhole send photo.png --label face.png --about '{"for": "face"}'
            """)

    @Argument(help: ArgumentHelp("The file.", valueName: "file"), completion: .file())
    var file: String?

    @Option(help: ArgumentHelp("The file's name at the other end; by default the same.", valueName: "name"))
    var label: String?

    @Option(help: ArgumentHelp("A JSON value that describes the file.", valueName: "json"))
    var about: String?

    @Option(help: ArgumentHelp("The peer, if there are several: its name or identity.", valueName: "peer"))
    var to: String?

    @Option(help: ArgumentHelp("Continue with a file that is on its way: its number.", valueName: "number"))
    var resume: FileNumber?

    @Option(help: ArgumentHelp("How long to wait for the peer to connect.", valueName: "2s|500ms"))
    var within = DurationChoice(milliseconds: 10_000)

    @OptionGroup var output: OutputOption
    @OptionGroup var side: SideOptions

    func validate() throws {
        if (file == nil) == (resume == nil) { throw ValidationError("Name a file, or a file to --resume.") }
        guard let path = file else { return }
        do {
            _ = try FileLabel(self.label(of: path))
            if let about { _ = try JSONText(text: about) }
        } catch {
            throw ValidationError("\(error)")
        }
    }

    private func label(of path: String) -> String {
        label ?? URL(fileURLWithPath: path).lastPathComponent
    }

    private func request(within timeout: DurationChoice) throws -> ControlCommand {
        if let resume { return .followFile(resume.value) }
        let named = file ?? ""
        return .send(
            path: try named.resolvedPath(), label: label(of: named), recipient: to,
            metadata: try about.map { try JSONText(text: $0).payload }, timeout: timeout.milliseconds)
    }

    func run() async throws {
        let time = Mutex(CommandTime(within))
        let view = FileView(json: output.json)
        defer { view.end() }
        try await runUntilInterrupted(side) { side in
            // If the view has a number, the file is already being sent, and the program that had the endpoint has ended.
            let begun = try view.number.map(ControlCommand.followFile) ?? request(within: time.withLock { $0.rest() })
            try await side.perform(begun) { try view.take($0) }
        }
        switch view.fate {
        case .applied: return
        case .failed, .expired: throw ExitCode.failure
        case .queued, .sent, .delivered, nil:
            let number =
                view.number.map { "; go on with tapline wormhole send --resume \(FileNumber(value: $0))\(side.pasted)" }
                ?? ""
            throw CommandFailure("not sent yet\(number)", status: .late)
        }
    }
}

final class FileView: Sendable {
    private struct State {
        var file: TransferRecord?
        var fate: MessageFate?
    }

    private let state = Mutex(State())
    private let json: Bool
    private let line = ProgressLine()

    init(json: Bool) {
        self.json = json
    }

    var number: UInt64? { state.withLock { $0.file?.transfer } }
    var fate: MessageFate? { state.withLock { $0.fate } }

    func end() { line.end() }

    func take(_ reply: ControlReply) throws {
        if case .file(let file) = reply { state.withLock { $0.file = file } }
        if case .progress(let progress) = reply { try show(progress) }
        if case .fate(_, let fate) = reply {
            let isNew = state.withLock { state in
                guard fate.isLater(than: state.fate) else { return false }
                state.fate = fate
                return true
            }
            if isNew { try show(fate) }
        }
    }

    private func show(_ progress: FileProgress) throws {
        guard let file = state.withLock({ $0.file }) else { return }
        guard !json else { return try WormholeReport.write(FileView.object(progress, file.label.text)) }
        line.show(progress.done, of: progress.total, as: FileView.words(about: progress, file.label.text))
    }

    static func words(about progress: FileProgress, _ label: String) -> String {
        let label = SanitizedLine(label)
        if let pause = progress.busyFor {
            return "the peer is busy, offered again in \(DurationChoice(milliseconds: pause))  \(label)"
        }
        return "\(progress.done * 100 / max(progress.total, 1)) % of \(SizeText(progress.total))  \(label)"
    }

    static func object(_ progress: FileProgress, _ label: String) -> JSONObject {
        [
            "label": label, "done": progress.done, "total": progress.total,
            "event": progress.busyFor == nil ? nil : "busy", "againAfterMilliseconds": progress.busyFor,
        ]
    }

    private func show(_ fate: MessageFate) throws {
        guard let file = state.withLock({ $0.file }) else { return }
        line.end()
        guard !json else { return try WormholeReport.write(file, fate) }
        if fate.isFinal { try WormholeReport.write(fate, of: file.label.text, for: file.peer) }
    }
}

struct ReceiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive",
        abstract: "Receive files into a directory.",
        discussion: """
            Prints a line with the path of each file once it is complete and its hash is right; before that it does not appear. \
            A file never replaces another one: if photo.png exists, the next one is photo-2.png. If this is interrupted, the \
            received parts stay in hidden files whose names begin with .tapline-, and the rest comes later.

            EXAMPLES
              tapline wormhole receive ~/Pictures
              tapline wormhole receive . --count 1 --json
            """)

    @Argument(help: ArgumentHelp("The directory.", valueName: "directory"), completion: .directory)
    var directory: String

    @Option(help: ArgumentHelp("End after this number of files.", valueName: "count"))
    var count: Int?

    @OptionGroup var output: OutputOption
    @OptionGroup var side: SideOptions

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count is 1 or more.") }
    }

    func run() async throws {
        let (path, output) = (try directory.resolvedPath(), output)
        try ReceiveCommand.check(path)
        let (left, line) = (Countdown(count), ProgressLine())
        defer { line.end() }
        try await runUntilInterrupted(side) { side in
            let channel = try await side.begin(.receive(directory: path, atMost: left.count))
            defer { channel.close() }
            while left.isRunning {
                let reply = try await channel.nextOfMany()
                if case .progress(let progress) = reply, !output.json {
                    let share = progress.done * 100 / max(progress.total, 1)
                    line.show(progress.done, of: progress.total, as: "\(share) % of \(SizeText(progress.total))")
                } else if case .received(let file) = reply {
                    line.end()
                    try ReceiveCommand.show(file, output)
                    left.step()
                }
            }
        }
    }

    /// If the path is not a directory, throws an error that says what to do.
    private static func check(_ path: String) throws {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw CommandFailure(
                "\(path): there is no such directory: create it (mkdir -p), or name another one")
        }
        guard isDirectory.boolValue else { throw CommandFailure("\(path): Not a directory: name another one") }
    }

    private static func show(_ file: ReceivedFile, _ output: OutputOption) throws {
        try output.printLine(
            file.path,
            json: [
                "label": file.label.text, "path": file.path, "from": "\(file.peer)", "bytes": file.length,
                "about": try file.metadata.map { try JSONText(payload: $0) },
            ])
    }
}
