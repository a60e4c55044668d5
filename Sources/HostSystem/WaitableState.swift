import Synchronization

/// State behind a lock, and the tasks and threads that wait for a condition on it.
///
/// Every change wakes them all; each checks its condition again, and continues to wait where it does not hold. It is open to
/// inlining, because the accesses of a state whose type is known take a fraction of the time of general ones.
@usableFromInline
package final class WaitableState<State: Sendable>: Sendable {
    @usableFromInline struct Contents {
        @usableFromInline var state: State
        /// Counts changes, so that a task notices one that happens between its look and its sleep.
        @usableFromInline var changes: UInt64 = 0
        @usableFromInline var nextWaiter: UInt64 = 0
        @usableFromInline var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        /// One for each thread that is blocked.
        @usableFromInline var threads: [ThreadSignal] = []

        @inlinable init(state: State) {
            self.state = state
        }

        /// Counts a change, wakes the threads and returns the tasks to wake.
        @inlinable mutating func change() -> [CheckedContinuation<Void, Never>] {
            changes += 1
            for thread in threads { thread.signal() }
            guard waiters.count > 1 else { return waiters.popFirst().map { [$0.value] } ?? [] }
            defer { waiters = [:] }
            // In the order in which they began to wait: the same on every run.
            return waiters.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// The result of a look at the state.
    @usableFromInline enum Look<Value: Sendable>: Sendable {
        case found(Value, waking: [CheckedContinuation<Void, Never>])
        case notYet(changes: UInt64)
    }

    @usableFromInline let contents: Mutex<Contents>

    @inlinable package init(_ state: State) {
        contents = Mutex(Contents(state: state))
    }

    @inlinable package var value: State { contents.withLock { $0.state } }

    /// Reads a part of the state without copying the rest.
    @inlinable package func read<Value: Sendable>(_ body: (State) -> Value) -> Value {
        contents.withLock { body($0.state) }
    }

    /// Changes the state and wakes every waiting task and thread, unless `body` throws.
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

    /// Waits until `body` returns a value, which it may remove from the state.
    ///
    /// - Returns: the value; nil when the task is cancelled first.
    /// - Throws: what `body` throws.
    @inlinable nonisolated(nonsending) package func wait<Value: Sendable, Failure: Error>(
        for body: (inout State) throws(Failure) -> Value?
    ) async throws(Failure) -> Value? {
        while !Task.isCancelled {
            switch try look(body) {
            case .found(let value, let woken):
                for waiter in woken { waiter.resume() }
                return value
            case .notYet(let changes): await waitForChange(since: changes)
            }
        }
        return nil
    }

    /// Waits until the condition holds, also in a cancelled task: for work that must not continue before.
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

    /// What a blocked thread does after a look at the state.
    package enum ThreadStep<Value> {
        case finish(Value)
        /// Look again after the next change, or after `microseconds` at the latest; nil for no limit.
        case wait(microseconds: UInt64?)
    }

    /// Blocks the thread until `body`, which sees the state outside the lock, finishes.
    package func block<Value>(until body: (State) -> ThreadStep<Value>) -> Value {
        let thread = ThreadSignal()
        contents.withLock { $0.threads.append(thread) }
        defer { contents.withLock { $0.threads.removeAll { $0 === thread } } }
        while true {
            // A change that comes after the look has signalled before the wait begins.
            switch body(value) {
            case .finish(let value): return value
            case .wait(let length): thread.wait(microseconds: length)
            }
        }
    }

    @inlinable func look<Value: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Value?
    ) throws(Failure) -> Look<Value> {
        try contents.withLock { contents throws(Failure) in
            guard let value = try body(&contents.state) else { return .notYet(changes: contents.changes) }
            return .found(value, waking: contents.change())
        }
    }

    /// Returns once the state has changed since `seen`, or the task is cancelled.
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
