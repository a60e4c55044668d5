import DeviceModel
import DeviceModelTesting
import FirmwareWatch
import Foundation
import MPS2Memory
import SeededNumbers
import Watch
import WatchLink

/// What a case works with: the image, a directory for flash chips, and random numbers.
final class HarnessSetting {
    let image: String
    let arguments: [String]
    /// Random numbers of `TAPLINE_SEED`.
    var random = SplitMix64(seed: HarnessSetting.seed)
    private let directory: URL

    /// The seed of this run.
    static let seed = Seed.chosen()

    init(image: String, arguments: [String]) throws {
        self.image = image
        self.arguments = arguments
        directory = FileManager.default.temporaryDirectory.appending(path: "tapline-harness-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    func file(_ name: String) -> String { directory.appending(path: name).path }

    /// A machine that is switched on, with a flash chip of that name.
    func machine(
        flash: String = "flash", image other: String? = nil, pacing: BootSettings.Pacing = .paced,
        hearing: LineBench.Hearing = .asBuilt
    ) throws -> LineBench {
        try LineBench(
            image: other ?? image, flash: FirmwareFlash(path: file(flash)), pacing: pacing, hearing: hearing)
    }

    /// A machine that has shown its first picture.
    func idleMachine(flash: String = "flash", image other: String? = nil) throws -> LineBench {
        let machine = try machine(flash: flash, image: other)
        try machine.awaitIdle()
        return machine
    }

    func picture(_ path: String) throws -> PanelFrame {
        try PanelFrame(portableBitmap: [UInt8](Data(contentsOf: URL(filePath: path))))
    }

    func count(_ index: Int) throws -> Int {
        guard let count = Int(arguments[index]), count > 0 else {
            throw HarnessFailure("\(arguments[index]) is no count")
        }
        return count
    }
}

struct HarnessFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The rule that a condition holds, and what is wrong where it does not.
func require(_ condition: Bool, _ what: @autoclosure () -> String) throws(HarnessFailure) {
    if !condition { throw HarnessFailure(what()) }
}

extension LineBench {
    /// The rule that nothing is on the console.
    func requireSilence() throws {
        try require(consoleText.isEmpty, "on the console: \(consoleText)")
    }

    /// The rule that the watch handles an input, and has nothing to complain about.
    func requireLife() throws {
        let before = try act(.press(.crown), after: .milliseconds(1))
        let after = try act(.press(.crown), after: .milliseconds(1))
        try require(after == before + 1, "inputs handled: \(before), \(after)")
        try requireSilence()
    }

    /// The rule that the panel shows a picture.
    func requirePicture(_ picture: PanelFrame, _ name: String) throws {
        let different = try zip(frame.bytes, picture.bytes).count { $0 != $1 }
        try require(different == 0, "\(different) bytes of the frame differ from \(name)")
    }
}

/// A tap on the first row.
let firstRow: [Input] = [.touch(x: 70, y: 36), .lifted(x: 70, y: 36)]
