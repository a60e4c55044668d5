import WatchLink
import Wormhole

/// What the programs of the two ends meant, each thing under a number of its own.
struct Intents {
    enum Certainty {
        case taken
        /// The program ended, or its disk failed, before it knew.
        case unknown
        /// It was taken back, which may have been too late.
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

    /// A value, or that a name was cleared.
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
        /// When the answer or an error has to be there.
        let deadline: Instant
        /// Whether the program that asks still runs.
        var isAskerThere = true
        /// Whether there was a link, or the asker waits for one.
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

    /// There may be no room for what goes to an end from now on.
    mutating func excusesFiles(to end: LinkEnd) {
        for index in files.indices where files[index].from != end { files[index].excuses.insert(.noRoom) }
    }

    /// The program of an end is gone, and with it everybody who waited for an answer.
    mutating func forgets(_ end: LinkEnd) {
        for index in questions.indices where questions[index].from == end { questions[index].isAskerThere = false }
    }
}
