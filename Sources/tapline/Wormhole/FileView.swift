import CommandSupport
import HostSystem
import Synchronization
import Wormhole

/// What is shown of a file that is being sent.
final class FileView: Sendable {
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

    /// The file itself, where the endpoint says it.
    var path: String? { state.withLock { $0.file?.path } }
    var number: UInt64? { state.withLock { $0.file?.number } }
    var fate: FateReport.Stage? { state.withLock { $0.fate } }

    func end() { line.end() }

    func take(_ reply: SharedReply) throws {
        if case .file(let file) = reply { state.withLock { $0.file = file } }
        if case .progress(let progress) = reply { try show(progress) }
        if case .fate(_, let fate) = reply {
            state.withLock { $0.fate = fate.stage }
            try show(fate)
        }
    }

    private func show(_ progress: FileProgress) throws {
        guard let file = state.withLock({ $0.file }) else { return }
        switch form {
        case .json: try WormholeReport.write(FileView.fields(of: progress, file.label))
        case .text: line.show(progress.done, of: progress.total, as: FileView.words(about: progress, file.label))
        }
    }

    /// What is behind the bar.
    static func words(about progress: FileProgress, _ label: String) -> String {
        let label = PlainLine(label)
        if let pause = progress.busyFor {
            return "the peer is busy, offered again in \(DurationChoice(milliseconds: pause))  \(label)"
        }
        return "\(progress.done * 100 / max(progress.total, 1)) % of \(SizeText(progress.total))  \(label)"
    }

    /// The line of JSON.
    static func fields(of progress: FileProgress, _ label: String) -> [String: String] {
        var fields = [
            "label": WormholeReport.quoted(label), "done": "\(progress.done)", "total": "\(progress.total)",
        ]
        guard let pause = progress.busyFor else { return fields }
        fields["event"] = WormholeReport.quoted("busy")
        fields["againAfterMilliseconds"] = "\(pause)"
        return fields
    }

    private func show(_ fate: FateReport) throws {
        guard let file = state.withLock({ $0.file }) else { return }
        line.end()
        switch form {
        case .json: try WormholeReport.write(file, fate)
        case .text where fate.isFinal:
            let reason = fate.reason.map { ", \($0)" } ?? ""
            try StandardOutput.print("\(file.label): \(fate.stage.rawValue)\(reason) (\(file.peer))\n")
        case .text: break
        }
    }
}
