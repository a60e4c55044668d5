import ArgumentParser
import Foundation
import HostSystem
import Synchronization
import WatchLink
import Wormhole

/// `tapline wormhole send`: sends a file.
struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a file of up to 16 MiB.",
        discussion: """
            The other end has to receive (`tapline wormhole receive`, or a program of its own). The file goes on over any \
            number of links, from what the other end has, until its hash is right there. An interrupted command leaves it \
            on its way: the next command of this end goes on, `tapline wormhole outstanding` shows its number, and \
            `tapline wormhole send --resume NUMBER` shows its progress again.

            EXAMPLES
              tapline wormhole send photo.png --as watch
              tapline wormhole send photo.png --label face.png --about '{"for": "face"}'
            """)

    @Argument(help: ArgumentHelp("The file.", valueName: "file"), completion: .file())
    var file: String?

    @Option(help: ArgumentHelp("What the other end calls it; by default the file's name.", valueName: "name"))
    var label: String?

    @Option(help: ArgumentHelp("What is said about it: a JSON value.", valueName: "json"))
    var about: String?

    @Option(help: ArgumentHelp("The peer, where there are several: its name or identity.", valueName: "peer"))
    var to: String?

    @Option(help: ArgumentHelp("Go on with a file that is on its way, by its number.", valueName: "number"))
    var resume: FileNumber?

    @Option(help: ArgumentHelp("How long to wait for the peer to come.", valueName: "time"))
    var within = DurationChoice(milliseconds: 10_000)

    @OptionGroup var output: OutputOption
    @OptionGroup var side: SideOptions

    func validate() throws {
        guard (file == nil) != (resume == nil) else { throw ValidationError("Name a file, or one to --resume.") }
        guard let file else { return }
        do {
            _ = try FileLabel(label ?? URL(fileURLWithPath: file).lastPathComponent)
            if let about { _ = try JSONText(text: about) }
        } catch {
            throw ValidationError("\(error)")
        }
    }

    private var request: SharedRequest {
        get throws {
            if let resume { return .followFile(resume.value) }
            let url = URL(fileURLWithPath: file ?? "")
            return .send(
                SharedRequest.Sending(
                    path: url.path, label: label ?? url.lastPathComponent, recipient: to,
                    metadata: try about.map { try JSONText(text: $0).payload }, patience: within.milliseconds))
        }
    }

    func run() async throws {
        let request = try request
        let view = FileView(output.json ? .json : .text)
        defer { view.end() }
        try await LongCommand.run(side) { side in
            // Where another program had the end and has left, the file is on its way already.
            let begun = view.number.map(SharedRequest.followFile) ?? request
            try await side.perform(begun) { try view.take($0) }
        }
        switch view.fate {
        case .applied: return
        case .failed, .expired: throw ExitCode.failure
        case .queued, .sent, .delivered, nil:
            let number = view.number.map { "; go on with --resume \(FileNumber(value: $0))" } ?? ""
            throw WormholeFailure.late("not sent yet\(number)")
        }
    }
}

/// The number of a file, in sixteen hexadecimal digits.
struct FileNumber: ExpressibleByArgument, CustomStringConvertible {
    let value: UInt64

    init?(argument: String) {
        guard argument.utf8.count == 16, let value = UInt64(argument, radix: 16) else { return nil }
        self.value = value
    }

    init(value: UInt64) {
        self.value = value
    }

    var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// What is shown of a file that is being sent.
private final class FileView: Sendable {
    private struct State {
        var file: SharedReply.File?
        var fate: FateReport.Stage?
    }

    private let state = Mutex(State())
    /// How it is shown.
    enum Form {
        case text
        case json
    }

    private let form: Form
    private let line = ProgressLine()

    init(_ form: Form) {
        self.form = form
    }

    var number: UInt64? { state.withLock { $0.file?.number } }
    var fate: FateReport.Stage? { state.withLock { $0.fate } }

    func end() { line.end() }

    func take(_ reply: SharedReply) throws {
        switch reply {
        case .file(let file): state.withLock { $0.file = file }
        case .progress(let progress): try show(progress)
        case .fate(_, let fate):
            state.withLock { $0.fate = fate.stage }
            try show(fate)
        case .passed, .value, .named, .heard, .kept, .asked, .outstanding, .peer, .received, .budget, .done, .failed:
            break
        }
    }

    private func show(_ progress: FileProgress) throws {
        guard let file = state.withLock({ $0.file }) else { return }
        switch form {
        case .json:
            try WormholeReport.write([
                "label": WormholeReport.quoted(file.label), "done": "\(progress.done)", "total": "\(progress.total)",
            ])
        case .text:
            let share = progress.done * 100 / max(progress.total, 1)
            line.show(
                progress.done, of: progress.total,
                as: "\(share) % of \(SizeText(progress.total))  \(PlainLine(file.label))")
        }
    }

    private func show(_ fate: FateReport) throws {
        guard let file = state.withLock({ $0.file }) else { return }
        line.end()
        switch form {
        case .json:
            var fields = [
                "label": WormholeReport.quoted(file.label), "fate": WormholeReport.quoted(fate.stage.rawValue),
            ]
            fields["number"] = file.number.map { WormholeReport.quoted("\(FileNumber(value: $0))") }
            fields["peer"] = WormholeReport.quoted(file.peer)
            fields["reason"] = fate.reason.map(WormholeReport.quoted)
            try WormholeReport.write(fields)
        case .text where fate.isFinal:
            let reason = fate.reason.map { ", \($0)" } ?? ""
            try PhoneReport.write("\(file.label): \(fate.stage.rawValue)\(reason) (\(file.peer))\n")
        case .text: break
        }
    }
}

/// A size for a person: `512 bytes`, `16.0 MB`.
struct SizeText: CustomStringConvertible {
    let description: String

    init(_ bytes: UInt64) {
        switch bytes {
        case 0..<1_000: description = "\(CountText(bytes, "byte"))"
        case 1_000..<1_000_000: description = "\(bytes / 1_000).\(bytes % 1_000 / 100) KB"
        default: description = "\(bytes / 1_000_000).\(bytes % 1_000_000 / 100_000) MB"
        }
    }
}
