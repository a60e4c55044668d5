import CortexM
import MachineWatch
import Synchronization

/// Notes how the calls of a program are answered.
final class AnswerRecord: AnswerWitness {
    private let noted = Mutex<[HostAnswer]>([])
    private let ram: Range<UInt32>
    /// Answers of an hour of taps.
    private static let most = 1 << 20

    /// - Parameter ram: where answers may write.
    init(ram: Range<UInt32>) {
        self.ram = ram
    }

    func answered(_ before: CortexM4, _ after: CortexM4) {
        let answer = HostAnswer(call: before.next, result: after.register(0), writes: writes(before, after))
        noted.withLock { answers in
            precondition(answers.count < AnswerRecord.most, "a program calls on and on")
            answers.append(answer)
        }
    }

    /// What was noted up to now.
    var answers: [HostAnswer] { noted.withLock { $0 } }

    /// Where the memories differ, from the first to the last byte.
    private func writes(_ before: CortexM4, _ after: CortexM4) -> [HostAnswer.Write] {
        guard let old = before.bytes(at: ram.lowerBound, count: ram.count),
            let new = after.bytes(at: ram.lowerBound, count: ram.count), !old.elementsEqual(new)
        else { return [] }
        let changed = zip(old, new).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
        guard let first = changed.first, let last = changed.last else { return [] }
        let bytes = Array(new[new.startIndex + first...new.startIndex + last])
        return [HostAnswer.Write(address: ram.lowerBound + UInt32(first), bytes: bytes)]
    }
}
