import Foundation
import TestSupport
import WatchLink

#if FUZZING
/// The target that `Tests/fuzz` names in the environment.
private let chosen: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["TAPLINE_FUZZ"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        fatalError("TAPLINE_FUZZ is one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return target
}()

/// Runs the target on an input. libFuzzer calls this once for each input, and reports a trap as a bug.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen.run(FuzzInput(Array(UnsafeBufferPointer(start: start, count: count))))
    return 0
}
#else
/// `fuzz TARGET RUNS INPUT FOLDER...` runs a target on the files in the folders, and on RUNS mutations of them.
///
/// Each input is in the file INPUT while it runs, so that it can be found after a trap. `TAPLINE_SEED` repeats the
/// mutations.
@main struct Fuzz {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count > 3, let target = FuzzTarget(rawValue: arguments[0]), let runs = Int(arguments[1]) else {
            fatalError("fuzz TARGET RUNS INPUT FOLDER...")
        }
        let corpus = try inputs(in: arguments[3...])
        let seed = Seed.printed(for: "fuzz \(target.rawValue)")
        var generator = SplitMix64(seed: seed)
        let mutations = (0..<runs).lazy.map { _ in
            mutated(corpus[Int.random(in: corpus.indices, using: &generator)], &generator)
        }
        for input in corpus { try run(target, input, noted: arguments[2]) }
        for input in mutations { try run(target, input, noted: arguments[2]) }
        print("fuzz \(target.rawValue) \(corpus.count + runs) runs")
    }

    private static func inputs(in folders: some Sequence<String>) throws -> [[UInt8]] {
        let files = try folders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { "\(folder)/\($0)" }
        }
        return [[]] + (try files.map { Array(try Data(contentsOf: URL(filePath: $0))) })
    }

    private static func run(_ target: FuzzTarget, _ input: [UInt8], noted file: String) throws {
        try Data(input).write(to: URL(filePath: file))
        target.run(FuzzInput(input))
    }

    private static func mutated(_ input: [UInt8], _ generator: inout SplitMix64) -> [UInt8] {
        var input = input
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let place = Int.random(in: 0...input.count, using: &generator)
            switch (Int.random(in: 0..<4, using: &generator), place < input.count) {
            case (0, true): input[place] = .random(in: 0...255, using: &generator)
            case (1, true):
                input.removeSubrange(place..<min(input.count, place + Int.random(in: 1...8, using: &generator)))
            case (2, true): input.insert(contentsOf: input[place...].prefix(32), at: place)
            default: input.insert(contentsOf: generator.bytes(Int.random(in: 1...8, using: &generator)), at: place)
            }
        }
        return input
    }
}
#endif
