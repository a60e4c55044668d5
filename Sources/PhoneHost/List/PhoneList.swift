import HostSystem

/// The store behind a view of a list.
protocol ListStoring: Sendable {
    func contents() async throws(PhoneError) -> ListContents

    /// Makes a change durable; it is in the history as the phone's own.
    @discardableResult
    func store(_ edit: ListEdit) async throws(PhoneError) -> EditOutcome
}

/// The phone's view of its list: it shows a change at once, and the store follows.
///
/// The view is the list as it was last read, with all changes that are not stored yet, so a change that the store
/// refuses disappears from it. Changes are stored one after the other, in order.
public final class PhoneList: Sendable {
    private let store: any ListStoring
    private let dependencies: PhoneDependencies
    private let state: WaitableState<State>

    /// A view over `store`, which is read once.
    init(_ store: any ListStoring, dependencies: PhoneDependencies = .system) async throws(PhoneError) {
        self.store = store
        self.dependencies = dependencies
        state = WaitableState(State(stored: try await store.contents()))
    }

    /// The list to show now.
    public var snapshot: ListSnapshot { state.value.snapshot }

    /// Checks an item off. The view has changed when this returns; the store has not.
    public func check(_ item: ItemIdentifier) {
        enqueue(.store(ListEdit(item: item, action: .check(at: dependencies.now()))))
    }

    /// Opens an item again. The view has changed when this returns; the store has not.
    public func uncheck(_ item: ItemIdentifier) {
        enqueue(.store(ListEdit(item: item, action: .uncheck(at: dependencies.now()))))
    }

    /// Takes an item off the list. The view has changed when this returns; the store has not.
    public func remove(_ item: ItemIdentifier) {
        enqueue(.store(ListEdit(item: item, action: .remove(at: dependencies.now()))))
    }

    /// Reads the store again, behind everything that is still to be stored.
    public func refresh() {
        enqueue(.read)
    }

    /// Returns when everything requested before this call has been stored, refused or read.
    public func settled() async {
        let newest = state.value.asked
        await state.waitEvenIfCancelled { $0.done >= newest }
    }

    /// The snapshots, starting with the present one. A slow reader gets the newest and misses those in between.
    public func snapshots() -> AsyncStream<ListSnapshot> {
        let (stream, continuation) = AsyncStream.makeStream(of: ListSnapshot.self, bufferingPolicy: .bufferingNewest(1))
        let key = state.change { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = continuation
            continuation.yield(state.snapshot)
            return state.nextObserver
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.change { $0.observers.removeValue(forKey: key) }
        }
        return stream
    }

    deinit {
        for observer in state.value.observers.values { observer.finish() }
    }

    /// Appends a job, shows its effect, and starts the worker where it is idle.
    private func enqueue(_ job: Job) {
        let worker = state.change { state in
            let worker = state.worker
            state.jobs.append(job)
            state.asked += 1
            state.worker = .working
            state.publish(job.resets)
            return worker
        }
        switch worker {
        case .idle: Task { await work() }
        case .working: break
        }
    }

    /// Does the jobs until there are none.
    private func work() async {
        while let job = state.change({ $0.nextJob() }) {
            switch job {
            case .store(let edit):
                do {
                    try await store.store(edit)
                    finish { $0.stored = $0.stored.applying(edit) }
                } catch {
                    finish { $0.notice = .notStored(edit, error) }
                }
            case .read:
                do {
                    let contents = try await store.contents()
                    finish { $0.stored = contents }
                } catch {
                    finish { $0.notice = .notRead(error) }
                }
            }
        }
    }

    /// Removes the job that has just been done, and applies its result.
    private func finish(_ change: (inout State) -> Void) {
        state.change { state in
            state.jobs.removeFirst()
            state.done += 1
            change(&state)
            state.publish(.keep)
        }
    }
}

extension PhoneList {
    /// Something to do with the store.
    private enum Job {
        /// Make a change durable.
        case store(ListEdit)
        /// Read the list again.
        case read

        /// A new change removes the old notice.
        var resets: NoticeRule {
            switch self {
            case .store: .clear
            case .read: .keep
            }
        }
    }

    private enum NoticeRule {
        case keep, clear
    }

    /// Whether a task is doing the jobs.
    private enum Worker {
        case idle, working
    }

    private struct State: Sendable {
        /// The list as far as the store is known to have it.
        var stored: ListContents
        /// The jobs that are not done, the present one first.
        var jobs: [Job] = []
        /// The number of jobs that were ever requested, and the number that are done.
        var asked = 0
        var done = 0
        var worker = Worker.idle
        var notice = ListNotice.none
        var observers: [Int: AsyncStream<ListSnapshot>.Continuation] = [:]
        var nextObserver = 0
        var shown: ListSnapshot?

        init(stored: ListContents) {
            self.stored = stored
        }

        var snapshot: ListSnapshot {
            var contents = stored
            var waiting = 0
            for job in jobs {
                switch job {
                case .store(let edit):
                    contents = contents.applying(edit)
                    waiting += 1
                case .read: break
                }
            }
            return ListSnapshot(contents: contents, waiting: waiting, notice: notice)
        }

        mutating func nextJob() -> Job? {
            if jobs.isEmpty { worker = .idle }
            return jobs.first
        }

        mutating func publish(_ rule: NoticeRule) {
            switch rule {
            case .clear: notice = .none
            case .keep: break
            }
            guard !observers.isEmpty else { return }
            let snapshot = snapshot
            guard snapshot != shown else { return }
            shown = snapshot
            for observer in observers.values { observer.yield(snapshot) }
        }
    }
}
