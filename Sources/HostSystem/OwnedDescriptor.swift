import Glibc
import Synchronization

/// A descriptor that is closed once, at the latest with this object. All calls may be made from any thread.
///
/// It is open to inlining, because a general call of `with` takes as long as a call of the system.
@usableFromInline
package final class OwnedDescriptor: Sendable {
    @usableFromInline let descriptor: Mutex<CInt?>

    package init(_ number: CInt) { descriptor = Mutex(number) }

    deinit { close() }

    /// The number, or nil once it is closed. It stays this object's: neither close it nor use it after `close()`.
    package var number: CInt? { descriptor.withLock { $0 } }

    /// Runs `body` with the descriptor, which cannot be closed in the meantime.
    ///
    /// - Returns: nil once the descriptor is closed.
    @inlinable package func with<Value, Failure: Error>(_ body: (CInt) throws(Failure) -> Value) throws(Failure)
        -> Value?
    {
        try descriptor.withLock { number throws(Failure) in
            guard let number else { return nil }
            return try body(number)
        }
    }

    /// Closes the descriptor. Closing twice does nothing.
    ///
    /// - Parameter last: what to do just before, once.
    /// - Returns: the number that it had; nil where it was closed before.
    @discardableResult
    package func close(after last: (CInt) -> Void = { _ in }) -> CInt? {
        descriptor.withLock { descriptor in
            guard let number = descriptor else { return nil }
            descriptor = nil
            last(number)
            _ = Glibc.close(number)
            return number
        }
    }
}
