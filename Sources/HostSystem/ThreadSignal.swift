import Glibc

/// Wakes a thread that waits, for a time of this machine's monotonic clock.
///
/// Dispatch's semaphore turns the length of a wait into a time of the wall clock: set back meanwhile, the clock makes the wait
/// as much longer, and before 1970 the wait has no end.
///
/// It is `Sendable` because the mutex guards `signals`, and because only the C library's calls, which every thread may make, use
/// what the two pointers lead to.
@usableFromInline
final class ThreadSignal: @unchecked Sendable {  // See above: the mutex guards all that changes.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// How many have come since the last wait.
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

    /// Ends the wait that goes on, or else the next one.
    @usableFromInline func signal() {
        pthread_mutex_lock(mutex)
        signals += 1
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Blocks the thread until there is a signal that no wait has taken.
    ///
    /// - Parameter limit: the longest wait in microseconds, an hour at most; nil for no limit.
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

    /// Now plus `microseconds`, by the monotonic clock.
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
