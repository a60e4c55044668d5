import WatchLink
import Wormhole

/// The intended messages, values, questions and files of both programs, by number.
struct Intents {
    enum Certainty {
        case taken
        /// The program ended, or its disk failed, before the result was known.
        case unknown
        /// It was withdrawn, perhaps too late.
        case withdrawn
    }

    /// A queued message; of a complication message the day, and what it was charged to.
    struct Message {
        let number: Int
        let from: LinkEnd
        var certainty: Certainty
        var complication: Complication?
        var stored: MessageNumber?
    }

    struct Complication {
        let day: UInt32
        /// Nil if the program does not know.
        var charge: MessageCharge?
    }

    /// A value, or the clearing of a name.
    struct Value {
        /// Nil if it was cleared.
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
        /// The latest time of the answer or an error.
        let deadline: Instant
        /// Whether the asking program still runs.
        var isAskerThere = true
        /// Whether there was a link, or the asking program waits for one.
        let hasLink: Bool
    }

    struct File {
        let number: Int
        let from: LinkEnd
        let bytes: [UInt8]
        var certainty: Certainty
        /// Why it may fail.
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

    /// Allows that an end has no room for files from now on.
    mutating func excusesFiles(to end: LinkEnd) {
        for index in files.indices where files[index].from != end { files[index].excuses.insert(.noRoom) }
    }

    /// Records that the program of an end has ended, with all of its waiting questions.
    mutating func forgets(_ end: LinkEnd) {
        for index in questions.indices where questions[index].from == end { questions[index].isAskerThere = false }
    }
}
