@testable import Watch

extension Outbox {
    /// Queues a message of epoch 1.
    @discardableResult
    mutating func append(_ message: OutboxMessage, tap: TapNumber? = nil) -> UInt32? {
        append(message, tap: tap, origin: 1)
    }

    /// Restores a message of epoch 1.
    mutating func restore(_ message: OutboxMessage, sequence: UInt32) {
        restore(message, sequence: sequence, origin: 1)
    }
}
