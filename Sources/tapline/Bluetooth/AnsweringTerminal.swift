import BluetoothBridge
import Glibc
import HostSystem

/// The terminal in which the command was started, for questions to the user. Standard input and output may be redirected.
struct AnsweringTerminal: Sendable {
    /// The reasons why the command cannot ask the user.
    enum Absence: Error, Hashable {
        /// The command has no terminal.
        case noTerminal
        /// Another command has the terminal now, and gets what the user types.
        case inBackground
    }

    /// How many bytes of an answer count. The rest is ignored.
    private static let longestAnswer = 256

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

    /// Takes over a terminal's descriptor, and closes it with the last copy of this value.
    init(owning descriptor: CInt) { self.descriptor = OwnedDescriptor(descriptor) }

    /// Asks the user, and waits for a line. Ignores what was typed before the question.
    ///
    /// - Returns: the line without its end. Nil if the terminal is gone, or if the task is cancelled, which is printed on the
    ///   terminal.
    func answer(to question: String) async -> String? {
        guard let end = try? EventDescriptor() else { return nil }
        return await withTaskCancellationHandler {
            // Waiting for the user blocks this thread.
            (try? await SystemThread.result { ask(question, until: end) }) ?? nil
        } onCancel: {
            end.signal()
        }
    }

    private func ask(_ question: String, until end: EventDescriptor) -> String? {
        guard let number = descriptor.number else { return nil }
        tcflush(number, TCIFLUSH)
        write(question)
        var looked = [PolledDescriptor(number, .readable), PolledDescriptor(end.descriptor, .readable)]
        while true {
            PolledDescriptor.wait(for: &looked, microseconds: nil)
            if looked[1].isReady {
                write("\nThe question is over.\n")
                return nil
            }
            guard looked[0].isReady else { continue }
            var bytes = [UInt8](repeating: 0, count: AnsweringTerminal.longestAnswer)
            let count = read(number, &bytes, bytes.count)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { return nil }
            return String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
    }

    /// Writes to the terminal. If that fails, there is no answer either, so errors are ignored.
    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = descriptor.with { Glibc.write($0, bytes, bytes.count) }
    }
}

extension PairingRequest {
    /// Asks whether the other side shows the same digits.
    func question(about other: String) -> String {
        "Does the \(other) show \(digits.prefix(3)) \(digits.suffix(3))? [y/n] "
    }
}

extension PairingDecision {
    /// Reads the user's answer. Anything but yes means no, and so does nil, which stands for no answer.
    init(answer: String?) {
        switch answer?.lowercased() {
        case "y", "yes": self = .accept
        case _: self = .reject
        }
    }
}
