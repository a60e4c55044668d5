import HostSystem
import Synchronization
import Watch

/// An input's number, counted from 1 since the watch started. 0 stands for no input.
public struct InputNumber: Comparable, Hashable, Sendable {
    /// The count.
    public var count: UInt64

    /// Input number `count`.
    public init(_ count: UInt64) {
        self.count = count
    }

    /// The earlier input comes first.
    public static func < (left: InputNumber, right: InputNumber) -> Bool {
        left.count < right.count
    }
}

/// The inputs on their way to the runtime, in order. Any thread puts them in, the runtime's takes them out.
public final class InputQueue: Sendable {
    private struct Contents {
        var waiting: [TimedInput] = []
        var posted: UInt64 = 0
    }

    private let contents = Mutex(Contents())
    /// Readable while an input may be waiting.
    public let arrival: EventDescriptor

    /// - Throws: `.systemCall` if there are no descriptors left.
    public init() throws(DeviceModelError) {
        arrival = try .make()
    }

    /// Returns the input's number.
    @discardableResult public func post(_ input: TimedInput) -> InputNumber {
        let number = contents.withLock { contents in
            contents.waiting.append(input)
            contents.posted += 1
            return InputNumber(contents.posted)
        }
        arrival.signal()
        return number
    }

    /// Takes the oldest input; nil if none waits.
    public func next() -> TimedInput? {
        contents.withLock { contents in
            contents.waiting.isEmpty ? nil : contents.waiting.removeFirst()
        }
    }

    /// The oldest input, or nil if none waits. It stays in the queue.
    var first: TimedInput? {
        contents.withLock { $0.waiting.first }
    }

    /// Whether no input waits.
    public var isEmpty: Bool {
        contents.withLock { $0.waiting.isEmpty }
    }

    /// The number of the newest input that was put in.
    public var posted: InputNumber {
        contents.withLock { InputNumber($0.posted) }
    }

    /// The number of the newest input that was taken out.
    public var taken: InputNumber {
        contents.withLock { InputNumber($0.posted - UInt64($0.waiting.count)) }
    }
}
