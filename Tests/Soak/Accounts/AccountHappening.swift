/// Whoever edits the list that two phones share on a calendar server.
package enum ListEditor: String, Codable, CaseIterable, Sendable {
    case phoneA, phoneB
    /// A third program, on the server itself.
    case other

    /// In the words of a story.
    var name: String {
        switch self {
        case .phoneA: "phone A"
        case .phoneB: "phone B"
        case .other: "another program"
        }
    }

    /// The number of the phone; nil for the third program.
    var phone: Int? {
        switch self {
        case .phoneA: 0
        case .phoneB: 1
        case .other: nil
        }
    }
}

/// Something that a plan of accounts has happen. A `pick` chooses among the items that the editor sees.
package enum AccountHappening: Codable, Equatable, Sendable {
    case add(by: ListEditor, count: Int)
    /// Checks off an item, as of some seconds ago: a watch may bring it late.
    case check(by: ListEditor, pick: Int, ago: Int)
    case uncheck(by: ListEditor, pick: Int)
    case rename(by: ListEditor, pick: Int)
    case remove(by: ListEditor, pick: Int)
    /// A phone begins to sync; one that does already goes on.
    case sync(phone: Int)

    // What goes wrong on the way to the server, and there.
    /// A phone is without a connection.
    case part(phone: Int, milliseconds: Int)
    /// The next request of this kind, or any, meets this.
    case answer(ServerFault, to: RequestKind?)
    /// A request and its answer take this long each from now on.
    case delay(milliseconds: Int)
    case forgetTokens
    /// Somebody copies all items of the server.
    case copy
    /// The last copy is put back on the server.
    case restore
    /// The third program writes what it has read earlier over an item.
    case overwrite(pick: Int)
    /// The collection is not there for a while.
    case hide(milliseconds: Int)

    // What goes wrong with a phone.
    case kill(phone: Int, afterWrites: Int?, milliseconds: Int, loss: DeliveryHappening.Loss)
    case failDisk(phone: Int, afterWrites: Int, count: Int)
    case setClock(phone: Int, seconds: Int)
    /// A copy of a phone's database is put away, while its program does not run.
    case copyPhone(phone: Int)
    /// The last copy of a phone's database is put back.
    case restorePhone(phone: Int)

    /// What becomes of a request.
    package enum ServerFault: String, Codable, CaseIterable, Sendable {
        case lostAnswer, lostRequest, halfAnswer, page, noETag
        case unauthorized, forbidden, otherVersion, locked, failed, busy, full
    }

    /// The kinds of requests.
    package enum RequestKind: String, Codable, CaseIterable, Sendable {
        case put, delete, report, propfind
    }
}

/// The faults of accounts, as reports count those that happened.
package enum SharingFault: String, Codable, CaseIterable, Sendable {
    case serverAway, serverSlow, answerLost, requestLost, answerCut, answerPage, answerWithoutETag, accountRefused
    case versionRefused, serverBusy, tokenRefused, serverRestored, itemOverwritten, collectionGone
    case accountKill, accountPowerLoss, accountDiskFailure, accountClockJump, phoneRestored
}

/// Some minutes of two phones that share a list on a calendar server: what is edited, and what goes wrong.
package struct AccountPlan: Codable, Equatable, Sendable {
    /// What happens at a time.
    package struct Event: Codable, Equatable, Sendable {
        /// Milliseconds since the beginning.
        package var at: Int
        package var what: AccountHappening
    }

    /// How the server names versions.
    package enum Versions: String, Codable, Sendable {
        /// By a number that it never uses again.
        case counted
        /// By the text, as Radicale and Xandikos do: a text that comes back has its name of before.
        case hashed
    }

    /// Randomness for everything that the plan does not say.
    package var seed: UInt64
    package var versions: Versions
    /// What happens, in order.
    package var accounts: [Event]
}

extension AccountPlan {
    /// The plan as JSON with one event a line, as `--plan` reads it.
    package var text: String {
        PlanText.writing("\"seed\":\(seed),\"versions\":\"\(versions.rawValue)\"", "accounts", accounts)
    }

    /// Reads what `text` has written, also behind a story.
    package init(text: String) throws(SoakError) {
        self = try PlanText.reading(text)
        let phones = accounts.compactMap(\.what.phone)
        guard phones.allSatisfy({ (0...1).contains($0) }) else { throw .notAPlan(reason: "the phones are 0 and 1") }
    }
}

extension AccountHappening {
    /// The phone that it happens to.
    fileprivate var phone: Int? {
        switch self {
        case .sync(let phone), .part(let phone, _), .kill(let phone, _, _, _), .failDisk(let phone, _, _),
            .setClock(let phone, _), .copyPhone(let phone), .restorePhone(let phone):
            phone
        case .add, .check, .uncheck, .rename, .remove, .answer, .delay, .forgetTokens, .copy, .restore, .overwrite,
            .hide:
            nil
        }
    }
}
