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

    /// The text of an edit; nil where it is one of a text that is left alone.
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
