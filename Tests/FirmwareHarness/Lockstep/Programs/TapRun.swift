import DeviceModel
import Emulator
import Foundation
import Synchronization
import Watch
import WatchLink

/// Runs of the lab's image with taps on a list. Our processor executes each first on a simulated board, whose answers are recorded.
struct TapRun {
    private let image: LabImage
    private let path: String

    init(_ path: String) throws(LockstepError) {
        self.path = path
        do {
            image = try LabImage(Array(Data(contentsOf: URL(filePath: path))))
        } catch {
            throw .unusable("\(path): \(error)")
        }
    }

    var handlers: Int { image.handlers.count }

    /// The program of a seed. The seed modulo the number of handlers is the handler.
    func program(_ kind: LockstepProgram.Kind, _ seed: UInt64) throws(LockstepError) -> LockstepProgram {
        let record = AnswerRecord(ram: Comparison.ram)
        let begin: Int
        do {
            begin = try play(kind, seed, record)
        } catch {
            throw .unusable("\(kind) \(seed): \(error)")
        }
        var answers = record.answers
        // Nothing is compared behind the last call.
        guard let last = answers.popLast() else { throw .unusable("\(kind) \(seed): the program makes no call") }
        return LockstepProgram(
            kind: kind, name: "\(seed)", image: path, processor: image.processor, answers: answers,
            begin: begin, ending: .call(last.call))
    }

    /// Returns the first call from which on each instruction is compared.
    private func play(_ kind: LockstepProgram.Kind, _ seed: UInt64, _ record: AnswerRecord) throws -> Int {
        var random = SplitMix64(seed: seed)
        let (image, handler) = (image, Int(seed % UInt64(handlers)))
        let phone = SimulatedPhone(items: kind == .tap ? 3 : 3 + Int(random.next() % 20))
        let bench = try MachineBench(
            image, .own(handler: handler), phone: phone, seed: seed, witness: { record.answered($0, $1) })
        bench.connect()
        let begin = kind == .tap ? record.answers.count : 0
        bench.tap(0)
        bench.run(for: .seconds(1))
        if kind == .taps { act(on: bench, &random) }
        guard bench.snapshot.phase == .running else { throw LockstepError.unusable("the watch has stopped") }
        return begin
    }

    private func act(on bench: MachineBench, _ random: inout SplitMix64) {
        for _ in 0..<2 + random.next() % 3 {
            switch random.next() % 6 {
            case 0: bench.send(.crown(detents: Int8(truncatingIfNeeded: random.next())))
            case 1: bench.send(.press(random.next() % 2 == 0 ? .crown : .side))
            case _: bench.tap(Int(random.next() % 5))
            }
            bench.run(for: .milliseconds(400))
        }
    }
}

/// Records the answers to the calls of a program.
final class AnswerRecord: Sendable {
    private let noted = Mutex<[HostAnswer]>([])
    private let ram: Range<UInt32>
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

    var answers: [HostAnswer] { noted.withLock { $0 } }

    /// Where the memories differ, from the first to the last byte.
    private func writes(_ before: CortexM4, _ after: CortexM4) -> [HostAnswer.Write] {
        guard let old = before.memory.bytes(at: ram.lowerBound, count: ram.count),
            let new = after.memory.bytes(at: ram.lowerBound, count: ram.count), !old.elementsEqual(new)
        else { return [] }
        let changed = zip(old, new).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
        guard let first = changed.first, let last = changed.last else { return [] }
        let bytes = Array(new[new.startIndex + first...new.startIndex + last])
        return [HostAnswer.Write(address: ram.lowerBound + UInt32(first), bytes: bytes)]
    }
}
