import WatchLink

/// Something that happened to a message, under one of the names that the handler has declared.
///
/// Its value can be read while the handler's `take` runs. The next event under the same name replaces it.
public struct HandlerMessage: BitwiseCopyable {
    /// What has happened.
    public enum Event: Equatable, Sendable, BitwiseCopyable {
        /// A latest value has arrived. If several arrived close together, this is the last.
        case value
        case cleared
        /// A queued message has arrived. It is given once. If the power fails before `take` returns, it is given again with the
        /// same number.
        case queued(number: UInt32)
        /// The phone is done with a queued message, whose number `WatchCore.pass` returned. This is told once, and not after a
        /// power cut.
        case passed(number: UInt32, PassedOutcome)
        /// The phone asks something, and waits for `WatchCore.answer`.
        case asked
        case over(QuestionOutcome)
        /// The phone has sent a file, or the watch has started with one: `WatchCore.file`. The name is empty.
        case file
    }

    /// The name that the handler declared; empty for a file.
    public let name: StaticString
    /// What has happened.
    public let event: Event
    let bytes: FixedArray<UInt8>

    /// Whether the event is about this name.
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

    /// The value of the event; nil if it has none, or if the value has another type.
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
