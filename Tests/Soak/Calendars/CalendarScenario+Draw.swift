import TestDoubles

extension CalendarScenario {
    static let faults: [Fault] = [
        .serverAway, .serverSlow, .requestLost, .answerLost, .answerCut, .answerPage, .answerWithoutETag,
        .accountRefused, .versionRefused, .serverBusy, .tokenRefused, .serverRestored, .itemOverwritten,
        .collectionGone, .kill, .powerLoss, .diskFailure, .clockJump, .databaseRollback,
    ]

    /// The faults that plans draw. Some represent a group of faults. For example, `.answerCut` represents all kinds of
    /// damaged answers.
    private static let drawn: [Fault] = [
        .serverAway, .answerLost, .answerCut, .accountRefused, .serverBusy, .serverSlow, .tokenRefused, .serverRestored,
        .itemOverwritten, .collectionGone, .kill, .powerLoss, .diskFailure, .clockJump,
    ]

    private static let rhythm = PlanDraw.Rhythm(
        events: 8..<16, faultShare: 30,
        pauses: [Range](repeating: 0..<200, count: 5) + [Range](repeating: 200..<3_200, count: 3)
            + [Range](repeating: 3_000..<63_000, count: 2))

    /// Limits the scenario to even seeds, so that it adds a quarter to the run time of a range of seeds instead of
    /// half.
    static func isInRange(_ seed: UInt64) -> Bool { seed % 2 == 0 }

    static func plan(_ seed: UInt64, faults given: [Fault]?) -> Plan<CalendarScenario> {
        var draw = PlanDraw(seed: seed, stream: (0xD6E8_FEB8_6659_FD93, 11))
        let faults = given ?? draw.faults(drawn, most: 3)
        var events: [(at: Int, what: CalendarEvent)] = [
            (100, .add(by: draw.pick(ListEditor.allCases), count: draw.number(8))), (200, .sync(phone: 0)),
            (200, .sync(phone: 1)),
        ]
        if faults.contains(.serverRestored) { events.append((1_900, .copy)) }
        events += draw.events(
            of: CalendarScenario.self, rhythm, from: 2_000, faults, deed: deed, fault: fault,
            sequel: { _, draw in
                draw.number(3) == 0 ? (draw.number(300), .sync(phone: draw.number(2))) : nil
            })
        var plan = Plan<CalendarScenario>(
            seed: seed, cast: CalendarCast(versions: seed % 4 < 2 ? .counted : .hashed), events)
        plan.addCopies()
        return plan
    }

    private static func deed(_ draw: inout PlanDraw) -> CalendarEvent {
        func editor() -> ListEditor { draw.pick(ListEditor.allCases) }
        func number(_ limit: Int) -> Int { draw.number(limit) }
        switch number(100) {
        case 0..<12: return .add(by: editor(), count: 1 + number(2))
        case 12..<32: return .check(by: editor(), pick: number(50), ago: number(3) == 0 ? number(600) : 0)
        case 32..<42: return .uncheck(by: editor(), pick: number(50))
        case 42..<56: return .rename(by: editor(), pick: number(50))
        case 56..<66: return .remove(by: editor(), pick: number(50))
        case _: return .sync(phone: number(2))
        }
    }

    private static func fault(_ kind: Fault, _ draw: inout PlanDraw) -> CalendarEvent {
        func number(_ limit: Int) -> Int { draw.number(limit) }
        func answer(_ faults: [InMemoryCalendarServer.Fault]) -> CalendarEvent {
            let fault = draw.pick(faults)
            return .answer(fault, to: draw.pick([.put, .put, .delete, .report, .propfind, nil]))
        }
        func outage() -> Int { number(3) == 0 ? 20_000 + number(60_000) : 50 + number(4_000) }
        switch kind {
        case .serverAway: return .part(phone: number(2), milliseconds: outage())
        case .answerLost, .requestLost: return answer([.lostAnswer, .lostAnswer, .silent])
        case .answerCut, .answerPage, .answerWithoutETag: return answer([.halfAnswer, .page, .noETag])
        case .accountRefused, .versionRefused: return answer([.status(401), .status(403), .status(412)])
        case .serverBusy: return answer([.status(423), .status(500), .status(503), .status(507)])
        case .serverSlow: return .delay(milliseconds: draw.pick([10, 150, 900, 4_000]))
        case .tokenRefused: return .forgetTokens
        case .serverRestored: return number(3) == 0 ? .copy : .restore
        case .itemOverwritten: return .overwrite(pick: number(50))
        case .collectionGone: return .hide(milliseconds: outage())
        case .kill, .powerLoss:
            let phone = number(2)
            let point = draw.killPoint(writes: 30)
            return .computer(
                phone: phone,
                fault: .kill(
                    at: point, milliseconds: 100 + number(5_000), losing: kind == .kill ? .nothing : .power))
        case .diskFailure:
            return .computer(
                phone: number(2), fault: .failDisk(.failing, afterWrites: number(20), count: 1 + number(4)))
        case .clockJump:
            let phone = number(2)
            return .computer(phone: phone, fault: .setClock(seconds: draw.pick([-7_200, -60, 60, 3_600, 86_400])))
        case .databaseRollback:
            let phone = number(2)
            return .computer(phone: phone, fault: number(2) == 0 ? .saveDatabase : .restoreDatabase)
        case _: preconditionFailure("\(kind) is no fault of calendars")
        }
    }
}

extension Plan<CalendarScenario> {
    /// Saves a phone's database in a quarter of the plans, often right after another event, and restores it once or
    /// twice.
    fileprivate mutating func addCopies() {
        guard seed / 2 % 4 == 1, let last = events.last?.at else { return }
        var draw = PlanDraw(seed: seed, stream: (0xBF58_476D_1CE4_E5B9, 3))
        let phone = draw.number(2)
        let first = events[3 + draw.number(events.count - 4)].at + draw.pick([1, 1, 100, 1_000])
        // In half of these plans, the copy has items that the phone has still to send.
        if draw.number(2) == 0 {
            insert(.add(by: phone == 0 ? .phoneA : .phoneB, count: 1 + draw.number(3)), at: first)
        }
        insert(.computer(phone: phone, fault: .saveDatabase), at: first)
        for _ in 0..<1 + draw.number(2) {
            insert(
                .computer(phone: phone, fault: .restoreDatabase),
                at: first + 1 + draw.number(max(1, last + 2_000 - first)))
        }
    }
}
