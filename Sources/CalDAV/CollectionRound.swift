import Foundation

/// One synchronization of a list with a collection on a calendar server. First it merges the server's changes into the list.
/// Then it sends the edits of the list's rows.
///
/// It is a state machine. The caller performs each `RoundAction`, and returns the result as a `RoundEvent`.
package struct CollectionRound {
    static let textsAtOnce = 100
    /// The maximum number of attempts to send one edit in one synchronization. For example, the phone tries again if another
    /// program has changed the item on the server.
    static let mostAttempts = 3

    private enum Phase {
        case idle
        case changes(since: String?)
        case versions
        /// Waits for the texts of the items whose paths are in the first group. The phone asks for the other groups later.
        case texts([[String]])
        case merging([[String]])
        case removing
        case storingToken
        case readingEdits
        case editing(Step, Work)
        case finished
    }

    private enum Step {
        case sending
        case put
        case deleting
        case storingSent
        case fetching
        case merging
        case reading
    }

    /// The edit that the phone is sending, the edits that follow it, and the number of earlier attempts to send this edit.
    private struct Work {
        var edit: PendingEdit
        var rest: ArraySlice<PendingEdit>
        var attempt: Int
    }

    private let collection: WebAddress
    private let known: [String: KnownItem]
    private let policy: MissingPolicy
    private let now: Date
    private var phase = Phase.idle
    private var report = RoundReport()
    /// Whether the server's answers name all items of the collection, not only the changed ones.
    private var namesAll = false
    private var newToken: String?
    /// The paths of items that the server reports as missing, or leaves out of answers that name every existing item.
    private var gone: [String] = []
    private var present: Set<String> = []
    private var fetching: [String] = []
    private var etags: [String: String] = [:]
    /// How many answers have named only a part of the changes, and so made the phone ask for the rest (RFC 6578 section 3.6).
    private var parts = 0
    private var omitted = 0
    private var older = 0
    private let start: Start

    package enum Start: Sendable {
        /// First get the server's changes since this sync token. With nil, get the versions of all items, and compare them with
        /// the known ones.
        case changes(since: String?)
        /// Only send the edits of the list's rows. The collection's sync token is unchanged, so the server has no changes.
        case edits
    }

    /// - Parameter known: what the phone knows about the server's items, by their paths as `WebAddress.canonical` writes them.
    package init(
        of collection: WebAddress, from start: Start, known: [String: KnownItem], policy: MissingPolicy, now: Date
    ) {
        self.collection = collection
        self.start = start
        self.known = known
        self.policy = policy
        self.now = now
    }

    /// Takes the result of the previous action, and returns the next action. The first event is `begin`.
    package mutating func next(after event: RoundEvent) -> RoundAction {
        switch event {
        case .begin:
            switch start {
            case .changes(let token):
                phase = .changes(since: token)
                namesAll = token == nil
                return .request(DAVRequests.changes(collection, since: token))
            case .edits: return readEdits()
            }
        case .response(let response): return answered(response)
        case .failure(let error): return failed(error)
        case .changed(let older): return changed(older: older)
        case .edits(let edits): return read(edits)
        }
    }

    private mutating func finish(_ end: RoundReport.End = .complete) -> RoundAction {
        phase = .finished
        // The last edit was sent, but an earlier one may have failed.
        if case .complete = report.end { report.end = end }
        return .finish(report)
    }

    private mutating func answered(_ response: HTTPResponse) -> RoundAction {
        do throws(CalDAVError) {
            switch phase {
            case .changes(let token): return try readChanges(response, since: token)
            case .versions: return try readVersions(response)
            case .texts(let groups): return try readTexts(response, groups)
            case .editing(.put, let work): return try readPut(response, work)
            case .editing(.deleting, let work): return try readDeletion(response, work)
            case .editing(.fetching, let work): return try readOne(response, work)
            case .idle, .merging, .removing, .storingToken, .readingEdits, .editing, .finished: return finish()
            }
        } catch {
            return finish(.left(error))
        }
    }

    private func failure(_ response: HTTPResponse) -> CalDAVError {
        response.failure(at: collection) ?? .refused(status: response.status, address: collection.text)
    }

    private mutating func failed(_ error: CalDAVError) -> RoundAction {
        if case .tooLarge = error, case .texts(let groups) = phase { return askForFewer(groups, nil) }
        return finish(.left(error))
    }

    private mutating func changed(older: Int) -> RoundAction {
        self.older += older
        switch phase {
        case .merging(let groups): return askForTexts(groups)
        case .removing: return storeToken()
        case .storingToken: return readEdits()
        case .editing(.sending, let work): return send(work)
        case .editing(.storingSent, let work): return startEdit(work.rest)
        case .editing(.merging, let work):
            phase = .editing(.reading, work)
            return .readEdits(only: work.edit.item)
        case .idle, .changes, .versions, .texts, .readingEdits, .editing, .finished: return finish()
        }
    }

    private mutating func read(_ edits: [PendingEdit]) -> RoundAction {
        switch phase {
        case .readingEdits: return startEdit(edits[...])
        case .editing(.reading, let work):
            // The merge may have left nothing to send.
            return edits.isEmpty ? startEdit(work.rest) : startEdit(edits + work.rest, attempt: work.attempt)
        case .idle, .changes, .versions, .texts, .merging, .removing, .storingToken, .editing, .finished:
            return finish()
        }
    }

    private mutating func readEdits() -> RoundAction {
        phase = .readingEdits
        return .readEdits(only: nil)
    }
}

extension CollectionRound {
    /// The maximum number of times that the phone asks for the rest of the changes. The next sync gets what is still left.
    private static let mostParts = 1_000

    private mutating func readChanges(
        _ response: HTTPResponse, since token: String?
    ) throws(CalDAVError) -> RoundAction {
        switch response.failure(at: collection) {
        case nil: break
        case .missing: return finish(.gone)
        case .unauthorized, .full, .busy: throw failure(response)
        // The token, or this report, is unknown: Radicale answers 403, Xandikos 500. The phone then lists all ETags once.
        case .some: return listVersions()
        }
        let answer = try MultistatusReader.read(response.body, at: collection)
        var isCut = false
        for part in answer.responses {
            guard let path = path(of: part) else {
                isCut = isCut || part.status == 507
                continue
            }
            switch part.status {
            case 404, 410: gone.append(path)
            case _: noteVersion(path, part.properties.etag)
            }
            present.insert(path)
        }
        newToken = answer.syncToken
        guard isCut else { return beginTexts() }
        // Without its other parts, the answer does not say which items are missing.
        guard let next = newToken, next != token, parts < CollectionRound.mostParts else { return listVersions() }
        parts += 1
        phase = .changes(since: next)
        return .request(DAVRequests.changes(collection, since: next))
    }

    /// Asks for the ETags of all items.
    private mutating func listVersions() -> RoundAction {
        (phase, namesAll, present, fetching) = (.versions, true, [], [])
        return .request(DAVRequests.versions(collection))
    }

    private mutating func readVersions(_ response: HTTPResponse) throws(CalDAVError) -> RoundAction {
        switch response.failure(at: collection) {
        case nil: break
        case .missing: return finish(.gone)
        case .some(let error): throw error
        }
        for part in try MultistatusReader.read(response.body, at: collection).responses {
            guard let path = path(of: part) else {
                guard part.status != 507 else { throw .refused(status: 507, address: collection.text) }
                newToken = part.properties.syncToken ?? newToken
                continue
            }
            guard !part.properties.types.contains("collection") else { continue }
            present.insert(path)
            noteVersion(path, part.properties.etag)
        }
        return beginTexts()
    }

    /// Plans to ask for an item's text, unless the phone knows the version with this ETag.
    private mutating func noteVersion(_ path: String, _ etag: String?) {
        if let etag, known[path]?.etag == etag { return }
        etags[path] = etag
        fetching.append(path)
    }

    /// Returns the path of the item that a part of an answer describes; nil if the part describes the collection itself, a
    /// collection inside it, or a resource outside it.
    private func path(of part: Multistatus.Response) -> String? {
        guard let address = collection.resolving(part.href), address.path.hasPrefix(collection.path),
            !address.path.hasSuffix("/")
        else { return nil }
        let isCollection = address.path + "/" == collection.path
        return isCollection ? nil : address.path
    }

    // MARK: Texts

    private mutating func beginTexts() -> RoundAction {
        let missing = known.filter { $0.value.etag != nil && !present.contains($0.key) }
        gone =
            namesAll
            ? missing.keys.sorted() : gone + missing.filter { $0.value.coverage == .later }.keys.sorted()
        let paths = fetching
        return askForTexts(
            stride(from: 0, to: paths.count, by: CollectionRound.textsAtOnce).map {
                Array(paths[$0..<min($0 + CollectionRound.textsAtOnce, paths.count)])
            })
    }

    private mutating func askForTexts(_ groups: [[String]]) -> RoundAction {
        guard let group = groups.first else { return removeGone() }
        phase = .texts(groups)
        return .request(DAVRequests.texts(collection, of: group))
    }

    /// Splits the first group into halves, and asks for the texts of the first half. A nil `refusal` means that the server's
    /// answer was too long.
    ///
    /// A group of one item cannot be split. If the server refused the item, reports the refusal. If the answer was too long,
    /// merges the item without its text.
    private mutating func askForFewer(_ groups: [[String]], _ refusal: RefusedItem.Reason?) -> RoundAction {
        guard let group = groups.first else { return removeGone() }
        let rest = Array(groups.dropFirst())
        guard group.count > 1 else {
            guard let refusal else {
                phase = .merging(rest)
                let large = group.map { RemoteItem(path: $0, etag: etags[$0] ?? "", text: nil, isFormer: false) }
                return .change(.merge(large))
            }
            omit(group[0], refusal)
            return askForTexts(rest)
        }
        let half = group.count / 2
        return askForTexts([Array(group[..<half]), Array(group[half...])] + rest)
    }

    private mutating func readTexts(
        _ response: HTTPResponse, _ groups: [[String]]
    ) throws(CalDAVError) -> RoundAction {
        if let error = response.failure(at: collection) {
            guard let refusal = CollectionRound.refusalOfOne(response) else { throw error }
            return askForFewer(groups, refusal)
        }
        let asked = Set(groups.first ?? [])
        let (items, missing, refused) = try items(in: response)
        gone += missing.filter { known[$0]?.etag != nil && !gone.contains($0) }
        for path in asked.subtracting(items.map(\.path)).subtracting(missing).sorted() {
            omit(path, refused[path] ?? .omitted)
        }
        report.received += items.count
        phase = .merging(Array(groups.dropFirst()))
        return .change(.merge(items.filter { asked.contains($0.path) }))
    }

    /// Reports an item whose text the server did not give. The next sync asks for it again.
    private mutating func omit(_ path: String, _ reason: RefusedItem.Reason) {
        omitted += 1
        report.refused.append(RefusedItem(path: path, title: nil, reason: reason))
    }

    /// Returns why the server refused a request for texts; nil if no single item can be the cause. Some servers refuse to
    /// return any of the texts because of one item.
    private static func refusalOfOne(_ response: HTTPResponse) -> RefusedItem.Reason? {
        [403, 500].contains(response.status) ? response.refusal : nil
    }

    /// Reads an answer to a request for texts. Returns the items with texts, the paths of the missing items, and the paths of
    /// the refused items, each with the reason.
    private func items(
        in response: HTTPResponse
    ) throws(CalDAVError) -> (items: [RemoteItem], missing: [String], refused: [String: RefusedItem.Reason]) {
        let answer = try MultistatusReader.read(response.body, at: collection)
        var items: [RemoteItem] = []
        var missing: [String] = []
        var refused: [String: RefusedItem.Reason] = [:]
        for part in answer.responses {
            guard let path = path(of: part) else { continue }
            if let etag = part.properties.etag, let text = part.properties.calendarData {
                let isFormer = known[path]?.former.contains(etag) == true
                items.append(RemoteItem(path: path, etag: etag, text: text, isFormer: isFormer))
            } else if part.status == 404 || part.status == 410 {
                missing.append(path)
            } else if let status = part.status ?? part.textStatus {
                refused[path] = .status(status, words: part.words)
            }
        }
        return (items, missing, refused)
    }

    // MARK: What is missing

    private mutating func removeGone() -> RoundAction {
        let gone = gone.filter { known[$0]?.etag != nil }
        guard !gone.isEmpty else { return storeToken() }
        phase = .removing
        let isRestored = namesAll && older > 0
        let count = known.values.count { $0.etag != nil }
        switch policy {
        case .restore: return restore(gone)
        // If the server has older versions of other items, it was restored from a backup that lacks these items.
        case .ask, .accept: if isRestored { return restore(gone) }
        }
        if policy == .ask, MissingPolicy.isMany(gone.count, of: count) {
            report.missing = gone.count
            newToken = nil
            return storeToken()
        }
        report.removed += gone.count
        return .change(.remove(gone))
    }

    private mutating func restore(_ gone: [String]) -> RoundAction {
        report.restored += gone.count
        return .change(.restore(gone))
    }

    private mutating func storeToken() -> RoundAction {
        phase = .storingToken
        return .change(.token(omitted > 0 ? nil : newToken))
    }
}

extension CollectionRound {
    /// Starts to send the first of these edits. `attempt` is the number of earlier attempts to send this edit.
    private mutating func startEdit(_ edits: ArraySlice<PendingEdit>, attempt: Int = 0) -> RoundAction {
        guard let edit = edits.first else { return finish() }
        let work = Work(edit: edit, rest: edits.dropFirst(), attempt: attempt)
        guard attempt < CollectionRound.mostAttempts else {
            report.end = .left(.busy(status: 412, seconds: nil))
            return startEdit(work.rest)
        }
        if case .delete = edit.kind {
            phase = .editing(.deleting, work)
            return .request(DAVRequests.delete(collection.with(path: edit.path), edit.etag))
        }
        guard let text = text(of: edit) else { return refuse(work, .unreadable) }
        phase = .editing(.sending, work)
        return .change(.sending(edit, text: text))
    }

    /// Reports an edit as refused, and starts to send the next edit. The next sync tries the refused edit again.
    private mutating func refuse(_ work: Work, _ reason: RefusedItem.Reason) -> RoundAction {
        report.refused.append(RefusedItem(path: work.edit.path, title: work.edit.row.title, reason: reason))
        return startEdit(work.rest)
    }

    private mutating func refuse(_ work: Work, _ response: HTTPResponse) throws(CalDAVError) -> RoundAction {
        guard let reason = response.refusal else { throw failure(response) }
        return refuse(work, reason)
    }

    private mutating func send(_ work: Work) -> RoundAction {
        guard let text = text(of: work.edit) else { return finish() }
        phase = .editing(.put, work)
        return .request(DAVRequests.put(collection.with(path: work.edit.path), text, over: work.edit.etag))
    }

    /// Makes the iCalendar text that an edit sends; nil for a deletion, or if `CalendarObject` rejects the item's text.
    private func text(of edit: PendingEdit) -> String? {
        switch edit.kind {
        case .create(let uid, let added):
            return try? CalendarObject(
                uid: uid, title: edit.row.title, state: edit.row.state, detail: edit.row.detail, created: added,
                now: now
            ).text
        case .edit(let text, let title, let state, let detail):
            guard var object = try? CalendarObject(text) else { return nil }
            if title != nil || state != nil || !detail.isEmpty {
                object.edit(title: title, state: state, detail: detail, now: now)
            }
            return object.text
        case .delete: return nil
        }
    }

    private mutating func readPut(_ response: HTTPResponse, _ work: Work) throws(CalDAVError) -> RoundAction {
        switch response.status {
        // Xandikos reports a taken UID as an error inside a multistatus.
        case 207, 409: return try renameEdit(work, response)
        case 200..<300:
            report.sent += 1
            guard let etag = response.headers["etag"] else { return fetch(work, attempt: work.attempt) }
            phase = .editing(.storingSent, work)
            return .change(.sent(path: work.edit.path, etag: etag))
        case 404, 410: if work.edit.etag == nil { throw failure(response) }
        case 412: break
        case _: return try refuse(work, response)
        }
        return fetch(work, attempt: work.attempt + 1)
    }

    /// Sends a new item again with a changed UID and path, because its UID is taken on the server. If the item is not new,
    /// reports its edit as refused.
    private mutating func renameEdit(_ work: Work, _ response: HTTPResponse) throws(CalDAVError) -> RoundAction {
        var edit = work.edit
        guard edit.etag == nil, work.attempt + 1 < CollectionRound.mostAttempts else {
            return try refuse(work, response)
        }
        let suffix = "-\(work.attempt + 2)"
        switch edit.kind {
        case .create(let uid, let added): edit.kind = .create(uid: uid + suffix, added: added)
        case .edit(let text, let title, let state, let detail):
            guard var object = try? CalendarObject(text) else { return startEdit(work.rest) }
            object.set("UID", to: object.uid + suffix)
            edit.kind = .edit(of: object.text, title: title, state: state, detail: detail)
        case .delete: return startEdit(work.rest)
        }
        let stem = edit.path.hasSuffix(".ics") ? String(edit.path.dropLast(4)) : edit.path
        edit.path = "\(stem)\(suffix).ics"
        return startEdit([edit] + work.rest, attempt: work.attempt + 1)
    }

    private mutating func readDeletion(_ response: HTTPResponse, _ work: Work) throws(CalDAVError) -> RoundAction {
        switch response.status {
        // If the answer is a web page, nothing was deleted, even if the status is a success. The page may be the login page of a
        // network.
        case 200..<300:
            if isDeleted(response) { return storeDeletion(work) }
        // The item may be missing because the whole collection is missing.
        case 404, 410, 412: break
        case _: return try refuse(work, response)
        }
        return fetch(work, attempt: work.attempt + 1)
    }

    private mutating func storeDeletion(_ work: Work) -> RoundAction {
        report.deleted += 1
        phase = .editing(.storingSent, work)
        return .change(.deleted(path: work.edit.path))
    }

    /// Whether a successful answer confirms the deletion: the answer's body is empty, or is a multistatus without failures.
    private func isDeleted(_ response: HTTPResponse) -> Bool {
        guard !response.body.isEmpty else { return true }
        guard let answer = try? MultistatusReader.read(response.body, at: collection) else { return false }
        return answer.responses.compactMap(\.status).allSatisfy { (200..<300).contains($0) || $0 == 404 || $0 == 410 }
    }

    /// Asks for the server's version of an edit's item, to merge it into the list's row. If the merged row still differs from
    /// that version, the phone sends the row. `attempt` is the number of attempts to send the edit so far.
    private mutating func fetch(_ work: Work, attempt: Int) -> RoundAction {
        phase = .editing(.fetching, Work(edit: work.edit, rest: work.rest, attempt: attempt))
        return .request(DAVRequests.texts(collection, of: [work.edit.path]))
    }

    private mutating func readOne(_ response: HTTPResponse, _ work: Work) throws(CalDAVError) -> RoundAction {
        if let error = response.failure(at: collection) {
            guard let refusal = CollectionRound.refusalOfOne(response) else { throw error }
            return refuse(work, refusal)
        }
        let (items, missing, refused) = try items(in: response)
        if let item = items.first(where: { $0.path == work.edit.path }) {
            phase = .editing(.merging, work)
            return .change(.merge([item]))
        }
        guard missing.contains(work.edit.path) else {
            return refuse(work, refused[work.edit.path] ?? .omitted)
        }
        if case .delete = work.edit.kind { return storeDeletion(work) }
        // The server deleted the item while the row changed, so the deletion wins. An item that the server never had is sent in
        // a later sync.
        guard work.edit.etag != nil else { throw .busy(status: 412, seconds: nil) }
        phase = .editing(.storingSent, work)
        report.removed += 1
        return .change(.remove([work.edit.path]))
    }
}
