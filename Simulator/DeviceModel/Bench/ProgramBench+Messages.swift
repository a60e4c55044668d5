import Watch
import WatchLink

// What programs on the phone pass, ask and hear under names of a handler's own.
extension ProgramBench where Program: ~Copyable {
    /// What the watch has passed, asked and replied, in the order of its arrival, and what it has rejected.
    public var heard: [ProgramMessage] { phone.heard }

    /// A program on the phone passes a latest value.
    public func pass(latest name: String, _ value: some MessageValue) {
        onPhone { $0.pass(latest: name, ProgramMessage.bytes(of: value)) }
    }

    /// A program on the phone clears a latest value.
    public func clear(_ name: String) {
        onPhone { $0.pass(latest: name, []) }
    }

    /// A program on the phone passes a queued message.
    public func pass(queued name: String, _ value: some MessageValue) {
        onPhone { $0.pass(queued: name, ProgramMessage.bytes(of: value)) }
    }

    /// A program on the phone asks the watch something. The reply is among `heard`.
    ///
    /// - Parameter patience: milliseconds for which it waits.
    public func ask(_ name: String, _ value: some MessageValue, patience: UInt32 = 2_000) {
        onPhone { $0.ask(name, ProgramMessage.bytes(of: value), patience: patience) }
    }

    /// A program on the phone answers what the watch asks under a name, from now on.
    ///
    /// - Parameter answer: the answer to a question; nil where it fails.
    public func answer<Value: MessageValue & SendableMetatype>(
        _ name: String, with answer: @escaping @Sendable (ProgramMessage) -> Value?
    ) {
        phone.answer(name) { payload in
            answer(ProgramMessage(name: name, way: .asked, payload: payload)).map { ProgramMessage.bytes(of: $0) }
        }
    }
}
