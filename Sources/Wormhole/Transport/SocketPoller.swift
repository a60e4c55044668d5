import HostSystem
import Synchronization

package enum SocketReadiness: Sendable {
    /// A datagram or a connection has arrived, or the peer has closed.
    case readable
    /// There is room to send, or the peer has closed.
    case writable

    fileprivate var interest: PolledDescriptor.Interest {
        switch self {
        case .readable: .readable
        case .writable: .writable
        }
    }
}

/// One thread that waits for every descriptor that a task waits for.
///
/// It sleeps in the kernel until a descriptor is ready or a wait is added or taken away, and looks at each descriptor
/// only while somebody waits for it.
final class SocketPoller: Sendable {
    /// The poller of this process; its thread starts with the first wait.
    static let shared = SocketPoller()

    private struct Wait {
        let descriptor: CInt
        let readiness: SocketReadiness
        let continuation: CheckedContinuation<Void, Never>
    }

    private enum Worker {
        /// It starts with the first wait.
        case asleep
        /// It runs, and looks at its waits again when this is signalled.
        case running(wakeUp: EventDescriptor)

        func wake() {
            switch self {
            case .asleep: break
            case .running(let wakeUp): wakeUp.signal()
            }
        }
    }

    private struct State {
        var worker = Worker.asleep
        var nextNumber: UInt64 = 0
        var waits: [UInt64: Wait] = [:]
    }

    private let state = Mutex(State())

    /// Returns once the descriptor is ready, the task is cancelled, or `forget` is called. The caller tries its call again
    /// to find out which.
    ///
    /// - Throws: `.system` where this is the first wait and the process has no descriptor or thread left for the
    ///   poller.
    /// - Parameter isOpen: whether the descriptor is still the caller's socket. Its owner closes first and then calls
    ///   `forget`, so this ends a wait that is added too late for `forget`.
    func wait(
        for descriptor: CInt, _ readiness: SocketReadiness, while isOpen: () -> Bool
    ) async throws(WormholeError) {
        let number = try state.withLock { state throws(WormholeError) in
            if case .asleep = state.worker { state.worker = .running(wakeUp: try start()) }
            state.nextNumber += 1
            return state.nextNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                add(Wait(descriptor: descriptor, readiness: readiness, continuation: continuation), number: number)
                if Task.isCancelled || !isOpen() { end { candidate, _ in candidate == number } }
            }
        } onCancel: {
            end { candidate, _ in candidate == number }
        }
    }

    /// Ends every wait for the descriptor; called once it is closed. Where the number already means another file, that
    /// file's waits end too, and their callers find that nothing has happened and wait again.
    func forget(_ descriptor: CInt) {
        end { _, wait in wait.descriptor == descriptor }
    }

    private func add(_ wait: Wait, number: UInt64) {
        state.withLock { state in
            state.waits[number] = wait
            state.worker.wake()
        }
    }

    /// Removes waits, wakes the thread so that it notices, and resumes their tasks.
    private func end(where isWanted: (UInt64, Wait) -> Bool) {
        let ended = state.withLock { state in
            let numbers = state.waits.filter { isWanted($0.key, $0.value) }.keys
            if !numbers.isEmpty { state.worker.wake() }
            return numbers.compactMap { state.waits.removeValue(forKey: $0) }
        }
        for wait in ended { wait.continuation.resume() }
    }

    private func start() throws(WormholeError) -> EventDescriptor {
        try SocketCalls.system { () throws(HostSystemError) in
            let wakeUp = try EventDescriptor()
            _ = try SystemThread { [self] in run(wakeUp) }
            return wakeUp
        }
    }

    private func run(_ wakeUp: EventDescriptor) -> Never {
        while true {
            let waits = Array(state.withLock { $0.waits })
            var entries = waits.map { PolledDescriptor($0.value.descriptor, $0.value.readiness.interest) }
            entries.append(PolledDescriptor(wakeUp.descriptor, .readable))
            PolledDescriptor.wait(for: &entries, microseconds: nil)
            if entries[waits.count].isReady { wakeUp.drain() }
            resume(zip(waits, entries).filter { $0.1.isReady }.map(\.0.key))
        }
    }

    private func resume(_ numbers: [UInt64]) {
        let ready = state.withLock { state in numbers.compactMap { state.waits.removeValue(forKey: $0) } }
        for wait in ready { wait.continuation.resume() }
    }
}
