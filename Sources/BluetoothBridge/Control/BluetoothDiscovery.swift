/// The devices that are found: each when it is first heard, and again whenever something about it changes.
///
/// It ends when its time is over, or with an error when discovery fails. Discovery stops when the iteration stops.
public struct BluetoothDiscovery: AsyncSequence, Sendable {
    /// What a discovery is made of.
    package typealias Event = Result<BluetoothDevice, BluetoothError>

    private let stream: AsyncStream<Event>

    package init(_ stream: AsyncStream<Event>) { self.stream = stream }

    /// Goes through what is found.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var iterator: AsyncStream<Event>.AsyncIterator

        fileprivate init(_ iterator: AsyncStream<Event>.AsyncIterator) { self.iterator = iterator }

        /// The next device; nil when the time is over or the task is cancelled.
        ///
        /// - Throws: `.noBus`, `.noDaemon`, `.notAllowed`, `.noAdapter`, `.adapterDown`, `.refused`.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(BluetoothError) -> BluetoothDevice? {
            try await iterator.next(isolation: actor)?.get()
        }

        /// The next device; nil when the time is over or the task is cancelled.
        public mutating func next() async throws(BluetoothError) -> BluetoothDevice? {
            try await iterator.next()?.get()
        }
    }

    /// An iterator over what is found. Two of one discovery share it; look twice instead.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream.makeAsyncIterator()) }
}
