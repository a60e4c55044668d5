import WatchLink

/// An event for a handler. It is about a message whose name the handler has declared, or about a file. The event's value can
/// be read only while the handler's `take` runs.
public struct HandlerMessage: BitwiseCopyable {
    /// The kind of event.
    public enum Event: Equatable, Sendable, BitwiseCopyable {
        /// The phone has sent a value (`LinkDelivery.latest`). If several values arrived before the handler could take this
        /// event, this is the newest value.
        case value
        case cleared
        /// The phone has sent a queued message. The handler gets it once. If power fails before the watch has recorded that
        /// `take` returned, the handler gets it again, with the same number.
        case queued(number: UInt32)
        /// The phone has finished with the queued message to which `WatchCore.pass` gave this number. This event comes once,
        /// but a power cut can lose or repeat it.
        case passed(number: UInt32, PassedOutcome)
        /// The phone has asked a question, and waits for a call of `WatchCore.answer`.
        case asked
        case over(QuestionOutcome)
        /// The phone has sent a file, or the watch has started with a stored file; see `WatchCore.file`.
        case file
    }

    /// The name that the handler declared; empty for a file.
    public let name: StaticString
    /// The kind of event.
    public let event: Event
    let bytes: FixedArray<UInt8>

    /// Whether the event's name is `other`.
    public func isNamed(_ other: StaticString) -> Bool { name.utf8.matches(other) }

    var work: MessageWork {
        switch event {
        case .value: MessageWork(.value, name: name)
        case .cleared: MessageWork(.cleared, name: name)
        case .queued: MessageWork(.queued, name: name)
        case .passed: MessageWork(.passed, name: name)
        case .asked: MessageWork(.asked, name: name)
        case .over(.answered): MessageWork(.answered, name: name)
        case .over(.refused): MessageWork(.refused, name: name)
        case .over(.late): MessageWork(.late, name: name)
        case .over(.outOfReach): MessageWork(.outOfReach, name: name)
        case .file: MessageWork(.file)
        }
    }

    /// The event's value. Nil if the event has no value, or if the value has another type.
    public func value<Value: MessageValue>(_ type: Value.Type = Value.self) -> Value? {
        bytes.decoded()
    }
}

extension FixedArray where Element == UInt8 {
    func decoded<Value: MessageValue>() -> Value? {
        guard count > 0 else { return nil }
        var reader = CBORReader(span)
        return try? Value(from: &reader)
    }
}
