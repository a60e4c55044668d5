import CalDAV

/// What has become of a list that was to be put on a calendar server.
package struct PublishedList: Sendable {
    package var list: String
    package var account: CalendarAccount
    /// Where it is.
    package var address: String
    /// The sync that followed, which has sent the items.
    package var report: AccountSync.Report
}

extension AccountKeeper {
    /// How often another address is chosen where one is taken.
    private static let mostAddresses = 3

    /// Makes a collection for a list of the phone on the server of an account, joins both, and sends the items.
    ///
    /// It may be called again after an interruption at any place: the address is stored before the server is asked.
    ///
    /// - Parameter query: the number or the address of the account; nil for the only one that can have new lists.
    /// - Returns: nothing for a list that the server has not taken, with the reason.
    /// - Throws: `.noSuchList`; `.account` where the list or the account is not fit for it, where the password cannot be had, and where
    ///   another program syncs; what the database throws.
    package func publish(
        _ list: String, to query: String?
    ) async throws(PhoneError) -> Result<PublishedList, CalDAVError> {
        let turn = try await SyncTurn(ofDatabase: store.path, within: 30)
        defer { turn.end() }
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
    /// Whether it is certain that the server has made nothing.
    fileprivate func isUnmade(after error: CalDAVError) -> Bool {
        switch error {
        case .noNewList: true
        case .unreachable, .certificate, .unauthorized, .forbidden, .redirected, .endlessRedirection, .address, .noList:
            start == .make
        case .missing, .full, .busy, .refused, .silent, .halfAnswer, .tooLarge, .notCalDAV, .stopped: false
        }
    }
}
