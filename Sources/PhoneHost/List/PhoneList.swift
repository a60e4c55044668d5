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
    private let shown: Published<ListSnapshot>

    init(_ store: any ListStoring, dependencies: PhoneDependencies = .system) async throws(PhoneError) {
        let state = State(stored: try await store.contents())
        self.store = store
        self.dependencies = dependencies
        self.state = WaitableState(state)
        shown = Published(state.snapshot)
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

    /// Gives an item another title. The view has changed when this returns; the store has not.
    public func rename(_ item: ItemIdentifier, to title: CleanTitle) {
        enqueue(.store(ListEdit(item: item, action: .rename(to: title, at: dependencies.now()))))
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
        let snapshots = shown.values()
        // In this order: from here on every change is delivered, and the present snapshot replaces one that is older.
        publish()
        return snapshots
    }

    /// Appends a job, shows its effect, and starts to work where nobody does.
    private func enqueue(_ job: Job) {
        let isFirst = state.change { state in
            state.jobs.append(job)
            state.asked += 1
            // A new change removes the old notice.
            if case .store = job { state.notice = .none }
            return state.jobs.count == 1
        }
        publish()
        if isFirst { Task { await work(job) } }
    }

    /// Does `first` and the jobs behind it until there are none.
    private func work(_ first: Job) async {
        var next: Job? = first
        while let job = next {
            switch job {
            case .store(let edit):
                do {
                    try await store.store(edit)
                    next = finish { $0.stored = $0.stored.applying(edit) }
                } catch {
                    next = finish { $0.notice = .notStored(edit, error) }
                }
            case .read:
                do {
                    let contents = try await store.contents()
                    next = finish { $0.stored = contents }
                } catch {
                    next = finish { $0.notice = .notRead(error) }
                }
            }
        }
    }

    /// Removes the job that has just been done, applies its result, and returns the next job.
    private func finish(_ change: (inout State) -> Void) -> Job? {
        let next = state.change { state in
            state.jobs.removeFirst()
            state.done += 1
            change(&state)
            return state.jobs.first
        }
        publish()
        return next
    }

    /// Delivers the list to whoever reads `snapshots`.
    private func publish() {
        // A list is computed and compared only where somebody looks.
        if shown.isFollowed { shown.update { $0 = state.value.snapshot } }
    }
}

extension PhoneList {
    private enum Job {
        case store(ListEdit)
        case read
    }

    private struct State: Sendable {
        /// The list as far as the store is known to have it.
        var stored: ListContents
        /// The jobs that are not done, the present one first.
        var jobs: [Job] = []
        /// The number of jobs that were ever requested, and the number that are done.
        var asked = 0
        var done = 0
        var notice = ListNotice.none

        var snapshot: ListSnapshot {
            var contents = stored
            var waiting = 0
            for case .store(let edit) in jobs {
                contents = contents.applying(edit)
                waiting += 1
            }
            return ListSnapshot(contents: contents, waiting: waiting, notice: notice)
        }
    }
}

/// The list as it is shown at one moment.
public struct ListSnapshot: Equatable, Sendable {
    /// The list, with the changes that are not stored yet.
    public var contents: ListContents
    /// The number of changes that are not stored yet.
    public var waiting = 0
    /// A message for the owner.
    public var notice = ListNotice.none
}

/// A message for the owner of a list.
public enum ListNotice: Equatable, Sendable {
    /// Nothing.
    case none
    /// The store refused a change, which the view therefore does not show any more.
    case notStored(ListEdit, PhoneError)
    /// The store could not be read, so the view may be old.
    case notRead(PhoneError)
}
