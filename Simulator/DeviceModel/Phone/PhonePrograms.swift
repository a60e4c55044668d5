import WatchLink

/// The messages that programs on a simulated phone exchange with the watch. They are independent of the list.
struct PhonePrograms {
    /// Answers a question with a value. Returns nil if the question fails.
    typealias Answer = @Sendable ([UInt8]) -> [UInt8]?

    private struct Question {
        let name: String
        let payload: [UInt8]
        /// The longest wait for the reply, in milliseconds.
        let timeout: UInt32
    }

    /// Everything that the watch has sent to programs: values, messages, questions and replies, in order of arrival.
    private(set) var heard: [ProgramMessage] = []
    private var answers: [String: Answer] = [:]
    private var unsent: [Question] = []
    private var open: [UInt32: String] = [:]
    /// Encoded replies that are not sent yet.
    private var replies: [[UInt8]] = []

    mutating func answer(_ name: String, with answer: @escaping Answer) { answers[name] = answer }

    mutating func ask(_ name: String, _ payload: [UInt8], timeout: UInt32) {
        unsent.append(Question(name: name, payload: payload, timeout: timeout))
    }

    mutating func hear(_ message: ProgramMessage) { heard.append(message) }

    /// Handles a question from the watch.
    mutating func take(_ header: InteractiveHeader, _ datagram: [UInt8]) {
        guard let body = try? MessageBody(interactive: datagram.span) else {
            return reply(ReplyHeader(number: header.number, status: .malformed), [])
        }
        let name = body.name.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        let payload = body.payload.withUnsafeBufferPointer { Array($0) }
        heard.append(ProgramMessage(name: name, way: .asked, payload: payload))
        guard let answer = answers[name] else {
            return reply(ReplyHeader(number: header.number, status: .noListener), [])
        }
        guard let value = answer(payload) else {
            return reply(ReplyHeader(number: header.number, status: .failed), [])
        }
        reply(ReplyHeader(number: header.number, status: .answered), header.wish == .value ? value : [])
    }

    private mutating func reply(_ header: ReplyHeader, _ value: [UInt8]) {
        replies.append(PhonePrograms.frame(value) { writer throws(CBORError) in try header.encode(into: &writer) })
    }

    /// Handles a reply from the watch.
    mutating func take(_ header: ReplyHeader, _ datagram: [UInt8]) {
        guard let name = open.removeValue(forKey: header.number) else { return }
        heard.append(
            ProgramMessage(
                name: name, way: .replied(header.status), payload: Array(datagram.dropFirst(ReplyHeader.size))))
    }

    /// The next question or reply to send. Nil if there is none, or if the watch accepts no more questions now.
    mutating func nextFrame(_ session: inout Session) -> [UInt8]? {
        guard session.mayExchange else { return nil }
        if !replies.isEmpty { return replies.removeFirst() }
        guard !unsent.isEmpty, let number = session.ask() else { return nil }
        let question = unsent.removeFirst()
        open[number] = question.name
        let header = InteractiveHeader(number: number, timeout: question.timeout, wish: .value)
        let body = ProgramMessage(name: question.name, way: .asked, payload: question.payload).body
        return PhonePrograms.frame(body) { writer throws(CBORError) in try header.encode(into: &writer) }
    }

    /// Drops the questions and replies that were in progress on a lost link.
    mutating func loseExchanges() {
        replies = []
        open = [:]
    }

    static func frame(_ rest: [UInt8], _ head: (inout CBORWriter) throws(CBORError) -> Void) -> [UInt8] {
        do throws(CBORError) {
            return try [UInt8](capacity: rest.count + 16) { writer throws(CBORError) in
                try head(&writer)
                try writer.raw(rest.span)
            }
        } catch {
            preconditionFailure("a header has at most 15 bytes")
        }
    }
}
