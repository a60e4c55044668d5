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
            extent = .all
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
        switch extent {
        case .all:
            gone = known.filter { $0.value.etag != nil && !present.contains($0.key) }.map(\.key).sorted()
        case .changes:
            gone += known.filter { $0.value.coverage == .later && $0.value.etag != nil && !present.contains($0.key) }
                .map(\.key).sorted()
        }
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
                let version: RemoteItem.Version = known[path]?.former.contains(etag) == true ? .former : .new
                items.append(RemoteItem(path: path, etag: etag, text: text, version: version))
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
        let isRestored = extent == .all && older > 0
        let count = known.values.count { $0.etag != nil }
        switch policy {
        case .restore: return restore(gone)
        // Where it has older versions of others, it was put back from a copy: that has lost these.
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
