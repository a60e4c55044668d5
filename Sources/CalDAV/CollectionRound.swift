import Foundation

/// One round of keeping a collection and a list in step: first what the server has changed, then what the rows have.
///
/// A machine without requests and storage of its own: each answer to an action gives the next action.
package struct CollectionRound {
    /// The most items whose texts are asked for at once.
    static let textsAtOnce = 100
    /// How often a change is merged and sent again if the server had another version.
    static let mostAttempts = 3

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
    /// Whether the server names all members, and not only those that have changed.
    var namesAll = false
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

    package enum Start: Sendable {
        /// With what has changed on the server since a token; nil compares everything.
        case changes(since: String?)
        /// With the rows: the server has said that nothing has changed there.
        case edits
    }

    /// - Parameter known: by canonical path.
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

    mutating func finish(_ end: RoundReport.End = .complete) -> RoundAction {
        phase = .finished
        // An earlier item may have been left although the last was sent.
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

/// What the server has changed.
extension CollectionRound {
    /// The most answers of one report that are cut by the server.
    private static let mostParts = 1_000

    mutating func readChanges(_ response: HTTPResponse, since token: String?) -> RoundAction {
        switch response.failure(at: collection) {
        case nil: break
        case .missing: return finish(.gone)
        case .unauthorized(let address): return finish(.left(.unauthorized(address: address)))
        case .full, .busy: return finish(response)
        // A token that the server does not know, or no such report: Radicale says 403, Xandikos 500. All versions are listed, once.
        case .some:
            phase = .versions
            namesAll = true
            return .request(DAVRequests.versions(collection))
        }
        do throws(CalDAVError) {
            let answer = try MultistatusReader.read(response.body, at: collection)
            var fetched: [String] = []
            var isCut = false
            for part in answer.responses {
                guard let path = path(of: part) else {
                    isCut = isCut || part.status == 507
                    continue
                }
                switch part.status {
                case 404, 410: gone.append(path)
                case _: if isNews(path, part.properties.etag) { fetched.append(path) }
                }
                present.insert(path)
            }
            newToken = answer.syncToken
            fetching += fetched
            if isCut, let next = newToken, next != token, parts < CollectionRound.mostParts {
                parts += 1
                phase = .changes(since: next)
                return .request(DAVRequests.changes(collection, since: next))
            }
            return beginTexts()
        } catch {
            return finish(.left(error))
        }
    }

    mutating func readVersions(_ response: HTTPResponse) -> RoundAction {
        switch response.failure(at: collection) {
        case nil: break
        case .missing: return finish(.gone)
        case .some: return finish(response)
        }
        do throws(CalDAVError) {
            let answer = try MultistatusReader.read(response.body, at: collection)
            for part in answer.responses {
                guard let path = path(of: part) else {
                    newToken = part.properties.syncToken ?? newToken
                    continue
                }
                guard !part.properties.types.contains("collection") else { continue }
                present.insert(path)
                if isNews(path, part.properties.etag) { fetching.append(path) }
            }
            return beginTexts()
        } catch {
            return finish(.left(error))
        }
    }

    /// Ends the round with the error that a status means.
    mutating func finish(_ response: HTTPResponse) -> RoundAction {
        let error = response.failure(at: collection) ?? .refused(status: response.status, address: collection.text)
        return finish(.left(error))
    }

    private func isNews(_ path: String, _ etag: String?) -> Bool {
        guard let etag, let before = known[path]?.etag else { return true }
        return before != etag
    }

    /// The path of a member; nil for the collection itself, and for what is not in it.
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

    mutating func askForTexts(_ groups: [[String]]) -> RoundAction {
        guard let group = groups.first else { return removeGone() }
        phase = .texts(groups)
        return .request(DAVRequests.texts(collection, of: group))
    }

    /// The answer was too long: asks for half of the group; one item alone is left alone.
    mutating func askForFewer(_ groups: [[String]]) -> RoundAction {
        guard let group = groups.first else { return removeGone() }
        let rest = Array(groups.dropFirst())
        guard group.count > 1 else {
            report.refused += 1
            return askForTexts(rest)
        }
        let half = group.count / 2
        return askForTexts([Array(group[..<half]), Array(group[half...])] + rest)
    }

    mutating func readTexts(_ response: HTTPResponse, _ groups: [[String]]) -> RoundAction {
        if let error = response.failure(at: collection) { return finish(.left(error)) }
        do throws(CalDAVError) {
            let asked = Set(groups.first ?? [])
            let (items, missing) = try items(in: response)
            gone += missing.filter { known[$0]?.etag != nil && !gone.contains($0) }
            let answered = Set(items.map(\.path)).union(missing)
            // What the server has left out is asked for again in the next round.
            if !asked.isSubset(of: answered) { omitted += asked.subtracting(answered).count }
            report.received += items.count
            let rest = Array(groups.dropFirst())
            phase = .merging(rest)
            return .change(.merge(items.filter { asked.contains($0.path) }))
        } catch {
            return finish(.left(error))
        }
    }

    /// The items of an answer with texts, and the paths of those that are not there.
    func items(in response: HTTPResponse) throws(CalDAVError) -> (items: [RemoteItem], missing: [String]) {
        let answer = try MultistatusReader.read(response.body, at: collection)
        var items: [RemoteItem] = []
        var missing: [String] = []
        for part in answer.responses {
            guard let path = path(of: part) else { continue }
            if let etag = part.properties.etag, let text = part.properties.calendarData {
                let isFormer = known[path]?.former.contains(etag) == true
                items.append(RemoteItem(path: path, etag: etag, text: text, isFormer: isFormer))
            } else if part.status == 404 || part.status == 410 {
                missing.append(path)
            }
        }
        return (items, missing)
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
        // If it has older versions of others, it was put back from a copy: that has lost these.
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

    mutating func storeToken() -> RoundAction {
        phase = .storingToken
        return .change(.token(omitted > 0 ? nil : newToken))
    }
}

/// What the rows have changed.
extension CollectionRound {
    mutating func startNext(_ edits: [PendingEdit]) -> RoundAction {
        startEdit(Array(edits.dropFirst()), attempt: 0)
    }

    /// Begins with the first of the edits; `attempt` is the number of attempts that it had.
    mutating func startEdit(_ edits: [PendingEdit], attempt: Int) -> RoundAction {
        guard let edit = edits.first else { return finish() }
        guard attempt < CollectionRound.mostAttempts else {
            report.end = .left(.busy(status: 412, seconds: nil))
            return startNext(edits)
        }
        guard case .delete = edit.kind else {
            guard let text = text(of: edit) else {
                report.refused += 1
                return startNext(edits)
            }
            phase = .sending(edits, attempt: attempt)
            return .change(.sending(edit, text: text))
        }
        phase = .deleting(edits, attempt: attempt)
        return .request(DAVRequests.delete(collection.with(path: edit.path), edit.etag))
    }

    mutating func send(_ edits: [PendingEdit], _ attempt: Int) -> RoundAction {
        guard let edit = edits.first, let text = text(of: edit) else { return finish() }
        phase = .put(edits, attempt: attempt)
        return .request(DAVRequests.put(collection.with(path: edit.path), text, over: edit.etag))
    }

    /// The text of an edit; nil if it is one of a text that is left alone.
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

    mutating func readPut(_ response: HTTPResponse, _ edits: [PendingEdit], _ attempt: Int) -> RoundAction {
        guard let edit = edits.first else { return finish() }
        switch response.status {
        // Xandikos answers a UID that it has already with an error within a multistatus.
        case 207, 409: return renameEdit(edits, attempt)
        case 200..<300:
            report.sent += 1
            let etag = response.headers["etag"]
            if etag == nil {
                phase = .looking(edits, attempt: attempt)
                return .request(DAVRequests.texts(collection, of: [edit.path]))
            }
            phase = .storingSent(edits, attempt: attempt)
            return .change(.sent(path: edit.path, etag: etag))
        case 412: return look(edits, attempt)
        case 404, 410: return edit.etag == nil ? finish(response) : look(edits, attempt)
        case 401, 403, 423, 429, 500...: return finish(response)
        case _:
            report.refused += 1
            return startNext(edits)
        }
    }

    /// The UID is taken: gives a new item another one.
    private mutating func renameEdit(_ edits: [PendingEdit], _ attempt: Int) -> RoundAction {
        guard var edit = edits.first, edit.etag == nil, attempt + 1 < CollectionRound.mostAttempts else {
            report.refused += 1
            return startNext(edits)
        }
        let suffix = "-\(attempt + 2)"
        switch edit.kind {
        case .create(let uid, let added): edit.kind = .create(uid: uid + suffix, added: added)
        case .edit(let text, let title, let state, let detail):
            guard var object = try? CalendarObject(text) else { return startNext(edits) }
            object.set("UID", to: object.uid + suffix)
            edit.kind = .edit(of: object.text, title: title, state: state, detail: detail)
        case .delete: return startNext(edits)
        }
        let stem = edit.path.hasSuffix(".ics") ? String(edit.path.dropLast(4)) : edit.path
        edit.path = "\(stem)\(suffix).ics"
        return startEdit([edit] + edits.dropFirst(), attempt: attempt + 1)
    }

    mutating func readDeletion(_ response: HTTPResponse, _ edits: [PendingEdit], _ attempt: Int) -> RoundAction {
        guard let edit = edits.first else { return finish() }
        switch response.status {
        // A page for people, of a network that wants to be logged in to for example, deletes nothing.
        case 200..<300 where !isDeleted(response): return look(edits, attempt)
        // It may be the collection that is gone.
        case 404, 410: return look(edits, attempt)
        case 200..<300:
            report.deleted += 1
            phase = .storingSent(edits, attempt: attempt)
            return .change(.deleted(path: edit.path))
        case 412: return look(edits, attempt)
        case 401, 403, 423, 429, 500...: return finish(response)
        case _:
            report.refused += 1
            return startNext(edits)
        }
    }

    /// Whether a success is one of a calendar server: without a text, or with a multistatus in which nothing has failed.
    private func isDeleted(_ response: HTTPResponse) -> Bool {
        guard !response.body.isEmpty else { return true }
        guard let answer = try? MultistatusReader.read(response.body, at: collection) else { return false }
        return answer.responses.compactMap(\.status).allSatisfy { (200..<300).contains($0) || $0 == 404 || $0 == 410 }
    }

    /// The server has another version than the one that was changed: fetches and merges it, then tries again.
    private mutating func look(_ edits: [PendingEdit], _ attempt: Int) -> RoundAction {
        guard let edit = edits.first else { return finish() }
        phase = .looking(edits, attempt: attempt + 1)
        return .request(DAVRequests.texts(collection, of: [edit.path]))
    }

    mutating func readOne(_ response: HTTPResponse, _ edits: [PendingEdit], _ attempt: Int) -> RoundAction {
        guard let edit = edits.first, response.failure(at: collection) == nil else { return finish(response) }
        do throws(CalDAVError) {
            let (items, missing) = try items(in: response)
            if let item = items.first(where: { $0.path == edit.path }) {
                phase = .mergingOne(edits, attempt: attempt)
                return .change(.merge([item]))
            }
            guard missing.contains(edit.path) else { return startNext(edits) }
            if case .delete = edit.kind {
                phase = .storingSent(edits, attempt: attempt)
                report.deleted += 1
                return .change(.deleted(path: edit.path))
            }
            // Deleted while it was changed here: it stays deleted. One that was never there is tried again later.
            guard edit.etag != nil else { return finish(.left(.busy(status: 412, seconds: nil))) }
            phase = .storingSent(edits, attempt: attempt)
            report.removed += 1
            return .change(.remove([edit.path]))
        } catch {
            return finish(.left(error))
        }
    }
}
