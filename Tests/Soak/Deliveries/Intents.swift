import WatchLink
import Wormhole

/// What the programs of both ends meant to do: their messages, values, questions, files and notifications.
struct Intents {
    enum Certainty {
        case taken
        /// The program ended, or its disk failed, before the result was known.
        case unknown
        /// The sender withdrew the message, perhaps too late.
        case withdrawn
    }

    struct Message {
        let number: Int
        let from: LinkEnd
        var certainty: Certainty
        var complication: Complication?
        var stored: MessageNumber?
    }

    struct Complication {
        let day: UInt32
        /// The charge that the endpoint's `pass` returned. Nil if `pass` did not return a copy of the message.
        var charge: MessageCharge?
    }

    /// A value that a program passed under `name`. `number` is nil if the program cleared the name.
    struct Value {
        let number: Int?
        let name: String
        let from: LinkEnd
        var certainty: Certainty
    }

    struct Question {
        let number: Int
        let from: LinkEnd
        let name: DeliveryEvent.QuestionName
        let asked: Instant
        let deadline: Instant
        /// False if the program that asked has ended. The question then needs no outcome.
        var isAskerThere = true
        /// False if the program asked without a link, and does not wait for a link. The question must then fail at
        /// once.
        let hasLink: Bool
    }

    struct File {
        let number: Int
        let from: LinkEnd
        let bytes: [UInt8]
        var certainty: Certainty
        var excuses: Set<FileExcuse> = []
    }

    enum FileExcuse: Hashable {
        case cancelledBySender, cancelledByReceiver, noRoom
    }

    private(set) var messages: [Message] = []
    private(set) var values: [Value] = []
    private(set) var questions: [Question] = []
    private(set) var files: [File] = []
    private(set) var notifications: [LinkEnd: Int] = [:]

    mutating func means(_ message: Message) { messages.append(message) }
    mutating func means(_ value: Value) { values.append(value) }
    mutating func means(_ question: Question) { questions.append(question) }
    mutating func means(_ file: File) { files.append(file) }
    mutating func notifies(_ end: LinkEnd) { notifications[end, default: 0] += 1 }

    mutating func withdraws(_ stored: MessageNumber, _ end: LinkEnd) {
        for index in messages.indices where messages[index].from == end && messages[index].stored == stored {
            messages[index].certainty = .withdrawn
        }
    }

    mutating func excuses(file number: Int, _ excuse: FileExcuse) {
        for index in files.indices where files[index].number == number { files[index].excuses.insert(excuse) }
    }

    /// From now on, the files already sent to `end` may fail for lack of room.
    mutating func excusesFiles(to end: LinkEnd) {
        for index in files.indices where files[index].from != end { files[index].excuses.insert(.noRoom) }
    }

    /// Records that the program of `end` has ended, so its open questions need no outcome.
    mutating func forgets(_ end: LinkEnd) {
        for index in questions.indices where questions[index].from == end { questions[index].isAskerThere = false }
    }
}
