import Glibc
import HostSystem
import WatchLink
import Wormhole

/// The programs on a phone that exchange messages and files with a watch.
final class PhonePrograms {
    /// Takes the payload of a question, and returns the payload of the answer. If the result is nil, the question fails.
    typealias Answer = @Sendable ([UInt8]) -> [UInt8]?

    private typealias Act = (EndpointMachine, _ watches: Set<PeerIdentity>) throws(WormholeError) -> Void

    /// The state of a file that a program sends.
    enum Sending {
        /// The transfer has not begun, because no watch is connected or the watch does not accept the file.
        case waiting
        case begun(FileTransfer)
        case cancelled
        case invalidLabel
    }

    private(set) var heard: [ProgramMessage] = []
    var answers: [String: Answer] = [:]
    private(set) var reloads = 0
    private(set) var files: [UInt64: Sending] = [:]
    /// The descriptors of the files to send. The files have no names on disk, so the path of descriptor 7 is
    /// `/proc/self/fd/7`.
    private var contents: [OwnedDescriptor] = []
    /// The queued messages that a watch may still reject.
    private var passed: [(message: ProgramMessage, handle: MessageHandle)] = []
    /// The actions that failed, for example because no watch was connected. They are repeated when a watch connects.
    private var waiting: [Act] = []
    private var watches: Set<PeerIdentity> = []

    // MARK: Messages

    func hear(_ message: HeardMessage) {
        guard case .peer = message.origin else { return }
        switch ApplicationMessage(text: message.name.text) {
        case .reload?: reloads += 1
        case .check?, .add?, .list?, .title?, .complication?, .past?: break
        case nil:
            let way: ProgramMessage.Way =
                switch message.delivery {
                case .latest: .latest
                case .interactive: .asked
                case .queued, .complication, .file: .queued
                }
            heard.append(
                ProgramMessage(
                    name: message.name.text, way: way, payload: message.isCleared ? [] : message.payload))
        }
    }

    func answer(to question: PeerQuestion) -> AnswerOutcome {
        guard let answer = answers[question.name.text] else { return .failure(.noListener) }
        return answer(question.payload).map { .value($0) } ?? .failure(.failed)
    }

    func pass(_ name: MessageName, _ payload: [UInt8], _ delivery: Delivery) -> EndpointInput {
        input { [unowned self] machine, _ throws(WormholeError) in
            if payload.isEmpty, case .latest = delivery { return try machine.clear(name) }
            let handle = try machine.pass(encoded: payload, under: name, delivery: delivery, to: .everyone)
            guard let handle, !handle.copies.isEmpty else { return }
            let message = ProgramMessage(name: name.text, way: .queued, payload: payload)
            machine.after { [unowned self] in passed.append((message, handle)) }
        }
    }

    func ask(_ name: MessageName, _ payload: [UInt8], within limit: Microseconds) -> EndpointInput {
        input { [unowned self] machine, watches throws(WormholeError) in
            guard let watch = watches.first else { throw .unknownPeer }
            try machine.ask(payload, under: name, of: watch, within: limit) { [unowned self] result in
                let status: ReplyStatus
                switch result {
                case .success: status = .answered
                case .failure(.noAnswer(let reason)): status = reason
                case .failure(.noReply): status = .late
                // The link has ended.
                case .failure: return
                }
                heard.append(
                    ProgramMessage(name: name.text, way: .replied(status), payload: (try? result.get()) ?? []))
            }
        }
    }

    /// Makes an input that performs `act`. If `act` fails, it is repeated when a watch connects.
    private func input(_ act: @escaping Act) -> EndpointInput {
        EndpointInput { [unowned self] machine, _ throws(WormholeError) in
            try act(machine, watches)
        } finish: { [unowned self] _, error in
            if error != nil { waiting.append(act) }
        }
    }

    /// Records in `heard` the messages that a watch has rejected. If a watch has connected since the last call, adds the
    /// waiting actions to `inputs`.
    func follow(_ connected: Set<PeerIdentity>, _ inputs: inout [EndpointInput]) {
        if !passed.isEmpty {
            for (message, handle) in passed {
                guard case .failed(.rejected(let reason)) = handle.fate else { continue }
                heard.append(
                    ProgramMessage(name: message.name, way: .rejected(reason), payload: message.payload))
            }
            passed.removeAll { $0.handle.fate.isFinal }
        }
        guard connected != watches else { return }
        watches = connected
        guard !watches.isEmpty else { return }
        inputs += waiting.map(input)
        waiting = []
    }

    // MARK: Files

    func send(_ file: PhoneFile) -> EndpointInput? {
        precondition(files[file.transfer] == nil, "each file has a transfer of its own")
        guard let label = try? FileLabel(file.label) else {
            files[file.transfer] = .invalidLabel
            return nil
        }
        guard let descriptor = Self.unnamedFile(file.content) else { preconditionFailure("there is room for a file") }
        contents.append(descriptor)
        files[file.transfer] = .waiting
        let path = "/proc/self/fd/\(descriptor.number ?? -1)"
        return input { [unowned self] machine, watches throws(WormholeError) in
            guard case .waiting = files[file.transfer] else { return }
            guard let watch = watches.first else { throw .unknownPeer }
            let transfer = try machine.send(
                fileAt: path, as: label, to: watch, length: UInt64(file.content.count), hash: file.hash, metadata: nil)
            machine.after { [unowned self] in files[file.transfer] = .begun(transfer) }
        }
    }

    private static func unnamedFile(_ content: [UInt8]) -> OwnedDescriptor? {
        guard let stream = tmpfile() else { return nil }
        defer { fclose(stream) }
        guard fwrite(content, 1, content.count, stream) == content.count, fflush(stream) == 0 else { return nil }
        return (try? Descriptors.duplicate(fileno(stream), from: 3)).map { OwnedDescriptor($0) }
    }

    func cancelFile(_ transfer: UInt64) -> EndpointInput? {
        switch files[transfer] {
        case .waiting:
            files[transfer] = .cancelled
            return nil
        case .begun(let begun):
            return EndpointInput { machine, _ throws(WormholeError) in try machine.cancelSending(begun.number) }
        case .cancelled, .invalidLabel, nil: return nil
        }
    }
}

extension PhonePrograms.Sending {
    var state: PhoneFileState {
        switch self {
        case .waiting: .waiting
        case .begun(let transfer): PhoneFileState(transfer)
        case .cancelled: .cancelled
        case .invalidLabel: .refused(.badLabel)
        }
    }
}

extension PhoneFileState {
    fileprivate init(_ transfer: FileTransfer) {
        self =
            switch transfer.fate {
            case .queued, .expired: .waiting
            case .sent, .delivered: transfer.done > 0 ? .sending(upTo: Int(transfer.done)) : .offered
            case .applied: .stored
            case .failed(.fileRefused(let reason)): .refused(reason)
            case .failed(.cancelled): .cancelled
            case .failed(let failure): .failed(failure)
            }
    }
}

// The actions of programs on the phone. Names and values are those that a handler declares.
extension InMemoryPhone {
    package func pass(queued name: String, _ payload: [UInt8]) {
        let name = InMemoryPhone.checked(name)
        contents.withLock { $0.inputs.append($0.programs.pass(name, payload, .queued)) }
    }

    /// Sends a value (`Delivery.latest`) to the watch. A newer value of the same name replaces it. An empty payload clears the
    /// value.
    package func pass(latest name: String, _ payload: [UInt8]) {
        let name = InMemoryPhone.checked(name)
        contents.withLock { $0.inputs.append($0.programs.pass(name, payload, .latest)) }
    }

    /// Asks the watch a question. The reply appears in `heard`, unless the link ends first. The timeout is in milliseconds.
    package func ask(_ name: String, _ payload: [UInt8], timeout: UInt32) {
        let name = InMemoryPhone.checked(name)
        contents.withLock { $0.inputs.append($0.programs.ask(name, payload, within: .milliseconds(timeout))) }
    }

    private static func checked(_ name: String) -> MessageName {
        guard let name = try? MessageName(name) else { preconditionFailure("\"\(name)\" is no name of a message") }
        return name
    }

    /// Answers the watch's questions of this name from now on. If `answer` returns nil, the question fails. `answer` must not
    /// use this phone, because it runs while the phone is locked.
    package func answer(_ name: String, with answer: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
        contents.withLock { $0.programs.answers[name] = answer }
    }

    /// Sends a file to the watch. The phone keeps the file until a watch accepts it. Traps if an earlier file has the same
    /// transfer number.
    package func send(_ file: PhoneFile) {
        contents.withLock { contents in
            if let input = contents.programs.send(file) { contents.inputs.append(input) }
        }
    }

    /// Cancels the transfer of a file. Does nothing if the transfer has ended.
    package func cancelFile(transfer: UInt64) {
        contents.withLock { contents in
            if let input = contents.programs.cancelFile(transfer) { contents.inputs.append(input) }
        }
    }

    /// Everything that the watch has sent to programs: values, messages, questions, replies and rejections, in order of
    /// arrival.
    package var heard: [ProgramMessage] { contents.withLock { $0.programs.heard } }

    /// How many times watches have asked for the list again.
    package var reloads: Int { contents.withLock { $0.programs.reloads } }

    /// The state of each file, by `PhoneFile.transfer`.
    package var files: [UInt64: PhoneFileState] { contents.withLock { $0.programs.files.mapValues(\.state) } }
}
