/// A sequence of what happens, for one listener: everything from the moment it was asked for, in order.
///
/// A listener that is slow misses nothing; what it has not taken yet is kept for it. It ends when its source does.
public struct MessageStream<Element: Sendable>: AsyncSequence, Sendable {
    private let stream: AsyncStream<Element>

    init(_ stream: AsyncStream<Element>) {
        self.stream = stream
    }

    /// Goes through the sequence. Two iterators of one sequence share its elements; ask for a sequence each instead.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var iterator: AsyncStream<Element>.AsyncIterator

        fileprivate init(_ iterator: AsyncStream<Element>.AsyncIterator) {
            self.iterator = iterator
        }

        /// The next element; nil at the end or when the task is cancelled.
        public mutating func next() async -> Element? {
            await iterator.next()
        }

        /// The next element; nil at the end or when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await iterator.next(isolation: actor)
        }
    }

    /// An iterator over the elements from now on.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream.makeAsyncIterator())
    }
}
