import CalDAV

package struct PublishedList: Sendable {
    package var list: String
    package var account: CalendarAccount
    package var address: String
    package var report: AccountSync.Report
}

extension AccountKeeper {
    private static let mostAddresses = 3

    /// Publishes a list: creates a collection on the account's server, connects the list with it, and sends the items.
    ///
    /// The caller can repeat an interrupted call, because the collection's address is stored before the first request.
    ///
    /// - Parameter query: the number or address of an account. Nil chooses the only account that can have new lists.
    package func publish(
        _ list: String, to query: String?
    ) async throws(PhoneError) -> Result<PublishedList, CalDAVError> {
        let lock = try await SyncLock(ofDatabase: store.path, within: 30)
        defer { lock.end() }
        var publication = try await store.beginPublication(of: list, on: query)
        for _ in 0..<AccountKeeper.mostAddresses {
            let account = publication.account
            let password: String?
            do throws(PhoneError) { password = try await passwords.password(of: account) } catch {
                if publication.start == .make { try await store.forget(publication) }
                throw error
            }
            let sync = AccountSync(store, account, over: transport(account), password: password)
            switch await sync.makeCollection(publication) {
            case .there:
                let report = try await sync.run()
                if let error = report.error { return .failure(error) }
                guard let address = try await store.collection(of: publication) else {
                    try await store.forget(publication)
                    return .failure(.noNewList(address: publication.address.text))
                }
                return .success(
                    PublishedList(list: publication.name, account: account, address: address, report: report))
            case .taken: publication = try await store.move(publication)
            case .failed(let error):
                if publication.isUnmade(after: error) { try await store.forget(publication) }
                return .failure(error)
            }
        }
        try await store.forget(publication)
        return .failure(.noNewList(address: publication.address.text))
    }
}

extension ListPublication {
    /// True if this error of a request proves that the server has not created the collection, now or in an earlier
    /// attempt.
    fileprivate func isUnmade(after error: CalDAVError) -> Bool {
        switch error {
        case .noNewList: true
        case .unreachable, .certificate, .unauthorized, .forbidden, .redirected, .endlessRedirection, .address, .noList:
            start == .make
        case .missing, .full, .busy, .refused, .silent, .halfAnswer, .tooLarge, .notCalDAV, .stopped: false
        }
    }
}
