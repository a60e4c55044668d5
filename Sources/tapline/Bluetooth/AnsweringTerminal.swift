import BluetoothBridge
import Glibc
import HostSystem

/// The terminal in which the command was started, for questions to the user. It works even if standard input and output are
/// redirected.
struct AnsweringTerminal: Sendable {
    enum Absence: Error, Hashable {
        case noTerminal
        /// Another command has the terminal now, and gets what the user types.
        case inBackground
    }

    private let descriptor: OwnedDescriptor

    /// Opens the controlling terminal of this process, `/dev/tty` (tty(4)).
    init() throws(Absence) {
        do throws(HostSystemError) {
            self.init(owning: try Descriptors.open("/dev/tty", O_RDWR | O_NONBLOCK | O_NOCTTY))
        } catch {
            throw .noTerminal
        }
        guard descriptor.with({ tcgetpgrp($0) }) == getpgrp() else { throw .inBackground }
    }

    /// Takes over the descriptor, and closes it once no copy of this value is left.
    init(owning descriptor: CInt) { self.descriptor = OwnedDescriptor(descriptor) }

    /// Discards what was typed before, prints the question and waits for a line. Returns the line without its line break;
    /// nil if the terminal is gone or the task is cancelled.
    func answer(to question: String) async -> String? {
        guard let end = try? EventDescriptor() else { return nil }
        return await withTaskCancellationHandler {
            (try? await SystemThread.result { ask(question, until: end) }) ?? nil
        } onCancel: {
            end.signal()
        }
    }

    private func ask(_ question: String, until end: EventDescriptor) -> String? {
        guard let number = descriptor.number else { return nil }
        tcflush(number, TCIFLUSH)
        write(question)
        var waits = [PolledDescriptor(number, .readable), PolledDescriptor(end.descriptor, .readable)]
        while true {
            PolledDescriptor.wait(for: &waits, microseconds: nil)
            if waits[1].isReady {
                write("\nThe question is over.\n")
                return nil
            }
            guard waits[0].isReady else { continue }
            // Only the first 256 bytes of an answer count.
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = read(number, &bytes, bytes.count)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { return nil }
            return String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
    }

    /// Ignores errors: a terminal that cannot be written to gives no answer either.
    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = descriptor.with { Glibc.write($0, bytes, bytes.count) }
    }
}

extension PairingRequest {
    func question(about other: String) -> String {
        "Does the \(other) show \(digits.prefix(3)) \(digits.suffix(3))? [y/n] "
    }
}

extension PairingDecision {
    /// Accepts if the user's answer is `y` or `yes`, in upper or lower case. Rejects every other answer. Nil means that the
    /// user gave no answer, and is also rejected.
    init(answer: String?) {
        self = ["y", "yes"].contains(answer?.lowercased()) ? .accept : .reject
    }
}
