import CortexM
import Foundation

/// A program of random instructions in a file that the emulator loads, which is deleted with this value.
final class RandomRun {
    let program: LockstepProgram

    /// Halfwords of a program: about 45,000 instructions, so that the start of the emulator takes little of the time.
    static let length = 90_000

    /// The program of a seed.
    ///
    /// - Parameter length: its halfwords, without those behind its end.
    init(_ seed: UInt64, length: Int = RandomRun.length) throws(LockstepError) {
        let random = RandomProgram(seed: seed, length: length)
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        do {
            try Data(random.bytes).write(to: file)
        } catch {
            throw .unusable("\(file.path): \(error)")
        }
        let memory = MemoryMap(flash: random.bytes, ramSize: Comparison.ram.count)
        program = LockstepProgram(
            kind: .random, name: "\(seed)", image: file.path,
            processor: CortexM4(memory: memory, entry: RandomProgram.entry, stack: RandomProgram.stack),
            answers: random.answers, ending: random.ending)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: program.image)
    }
}
