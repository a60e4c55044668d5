import WatchLink

extension AccountPlan {
    /// The plan that a seed draws.
    package init(seed: UInt64) {
        var draw = AccountDraw(seed: seed)
        self.init(seed: seed, versions: seed % 4 < 2 ? .counted : .hashed, accounts: draw.events())
        addCopies()
    }

    /// In each fourth plan of a range, has a copy of a phone's database put away and put back, once or twice, often right after
    /// something else.
    private mutating func addCopies() {
        guard seed / 2 % 4 == 1, let last = accounts.last?.at else { return }
        // From numbers of its own, so that the other plans are what they were without copies.
        var random = SplitMix64(seed: seed &* 0xBF58_476D_1CE4_E5B9 &+ 3)
        func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
        let phone = number(2)
        func insert(_ what: AccountHappening, at time: Int) {
            let index = accounts.firstIndex { $0.at > time } ?? accounts.endIndex
            accounts.insert(Event(at: time, what: what), at: index)
        }
        let first = accounts[3 + number(accounts.count - 4)].at + [1, 1, 100, 1_000][number(4)]
        // Often the copy has items that are still to be sent.
        if number(2) == 0 { insert(.add(by: phone == 0 ? .phoneA : .phoneB, count: 1 + number(3)), at: first) }
        insert(.copyPhone(phone: phone), at: first)
        for _ in 0..<1 + number(2) {
            insert(.restorePhone(phone: phone), at: first + 1 + number(max(1, last + 2_000 - first)))
        }
    }

    /// The plan of a seed as ranges run it: that of each second one, so that ranges take a quarter longer by it and not half.
    package static func inRange(_ seed: UInt64) -> AccountPlan? { seed % 2 == 0 ? AccountPlan(seed: seed) : nil }
}

/// Draws a plan of accounts from a seed.
struct AccountDraw {
    private var random: SplitMix64
    /// The kinds of trouble of this plan.
    private var troubles: [Trouble] = []

    /// A kind of trouble, drawn for a whole plan, so that some plans have much of one.
    private enum Trouble: CaseIterable {
        case away, lost, cut, refused, busy, slow, tokens, copies, overwrites, gone, kill, power, disk, clock
    }

    init(seed: UInt64) {
        random = SplitMix64(seed: seed &* 0xD6E8_FEB8_6659_FD93 &+ 11)
    }

    mutating func events() -> [AccountPlan.Event] {
        if number(8) > 0 {
            troubles = (0..<1 + number(3)).map { _ in Trouble.allCases[number(Trouble.allCases.count)] }
        }
        var events = [AccountPlan.Event(at: 100, what: .add(by: editor(), count: number(8)))]
        for phone in 0..<2 { events.append(AccountPlan.Event(at: 200, what: .sync(phone: phone))) }
        if troubles.contains(.copies) { events.append(AccountPlan.Event(at: 1_900, what: .copy)) }
        var time = 2_000
        for _ in 0..<8 + number(8) {
            time += pause()
            let what = troubles.isEmpty || number(100) >= 30 ? deed() : trouble()
            events.append(AccountPlan.Event(at: time, what: what))
            guard number(3) == 0 else { continue }
            time += number(300)
            events.append(AccountPlan.Event(at: time, what: .sync(phone: number(2))))
        }
        return events
    }

    private mutating func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    private mutating func editor() -> ListEditor { ListEditor.allCases[number(3)] }

    private mutating func pause() -> Int {
        switch number(10) {
        case 0...4: number(200)
        case 5...7: 200 + number(3_000)
        case _: 3_000 + number(60_000)
        }
    }

    private mutating func deed() -> AccountHappening {
        switch number(100) {
        case 0..<12: .add(by: editor(), count: 1 + number(2))
        case 12..<32: .check(by: editor(), pick: number(50), ago: number(3) == 0 ? number(600) : 0)
        case 32..<42: .uncheck(by: editor(), pick: number(50))
        case 42..<56: .rename(by: editor(), pick: number(50))
        case 56..<66: .remove(by: editor(), pick: number(50))
        case _: .sync(phone: number(2))
        }
    }

    private mutating func trouble() -> AccountHappening {
        switch troubles[number(troubles.count)] {
        case .away: .part(phone: number(2), milliseconds: outage())
        case .lost: .answer([.lostAnswer, .lostAnswer, .lostRequest][number(3)], to: request())
        case .cut: .answer([.halfAnswer, .page, .noETag][number(3)], to: request())
        case .refused: .answer([.unauthorized, .forbidden, .otherVersion][number(3)], to: request())
        case .busy: .answer([.locked, .failed, .busy, .full][number(4)], to: request())
        case .slow: .delay(milliseconds: [10, 150, 900, 4_000][number(4)])
        case .tokens: .forgetTokens
        case .copies: number(3) == 0 ? .copy : .restore
        case .overwrites: .overwrite(pick: number(50))
        case .gone: .hide(milliseconds: outage())
        case .kill: kill(.nothing)
        case .power: kill(.power)
        case .disk: .failDisk(phone: number(2), afterWrites: number(20), count: 1 + number(4))
        case .clock: .setClock(phone: number(2), seconds: [-7_200, -60, 60, 3_600, 86_400][number(5)])
        }
    }

    private mutating func request() -> AccountHappening.RequestKind? {
        ([.put, .put, .delete, .report, .propfind, nil] as [AccountHappening.RequestKind?])[number(6)]
    }

    private mutating func outage() -> Int { number(3) == 0 ? 20_000 + number(60_000) : 50 + number(4_000) }

    private mutating func kill(_ loss: DeliveryHappening.Loss) -> AccountHappening {
        .kill(
            phone: number(2), afterWrites: number(4) == 0 ? nil : number(30), milliseconds: 100 + number(5_000),
            loss: loss)
    }
}
