import PhoneHost
import Synchronization

/// A list in memory whose every change waits at a gate until the test lets it through or refuses it.
final class GatedStore: ListStoring {
    enum Verdict {
        case pass
        case refuse(PhoneError)
    }

    private struct State {
        var list: ListContents
        var verdicts: [Verdict] = []
        var waiting: [CheckedContinuation<Verdict, Never>] = []
    }

    private let state: Mutex<State>

    init(_ list: ListContents) {
        state = Mutex(State(list: list))
    }

    var stored: ListContents { state.withLock(\.list) }

    /// Changes the list behind the view's back.
    func change(_ body: (inout ListContents) -> Void) {
        state.withLock { body(&$0.list) }
    }

    /// Decides about the next change that waits or will come.
    func decide(_ verdict: Verdict) {
        let waiter: CheckedContinuation<Verdict, Never>? = state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.verdicts.append(verdict)
            return nil
        }
        waiter?.resume(returning: verdict)
    }

    func contents() async throws(PhoneError) -> ListContents { stored }

    func store(_ edit: ListEdit) async throws(PhoneError) -> EditOutcome {
        let verdict = await withCheckedContinuation { continuation in
            let ready: Verdict? = state.withLock { state in
                guard state.verdicts.isEmpty else { return state.verdicts.removeFirst() }
                state.waiting.append(continuation)
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
        switch verdict {
        case .pass:
            return state.withLock { state in
                let before = state.list
                state.list = before.applying(edit)
                return state.list == before ? .unchanged : .changed
            }
        case .refuse(let error): throw error
        }
    }
}
