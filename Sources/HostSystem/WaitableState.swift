import Glibc
import Synchronization

/// A value that a lock guards. Tasks and threads can wait until the value meets a condition. Every change wakes all
/// waiting tasks and threads, and each checks its own condition again.
///
/// The type is inlinable, because its methods are much slower if the compiler does not specialize them for `State`.
@usableFromInline
package final class WaitableState<State: Sendable>: Sendable {
    @usableFromInline struct Contents {
        @usableFromInline var state: State
        /// The number of changes so far. A task that checks the value also reads this number. If the number is
        /// different later, the value has changed since the check.
        @usableFromInline var changes: UInt64 = 0
        @usableFromInline var nextWaiter: UInt64 = 0
        @usableFromInline var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        @usableFromInline var threads: [ThreadSignal] = []

        @inlinable init(state: State) {
            self.state = state
        }

        /// Counts a change, and wakes the waiting threads. Returns the continuations of the waiting tasks, which the
        /// caller resumes after it has released the lock.
        @inlinable mutating func change() -> [CheckedContinuation<Void, Never>] {
            changes += 1
            for thread in threads { thread.signal() }
            guard waiters.count > 1 else { return waiters.popFirst().map { [$0.value] } ?? [] }
            defer { waiters = [:] }
            // Resumes the tasks in the order in which they began to wait, so the order is repeatable.
            return waiters.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    @usableFromInline enum Check<Value: Sendable>: Sendable {
        case found(Value, waking: [CheckedContinuation<Void, Never>])
        case notYet(changes: UInt64)
    }

    @usableFromInline let contents: Mutex<Contents>

    @inlinable package init(_ state: State) {
        contents = Mutex(Contents(state: state))
    }

    @inlinable package var value: State { contents.withLock { $0.state } }

    /// Reads part of the value without copying the rest.
    @inlinable package func read<Value: Sendable>(_ body: (State) -> Value) -> Value {
        contents.withLock { body($0.state) }
    }

    /// Changes the value, and wakes all waiting tasks and threads. If `body` throws, wakes none of them.
    @discardableResult
    @inlinable package func change<Value: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let (value, woken) = try contents.withLock { contents throws(Failure) in
            (try body(&contents.state), contents.change())
        }
        for waiter in woken { waiter.resume() }
        return value
    }

    /// Calls `body` at once and after each change, until `body` returns a value. Returns nil if the task is cancelled
    /// first.
    ///
    /// `body` runs under the lock and may change the state. Other tasks and threads wake only if `body` returns a
    /// value.
    @inlinable nonisolated(nonsending) package func wait<Value: Sendable, Failure: Error>(
        for body: (inout State) throws(Failure) -> Value?
    ) async throws(Failure) -> Value? {
        while !Task.isCancelled {
            switch try check(body) {
            case .found(let value, let woken):
                for waiter in woken { waiter.resume() }
                return value
            case .notYet(let changes): await waitForChange(since: changes)
            }
        }
        return nil
    }

    @inlinable nonisolated(nonsending) package func waitEvenIfCancelled(until condition: (State) -> Bool) async {
        while true {
            let seen: UInt64? = contents.withLock { condition($0.state) ? nil : $0.changes }
            guard let seen else { return }
            await withCheckedContinuation { continuation in
                let isLate = contents.withLock { contents in
                    guard contents.changes == seen else { return true }
                    contents.nextWaiter += 1
                    contents.waiters[contents.nextWaiter] = continuation
                    return false
                }
                if isLate { continuation.resume() }
            }
        }
    }

    /// What `block(until:)` does after `body` has checked the value.
    package enum ThreadStep<Value> {
        case finish(Value)
        /// Calls `body` again after the next change, or after this time if no change comes first. The maximum is an
        /// hour. Nil means no time limit.
        case wait(microseconds: UInt64?)
    }

    /// Blocks the calling thread until `body` returns `.finish`. The closure `body` runs outside the lock, on a copy of
    /// the value.
    package func block<Value>(until body: (State) -> ThreadStep<Value>) -> Value {
        let thread = ThreadSignal()
        contents.withLock { $0.threads.append(thread) }
        defer { contents.withLock { $0.threads.removeAll { $0 === thread } } }
        while true {
            // A change since the check has already signalled this thread, so its wait ends at once.
            switch body(value) {
            case .finish(let value): return value
            case .wait(let length): thread.wait(microseconds: length)
            }
        }
    }

    @inlinable func check<Value: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Value?
    ) throws(Failure) -> Check<Value> {
        try contents.withLock { contents throws(Failure) in
            guard let value = try body(&contents.state) else { return .notYet(changes: contents.changes) }
            return .found(value, waking: contents.change())
        }
    }

    /// Waits until the count of changes differs from `seen`, or until the task is cancelled.
    @inlinable nonisolated(nonsending) func waitForChange(since seen: UInt64) async {
        let number = contents.withLock { contents in
            contents.nextWaiter += 1
            return contents.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isLate = contents.withLock { contents in
                    guard contents.changes == seen, !Task.isCancelled else { return true }
                    contents.waiters[number] = continuation
                    return false
                }
                if isLate { continuation.resume() }
            }
        } onCancel: {
            contents.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }
}

/// A binary semaphore on which one thread waits, with a timeout by the monotonic clock. Dispatch's semaphore converts a
/// timeout to wall-clock time, so it waits longer if the clock is set back.
///
/// It is `Sendable` because the mutex guards `signals`, and only thread-safe functions of the C library use the memory
/// behind the pointers.
@usableFromInline
final class ThreadSignal: @unchecked Sendable {  // See above: the mutex guards all that changes.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var signals: UInt64 = 0

    @usableFromInline init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Wakes the thread. If no thread waits, the next wait ends at once.
    @usableFromInline func signal() {
        pthread_mutex_lock(mutex)
        signals += 1
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Waits for a signal. Returns at once if a signal has come since the last wait.
    /// - Parameter limit: the maximum time to wait, in microseconds, at most an hour; nil means no limit.
    func wait(microseconds limit: UInt64?) {
        let deadline = limit.map(ThreadSignal.deadline)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while signals == 0 {
            if var deadline {
                if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { break }
            } else {
                pthread_cond_wait(condition, mutex)
            }
        }
        signals = 0
    }

    private static func deadline(after microseconds: UInt64) -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let length = Int(min(microseconds, 3_600_000_000))
        let nanoseconds = time.tv_nsec + length % 1_000_000 * 1_000
        return timespec(
            tv_sec: time.tv_sec + length / 1_000_000 + nanoseconds / 1_000_000_000,
            tv_nsec: nanoseconds % 1_000_000_000)
    }
}
