import HostSystem

@testable import PhoneHost

/// A list in memory whose every change waits at a gate until the test lets it through or refuses it.
final class GatedStore: ListStoring {
    enum Verdict: Sendable {
        case pass
        case refuse(PhoneError)
    }

    private struct State {
        var list: ListContents
        var verdicts: [Verdict] = []
    }

    private let state: WaitableState<State>

    init(_ list: ListContents) {
        state = WaitableState(State(list: list))
    }

    var stored: ListContents { state.value.list }

    /// Changes the list behind the view's back.
    func change(_ body: (inout ListContents) -> Void) {
        state.change { body(&$0.list) }
    }

    /// Decides about the next change that waits or will come.
    func decide(_ verdict: Verdict) {
        state.change { $0.verdicts.append(verdict) }
    }

    func contents() async throws(PhoneError) -> ListContents { stored }

    func store(_ edit: ListEdit) async throws(PhoneError) -> EditOutcome {
        let verdict = await state.wait { state in state.verdicts.isEmpty ? nil : state.verdicts.removeFirst() }
        switch verdict {
        case .pass:
            return state.change { state in
                let before = state.list
                state.list = before.applying(edit)
                return state.list == before ? .unchanged : .changed
            }
        case .refuse(let error): throw error
        case nil: throw .storage(path: nil, reason: "the test is over")
        }
    }
}
