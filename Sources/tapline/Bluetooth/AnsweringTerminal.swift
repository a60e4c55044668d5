import BluetoothBridge
import Glibc
import HostSystem

/// The terminal of this command, for questions: the standard input and output may be anything else.
struct AnsweringTerminal: Sendable {
    /// Why the person cannot be asked.
    enum Absence: Error, Hashable {
        /// The command has no terminal.
        case noTerminal
        /// The terminal belongs to another command at the moment, which gets what is typed.
        case inBackground
    }

    /// The longest answer, in bytes; of a longer one the beginning counts.
    private static let longestAnswer = 256

    private let descriptor: OwnedDescriptor

    /// The terminal that controls this process (tty(4)).
    init() throws(Absence) {
        do throws(HostSystemError) {
            self.init(owning: try Descriptors.open("/dev/tty", O_RDWR | O_NONBLOCK | O_NOCTTY))
        } catch {
            throw .noTerminal
        }
        guard descriptor.with({ tcgetpgrp($0) }) == getpgrp() else { throw .inBackground }
    }

    /// A terminal, which is closed with this value's last copy.
    init(owning descriptor: CInt) { self.descriptor = OwnedDescriptor(descriptor) }

    /// Asks, and waits for a line. What was typed before the question is no answer.
    ///
    /// - Returns: the line without its end; nil if the terminal is gone, or if the task is cancelled, which is printed there.
    func answer(to question: String) async -> String? {
        guard let end = try? EventDescriptor() else { return nil }
        return await withTaskCancellationHandler {
            // Waiting for a person blocks a thread.
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

    /// Who does not read it cannot be asked.
    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = descriptor.with { Glibc.write($0, bytes, bytes.count) }
    }
}

extension PairingRequest {
    /// The question whether the other side shows the same digits.
    func question(about other: String) -> String {
        "Does the \(other) show \(digits.prefix(3)) \(digits.suffix(3))? [y/n] "
    }
}

extension PairingDecision {
    /// What a line means that a person has typed; nil for none. Any answer but yes is no.
    init(answer: String?) {
        switch answer?.lowercased() {
        case "y", "yes": self = .accept
        case _: self = .reject
        }
    }
}
