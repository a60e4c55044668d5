import WatchLink

/// What programs on a simulated phone pass, ask and hear beside the list.
struct PhonePrograms {
    /// Answers a question by its value; nil where it fails.
    typealias Answer = @Sendable ([UInt8]) -> [UInt8]?

    private struct Question {
        let name: String
        let payload: [UInt8]
        let patience: UInt32
    }

    /// What the watch has passed, asked and replied, in the order of its arrival.
    private(set) var heard: [ProgramMessage] = []
    private var answers: [String: Answer] = [:]
    private var unsent: [Question] = []
    private var open: [UInt32: String] = [:]
    /// Replies that the link has not taken.
    private var replies: [[UInt8]] = []

    mutating func answer(_ name: String, with answer: @escaping Answer) { answers[name] = answer }

    mutating func ask(_ name: String, _ payload: [UInt8], patience: UInt32) {
        unsent.append(Question(name: name, payload: payload, patience: patience))
    }

    mutating func hear(_ message: ProgramMessage) { heard.append(message) }

    /// Takes a question of the watch's.
    mutating func take(_ header: InteractiveHeader, _ datagram: [UInt8]) {
        guard let body = try? MessageBody(interactive: datagram.span) else {
            return reply(ReplyHeader(number: header.number, status: .malformed), [])
        }
        let name = body.name.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        let payload = body.payload.withUnsafeBufferPointer { Array($0) }
        heard.append(ProgramMessage(name: name, way: .asked, payload: payload))
        guard let answer = answers[name] else {
            return reply(ReplyHeader(number: header.number, status: .nobody), [])
        }
        guard let value = answer(payload) else {
            return reply(ReplyHeader(number: header.number, status: .failed), [])
        }
        reply(ReplyHeader(number: header.number, status: .answered), header.wish == .value ? value : [])
    }

    private mutating func reply(_ header: ReplyHeader, _ value: [UInt8]) {
        replies.append(PhonePrograms.frame(value) { writer throws(CBORError) in try header.encode(into: &writer) })
    }

    /// Takes a reply of the watch's.
    mutating func take(_ header: ReplyHeader, _ datagram: [UInt8]) {
        guard let name = open.removeValue(forKey: header.number) else { return }
        heard.append(
            ProgramMessage(
                name: name, way: .replied(header.status), payload: Array(datagram.dropFirst(ReplyHeader.size))))
    }

    /// The next frame of an exchange, nil for none. Questions go out while the watch takes them.
    mutating func nextFrame(_ session: inout Session) -> [UInt8]? {
        guard session.mayExchange else { return nil }
        if !replies.isEmpty { return replies.removeFirst() }
        guard !unsent.isEmpty, let number = session.ask() else { return nil }
        let question = unsent.removeFirst()
        open[number] = question.name
        let header = InteractiveHeader(number: number, patience: question.patience, wish: .value)
        let body = ProgramMessage(name: question.name, way: .asked, payload: question.payload).body
        return PhonePrograms.frame(body) { writer throws(CBORError) in try header.encode(into: &writer) }
    }

    /// The link is gone, and with it what was under way.
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
