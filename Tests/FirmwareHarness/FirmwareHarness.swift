import DeviceModel
import FirmwareWatch
import Foundation
import MPS2Memory
import TestDoubles
import TestSupport
import Watch
import WatchLink

@main enum FirmwareHarness {
    static func main() {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "lockstep" { return LockstepCommand.main(Array(arguments.dropFirst())) }
        guard let name = arguments.first, let image = arguments.dropFirst().first, name != "--help", name != "-h" else {
            print(help)
            exit(arguments.first.map { ["--help", "-h"].contains($0) } == true ? 0 : 2)
        }
        guard let chosen = HarnessCase.all.first(where: { $0.name == name }) else {
            complain("no case '\(name)'; FirmwareHarness --help names them", status: 2)
        }
        arguments.removeFirst(2)
        guard chosen.arguments.contains(arguments.count) else {
            complain("it is called as FirmwareHarness \(name) IMAGE \(chosen.takes)", status: 2)
        }
        do {
            let setting = try HarnessSetting(image: image, arguments: arguments)
            try chosen.run(setting)
        } catch {
            complain("\(name): \(error) (TAPLINE_SEED=\(HarnessSetting.seed))", status: 1)
        }
    }

    private static func complain(_ what: String, status: CInt) -> Never {
        FileHandle.standardError.write(Data("error: \(what)\n".utf8))
        exit(status)
    }

    private static var help: String {
        let lines = HarnessCase.all.map { each in
            "    " + each.usage.padding(toLength: max(26, each.usage.count + 2), withPad: " ", startingAt: 0)
                + each.summary
        }
        return """
            Drives a firmware image in QEMU over its serial lines: FirmwareHarness CASE IMAGE [ARGUMENT...]

            \(lines.joined(separator: "\n"))

            A failure is a line on standard error and exit status 1. It ends with the seed of the random cases;
            TAPLINE_SEED repeats one.
            """
    }
}

struct HarnessCase: Sendable {
    var name: String
    /// Its arguments after the image, as the help shows them.
    var takes = ""
    var arguments = 0...0
    var summary: String
    /// Throws what is wrong with the image.
    var run: @Sendable (HarnessSetting) throws -> Void

    var usage: String { takes.isEmpty ? name : "\(name) \(takes)" }

    static let all = pictures + faults + figures

    private static let pictures = [
        HarnessCase(
            name: "golden", takes: "NEW FACE", arguments: 2...2,
            summary: "compares the first picture, and the face, with two bitmaps", run: Pictures.golden),
        HarnessCase(
            name: "pairing", takes: "PICTURE", arguments: 1...1,
            summary: "asks whether 123456 is on a phone as well, and answers", run: Pictures.pairing),
        HarnessCase(
            name: "answer-first", summary: "reports an answer before the screen without its question",
            run: Pictures.answerFirst),
        HarnessCase(
            name: "twice", summary: "plays the same inputs on two machines and compares every byte that they said",
            run: Determinism.twice),
    ]

    private static let faults = [
        HarnessCase(
            name: "garbage", summary: "sends noise on every line, then does what a wearer does",
            run: LineNoise.garbage),
        HarnessCase(
            name: "half", summary: "a link that stops in the middle of a frame, and comes back", run: LineNoise.half),
        HarnessCase(
            name: "burst", takes: "COUNT", arguments: 1...1, summary: "taps COUNT times at once; none is lost",
            run: LineNoise.burst),
        HarnessCase(
            name: "power-cuts", summary: "ends the machine at random moments and starts it with the same flash chip",
            run: FlashTrouble.powerCuts),
        HarnessCase(
            name: "decay", summary: "starts it with a flash chip in which bytes have changed", run: FlashTrouble.decay),
        HarnessCase(
            name: "faults", summary: "makes the processor fault, and reads the console", run: ProcessorFaults.run),
        HarnessCase(
            name: "host", summary: "has the image ask a debugger for a command and a file; neither is there",
            run: HostCommands.run),
    ]

    private static let figures = [
        HarnessCase(
            name: "instructions", summary: "prints what a tap takes on lists of 8, 32 and 128 items; fails over budget",
            run: TapInstructions.run),
        HarnessCase(
            name: "memory", summary: "prints the most bytes of either stack that were in use", run: StackUse.run),
        HarnessCase(
            name: "parts", takes: "SOURCES [--json]", arguments: 1...2,
            summary: "prints the bytes of flash and RAM that each part takes; SOURCES is the checkout",
            run: ImageParts.run),
    ]
}

/// What a case works with: the image, a directory for flash chips, and random numbers.
final class HarnessSetting {
    let image: String
    let arguments: [String]
    /// Random numbers of `TAPLINE_SEED`.
    var random = SplitMix64(seed: HarnessSetting.seed)
    private let directory: URL

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

/// Requires a condition; `what` tells what is wrong otherwise.
func require(_ condition: Bool, _ what: @autoclosure () -> String) throws(HarnessFailure) {
    if !condition { throw HarnessFailure(what()) }
}

extension LineBench {
    func requireSilence() throws {
        try require(consoleText.isEmpty, "on the console: \(consoleText)")
    }

    /// Requires that the watch handles an input without a complaint.
    func requireLife() throws {
        let before = try act(.press(.crown), after: .milliseconds(1))
        let after = try act(.press(.crown), after: .milliseconds(1))
        try require(after == before + 1, "inputs handled: \(before), \(after)")
        try requireSilence()
    }

    func requirePicture(_ picture: PanelFrame, _ name: String) throws {
        let different = try zip(frame.bytes, picture.bytes).count { $0 != $1 }
        try require(different == 0, "\(different) bytes of the frame differ from \(name)")
    }
}

let firstRow: [Input] = [.touch(x: 70, y: 36), .lifted(x: 70, y: 36)]
