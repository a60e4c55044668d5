import Synchronization

/// A value that any thread may read, change and observe.
final class ObservedValue<Value: Sendable>: Sendable {
    private let contents: Mutex<Value>
    private let observers = Mutex<[@Sendable () -> Void]>([])

    init(_ value: Value) { contents = Mutex(value) }

    var value: Value { contents.withLock { $0 } }

    func observe(_ observer: @escaping @Sendable () -> Void) { observers.withLock { $0.append(observer) } }

    /// Changes the value, and then calls the observers on the caller's thread.
    func change(_ body: (inout Value) -> Void) {
        changeSilently(body)
        for observer in observers.withLock({ $0 }) { observer() }
    }

    func changeSilently(_ body: (inout Value) -> Void) { contents.withLock { body(&$0) } }
}
