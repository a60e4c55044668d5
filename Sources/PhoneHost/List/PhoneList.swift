import HostSystem

/// The phone's view of its list. What is done to it shows at once; the store follows.
///
/// The view is always the list as it was last read with everything on top that is not stored yet, so a change that the
/// store refuses goes back by being left out. Changes are stored one after the other, in the order in which they were
/// made.
public final class PhoneList: Sendable {
    private let store: any ListStoring
    private let surroundings: PhoneDependencies
    private let state: WaitableState<State>

    /// A view over `store` that shows `contents` until `refresh()`.
    public init(_ store: any ListStoring, showing contents: ListContents, surroundings: PhoneDependencies = .system) {
        self.store = store
        self.surroundings = surroundings
        state = WaitableState(State(stored: contents))
    }

    /// A view over `store`, read once.
    public convenience init(_ store: any ListStoring, surroundings: PhoneDependencies = .system)
        async throws(PhoneError)
    {
        self.init(store, showing: try await store.contents(), surroundings: surroundings)
    }

    /// The list to show now.
    public var snapshot: ListSnapshot { state.value.snapshot }

    /// Checks an item off. The view has changed when this returns; the store has not.
    public func check(_ item: ItemIdentifier) {
        submit(ListEdit(item: item, action: .check(at: surroundings.now())))
    }

    /// Puts an item back. The view has changed when this returns; the store has not.
    public func uncheck(_ item: ItemIdentifier) {
        submit(ListEdit(item: item, action: .uncheck(at: surroundings.now())))
    }

    /// Takes an item off the list. The view has changed when this returns; the store has not.
    public func remove(_ item: ItemIdentifier) {
        submit(ListEdit(item: item, action: .remove(at: surroundings.now())))
    }

    /// Reads the store again, behind everything that is still to be stored.
    public func refresh() {
        enqueue(.read)
    }

    /// Returns when everything asked of the view before this call has been stored, refused or read.
    public func settled() async {
        let newest = state.value.asked
        await state.waitEvenIfCancelled { $0.done >= newest }
    }

    /// The snapshots, beginning with the present one. A slow reader gets the newest and misses those in between.
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

    private func submit(_ edit: ListEdit) {
        enqueue(.store(edit))
    }

    /// Puts `job` behind the others and shows what it changes; somebody has to start working where nobody does.
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

    /// Takes the job that has just been done off the queue, together with what came of it.
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

        /// What becomes of an old notice when this is asked for: a new change takes it away.
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

    /// Whether somebody is doing the jobs.
    private enum Worker {
        case idle, working
    }

    private struct State: Sendable {
        /// The list as far as the store is known to have it.
        var stored: ListContents
        /// What is still to be done, the one being done first.
        var jobs: [Job] = []
        /// How many jobs were ever asked for, and how many of them are done.
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
