/// A case of the command: its name, what it takes and what it does.
struct HarnessCase: Sendable {
    var name: String
    /// Its arguments after the image, as the help shows them.
    var takes = ""
    /// How many arguments it takes.
    var arguments = 0...0
    /// What it does, in a line.
    var summary: String
    /// Does it. It throws what is wrong with the image.
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
            name: "mutations", takes: "COUNT", arguments: 1...1,
            summary: "sends COUNT frames that are nearly right, then does what a phone and a wearer do",
            run: Mutations.run),
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
