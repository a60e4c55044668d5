import ArgumentParser

/// The other process of a measurement.
struct Answer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "answer", abstract: "Is the process at the other end.", shouldDisplay: false)

    @Argument(help: "What it does.")
    var part: Part

    @Option(help: "The directory of its socket.")
    var directory: String

    @Option(help: "The core to run on.")
    var core: Int

    @Option(help: "How many of what it does.")
    var count = 1

    func run() async throws {
        try Cores.keep(on: core)
        try await part.answerer(count).serve(in: directory)
    }
}

/// What the other process of a measurement does.
enum Part: Hashable, ExpressibleByArgument {
    case asked(Way)
    case queue(QueueReceiver)
    case file(FileReceiver)
    case scale(ScalePart)

    init?(argument: String) {
        if let way = Way(rawValue: argument) {
            self = .asked(way)
        } else if let receiver = QueueReceiver(rawValue: argument) {
            self = .queue(receiver)
        } else if let receiver = FileReceiver(rawValue: argument) {
            self = .file(receiver)
        } else if let part = ScalePart(rawValue: argument) {
            self = .scale(part)
        } else {
            return nil
        }
    }

    /// Its name on the command line.
    var text: String {
        switch self {
        case .asked(let way): way.rawValue
        case .queue(let receiver): receiver.rawValue
        case .file(let receiver): receiver.rawValue
        case .scale(let part): part.rawValue
        }
    }

    func answerer(_ count: Int) -> any Answerer {
        switch self {
        case .asked(let way): way.answerer
        case .queue(let receiver): receiver
        case .file(let receiver): receiver.answerer
        case .scale(let part): part.answerer(count)
        }
    }
}

/// What the other process does in a measurement.
protocol Answerer: Sendable {
    /// Returns when the process that measures has gone.
    ///
    /// - Parameter directory: that of the socket, where there is one with a name.
    func serve(in directory: String) async throws
}

/// The other side has gone in the middle of a measurement.
struct OtherProcessHasGone: Error {}
