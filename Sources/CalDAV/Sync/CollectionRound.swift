import Foundation

/// One round of keeping a collection and a list in step: first what the server has changed, then what the rows have.
///
/// A machine without requests and storage of its own: each answer to an action gives the next action.
package struct CollectionRound {
    /// The most items whose texts are asked for at once.
    static let textsAtOnce = 100
    /// How often a change is merged and sent again where the server had another version.
    static let mostAttempts = 3

    /// Whether an answer names all members or those that have changed.
    enum Extent {
        case all
        case changes
    }

    enum Phase {
        case idle
        /// Waits for what has changed since a token.
        case changes(since: String?)
        /// Waits for the versions of all members.
        case versions
        /// Waits for the texts of the first of these, in groups.
        case texts([[String]])
        case merging([[String]])
        case removing
        case storingToken
        case readingEdits
        /// The edits to be sent, the present one first, with the number of attempts that it had.
        case sending([PendingEdit], attempt: Int)
        case put([PendingEdit], attempt: Int)
        case deleting([PendingEdit], attempt: Int)
        case storingSent([PendingEdit], attempt: Int)
        /// Looks what the server has in the place of the present edit.
        case looking([PendingEdit], attempt: Int)
        case mergingOne([PendingEdit], attempt: Int)
        case readingOne([PendingEdit], attempt: Int)
        case finished
    }

    let collection: WebAddress
    let known: [String: KnownItem]
    let policy: MissingPolicy
    let now: Date
    var phase = Phase.idle
    var report = RoundReport()
    var extent = Extent.changes
    var newToken: String?
    /// Those that the server says, or seems, to have deleted.
    var gone: [String] = []
    /// Those that the answer names.
    var present: Set<String> = []
    /// Those whose texts are to be fetched.
    var fetching: [String] = []
    /// How many answers there were to one report.
    var parts = 0
    /// How many texts the server has left out.
    var omitted = 0
    /// How many items it has older versions of.
    var older = 0
    private let start: Start

    /// Where a round begins.
    package enum Start: Sendable {
        /// With what has changed on the server since a token; nil compares everything.
        case changes(since: String?)
        /// With the rows: the server has said that nothing has changed there.
        case edits
    }

    /// - Parameters:
    ///   - known: by canonical path.
    ///   - policy: what to do where many items are missing.
    package init(
        of collection: WebAddress, from start: Start, known: [String: KnownItem], policy: MissingPolicy, now: Date
    ) {
        self.collection = collection
        self.start = start
        self.known = known
        self.policy = policy
        self.now = now
    }

    /// What to do next, after the answer to the action before; `begin` at first.
    package mutating func next(after event: RoundEvent) -> RoundAction {
        switch event {
        case .begin:
            switch start {
            case .changes(let token):
                phase = .changes(since: token)
                extent = token == nil ? .all : .changes
                return .request(DAVRequests.changes(collection, since: token))
            case .edits: return readEdits()
            }
        case .response(let response): return answered(response)
        case .failure(let error): return failed(error)
        case .changed(let older): return changed(older: older)
        case .edits(let edits): return read(edits)
        }
    }

    mutating func finish(_ end: RoundReport.End = .complete) -> RoundAction {
        phase = .finished
        // An earlier item may have been left, where the last was sent.
        if case .complete = report.end { report.end = end }
        return .finish(report)
    }

    private mutating func answered(_ response: HTTPResponse) -> RoundAction {
        switch phase {
        case .changes(let token): return readChanges(response, since: token)
        case .versions: return readVersions(response)
        case .texts(let groups): return readTexts(response, groups)
        case .put(let edits, let attempt): return readPut(response, edits, attempt)
        case .deleting(let edits, let attempt): return readDeletion(response, edits, attempt)
        case .looking(let edits, let attempt): return readOne(response, edits, attempt)
        case .idle, .merging, .removing, .storingToken, .readingEdits, .sending, .storingSent, .mergingOne, .readingOne,
            .finished:
            return finish()
        }
    }

    private mutating func failed(_ error: CalDAVError) -> RoundAction {
        if case .tooLarge = error, case .texts(let groups) = phase { return askForFewer(groups) }
        return finish(.left(error))
    }

    private mutating func changed(older: Int) -> RoundAction {
        self.older += older
        switch phase {
        case .merging(let groups): return askForTexts(groups)
        case .removing: return storeToken()
        case .storingToken: return readEdits()
        case .sending(let edits, let attempt): return send(edits, attempt)
        case .storingSent(let edits, _): return startNext(edits)
        case .mergingOne(let edits, let attempt):
            guard let edit = edits.first else { return finish() }
            phase = .readingOne(edits, attempt: attempt)
            return .readEdits(only: edit.item)
        case .idle, .changes, .versions, .texts, .readingEdits, .put, .deleting, .looking, .readingOne, .finished:
            return finish()
        }
    }

    private mutating func read(_ edits: [PendingEdit]) -> RoundAction {
        switch phase {
        case .readingEdits: return startEdit(edits, attempt: 0)
        case .readingOne(let before, let attempt):
            let rest = Array(before.dropFirst())
            // The merge may have left nothing to send.
            return edits.isEmpty ? startEdit(rest, attempt: 0) : startEdit(edits + rest, attempt: attempt)
        case .idle, .changes, .versions, .texts, .merging, .removing, .storingToken, .sending, .put, .deleting,
            .storingSent, .looking, .mergingOne, .finished:
            return finish()
        }
    }

    mutating func readEdits() -> RoundAction {
        phase = .readingEdits
        return .readEdits(only: nil)
    }
}
