/// The devices of a discovery: each when it is first found, and again whenever something about it changes.
///
/// The sequence ends when its time is over, or with an error when discovery fails. Discovery stops when the iteration
/// stops.
public struct BluetoothDiscovery: AsyncSequence, Sendable {
    package typealias Event = Result<BluetoothDevice, BluetoothError>

    private let stream: AsyncStream<Event>

    package init(_ stream: AsyncStream<Event>) { self.stream = stream }

    /// Iterates over the devices.
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

    /// An iterator over the devices. Two iterators of one discovery share its devices; start two discoveries instead.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream.makeAsyncIterator()) }
}
