import BluetoothBridge
import Glibc
import HostSystem

/// Asks the user questions in the terminal in which the command was started. Standard input and output may be redirected.
struct AnsweringTerminal: Sendable {
    enum Absence: Error, Hashable {
        case noTerminal
        /// Another command has the terminal now, and gets what the user types.
        case inBackground
    }

    private let descriptor: OwnedDescriptor

    /// Opens the terminal that controls this process (tty(4)).
    init() throws(Absence) {
        do throws(HostSystemError) {
            self.init(owning: try Descriptors.open("/dev/tty", O_RDWR | O_NONBLOCK | O_NOCTTY))
        } catch {
            throw .noTerminal
        }
        guard descriptor.with({ tcgetpgrp($0) }) == getpgrp() else { throw .inBackground }
    }

    /// The last copy of this value closes the descriptor.
    init(owning descriptor: CInt) { self.descriptor = OwnedDescriptor(descriptor) }

    /// Prints a question and waits for a line. Ignores what was typed before. Returns the line without its end; nil if the
    /// terminal is gone or the task is cancelled.
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
            // Longer answers are cut.
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
    /// Reads the user's answer. Anything but yes means no, and so does nil, which stands for no answer.
    init(answer: String?) {
        self = ["y", "yes"].contains(answer?.lowercased()) ? .accept : .reject
    }
}
