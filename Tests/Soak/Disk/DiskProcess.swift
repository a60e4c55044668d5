import SystemPackage
import Wormhole

/// A program that uses a simulated disk. It decides which of the program's writes and file calls fail.
final class DiskProcess {
    enum Trouble: String, Codable, Sendable {
        case failing
        case full
    }

    enum Fate: Equatable {
        case none
        /// The next `after` writes or calls succeed. The write or call that follows kills the program.
        case killed(after: Int)
        /// The next `after` writes succeed. The `count` writes that follow fail.
        case failing(Trouble, after: Int, count: Int)
    }

    private(set) var isRunning = true
    private(set) var writes = 0
    var fate = Fate.none
    /// The fault of calls to `fileSystem`. `.failing` counts only writes. `.killed` counts every call.
    var fileFate = Fate.none
    private(set) var failures = 0
    private let failed: (Trouble) -> Void
    var fileFailed: () -> Void = {}
    var killed: () -> Void = {}

    init(failed: @escaping (Trouble) -> Void = { _ in }) {
        self.failed = failed
    }

    func kill() {
        guard isRunning else { return }
        isRunning = false
        killed()
    }

    func heal() { (fate, fileFate) = (.none, .none) }

    func beginWrite() -> Trouble? {
        guard isRunning else { return .failing }
        writes += 1
        switch next(&fate) {
        case .made: return nil
        case .killed: return .failing
        case .failed(let trouble):
            failures += 1
            failed(trouble)
            return trouble
        }
    }

    private func beginCall(_ name: String) -> Errno? {
        guard isRunning else { return .ioError }
        if case .failing = fileFate, name != "pwrite" { return nil }
        switch next(&fileFate) {
        case .made: return nil
        case .killed: return .ioError
        case .failed:
            fileFailed()
            return .noSpace
        }
    }

    private enum Step {
        case made, killed
        case failed(Trouble)
    }

    private func next(_ fate: inout Fate) -> Step {
        switch fate {
        case .none: return .made
        case .killed(0):
            fate = .none
            kill()
            return .killed
        case .killed(let after):
            fate = .killed(after: after - 1)
            return .made
        case .failing(let trouble, 0, let count):
            fate = count > 1 ? .failing(trouble, after: 0, count: count - 1) : .none
            return .failed(trouble)
        case .failing(let trouble, let after, let count):
            fate = .failing(trouble, after: after - 1, count: count)
            return .made
        }
    }

    /// Makes the process `Sendable`. A simulation and its programs run on one thread, so no other thread uses the
    /// process.
    private struct Box: @unchecked Sendable {
        let process: DiskProcess
    }

    var fileSystem: FileSystem { FileSystem { [box = Box(process: self)] call in box.process.beginCall(call) } }
}
