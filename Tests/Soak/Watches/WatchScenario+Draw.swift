import WatchLink

extension WatchScenario {
    static let faults: [Fault] = [
        .anotherPhone, .noise, .cut, .halfOpen, .powerCut, .powerCutTwice, .flashFailure, .bitRot, .flashRollback,
        .clone, .kill, .powerLoss, .restart, .diskFailure, .diskFull, .databaseRollback, .clockJump, .slowFlash,
        .wornFlash, .watchClockJump,
    ]

    /// The most frequent pauses, 300 ms to 1.2 s, are those of a person who taps one row after the other.
    private static let rhythm = PlanDraw.Rhythm(
        events: 10..<27, faultShare: 35,
        pauses: [Range](repeating: 300..<1_200, count: 5) + [60..<300, 60..<300, 1_500..<7_500, 1_500..<7_500]
            + [8_000..<68_000])

    static func plan(_ seed: UInt64, faults given: [Fault]?) -> Plan<WatchScenario> {
        var draw = PlanDraw(seed: seed, stream: (0xD134_2543_DE82_EF95, 1))
        let watches = draw.pick([1, 1, 1, 1, 1, 2, 2, 2, 3, 4])
        let faults = given ?? draw.faults(WatchScenario.faults, most: 4, weight: 5)
        let phones = faults.contains(.anotherPhone) || draw.number(20) == 0 ? 2 : 1
        let items = (0..<phones).map { _ in
            [3, 4, 5, 6, 8, 10, 12, 2, 1, 130][draw.number(draw.number(8) == 0 ? 10 : 8)]
        }
        var cast = WatchCast(watches: watches, items: items)
        let events = draw.events(
            of: WatchScenario.self, rhythm, from: 1_500, faults, deed: { deed(&$0, cast) },
            fault: { fault($0, &$1, cast) })
        let isSlow = given == nil && draw.number(8) == 0
        if isSlow || faults.contains(.slowFlash) { cast.flash = .maximum }
        var plan = Plan<WatchScenario>(seed: seed, cast: cast, events)
        plan.addFiles()
        plan.addPastItems()
        return plan
    }

    private static func deed(_ draw: inout PlanDraw, _ cast: WatchCast) -> WatchEvent {
        func watch() -> Int { draw.number(cast.watches) }
        func number(_ limit: Int) -> Int { draw.number(limit) }
        switch number(100) {
        case 0..<44: return .tap(watch: watch(), row: number(6))
        case 44..<49: return .doubleTap(watch: watch(), row: number(6))
        case 49..<53: return .flurry(watch: watch(), row: number(6), count: 2 + number(5), pause: 30 + number(300))
        case 53..<56:
            return .tapAndTurn(watch: watch(), row: number(6), detents: Int8(number(9) - 4), pause: number(300))
        case 56..<59: return .turn(watch: watch(), detents: Int8(number(9) - 4))
        case 59..<60: return .pressCrown(watch: watch())
        case 60..<61: return .pressSide(watch: watch())
        case 61..<67: return .leave(watch: watch(), milliseconds: 500 + number(40_000))
        case _: return ownersDeed(&draw, cast)
        }
    }

    private static func ownersDeed(_ draw: inout PlanDraw, _ cast: WatchCast) -> WatchEvent {
        func watch() -> Int { draw.number(cast.watches) }
        func phone() -> Int { draw.number(cast.items.count) }
        func number(_ limit: Int) -> Int { draw.number(limit) }
        switch number(33) {
        case 0..<7: return .add(phone: phone(), count: 1 + number(3))
        case 7..<11: return .remove(phone: phone(), item: number(20))
        case 11..<15: return .check(phone: phone(), item: number(20))
        case 15..<21: return .uncheck(phone: phone(), item: number(20))
        case 21..<24: return .undo(phone: phone())
        case 24..<27: return .tapAndUndo(watch: watch(), row: number(6), pause: 20 + number(400))
        case 27..<29: return .importList(phone: phone(), count: 2 + number(8))
        case 29..<30: return .forget(phone: phone(), watch: number(4))
        case _: return .switchList(phone: phone(), list: number(2))
        }
    }

    private static func outage(_ draw: inout PlanDraw) -> Int {
        draw.number(3) == 0 ? 2_000 + draw.number(20_000) : 50 + draw.number(1_500)
    }

    private static func clockJump(_ draw: inout PlanDraw) -> Int {
        (draw.number(2) == 0 ? 1 : -1) * (60 + draw.number(400_000))
    }

    private static func fault(_ kind: Fault, _ draw: inout PlanDraw, _ cast: WatchCast) -> WatchEvent {
        func watch() -> Int { draw.number(cast.watches) }
        func phone() -> Int { draw.number(cast.items.count) }
        func number(_ limit: Int) -> Int { draw.number(limit) }
        switch kind {
        case .anotherPhone: return .serve(phone: phone())
        case .noise:
            return .noise(
                watch: watch(), percent: draw.pick([5, 20, 50, 80, 100]), jitter: number(200),
                milliseconds: 500 + number(10_000))
        case .cut: return .cut(watch: watch())
        case .halfOpen: return .deafen(watch: watch(), ends: draw.pick([[.phone], [.watch], [.phone, .watch]]))
        case .powerCut:
            return .losePower(
                watch: watch(), afterOperations: number(4) == 0 ? nil : number(8), milliseconds: outage(&draw))
        case .powerCutTwice:
            return .losePowerTwice(
                watch: watch(), afterOperations: number(8), again: draw.pick([0, 0, 0, 1, 1, 2, 3, 5]),
                milliseconds: outage(&draw))
        case .flashFailure:
            return .failFlash(
                watch: watch(), afterOperations: number(6), error: number(2) == 0 ? .verifyFailed : .notResponding)
        case .wornFlash: return .wearOutFlash(watch: watch())
        case .watchClockJump: return .setWatchClock(watch: watch(), seconds: clockJump(&draw))
        case .bitRot: return .rotFlash(watch: watch())
        case .flashRollback: return number(2) == 0 ? .saveFlash(watch: watch()) : .restoreFlash(watch: watch())
        case .clone: return .cloneFlash(watch: watch(), to: watch())
        case .kill, .powerLoss:
            return .serving(
                fault: .kill(
                    at: draw.killPoint(writes: 30), milliseconds: outage(&draw),
                    losing: kind == .kill ? .nothing : .power))
        case .restart: return .serving(fault: .restart(milliseconds: outage(&draw)))
        case .diskFailure, .diskFull:
            return .serving(
                fault: .failDisk(
                    kind == .diskFull ? .full : .failing, afterWrites: number(20), count: 1 + number(12)))
        case .databaseRollback:
            let isCopied = number(2) == 0
            return .phone(number: phone(), fault: isCopied ? .saveDatabase : .restoreDatabase)
        case .clockJump: return .phone(number: phone(), fault: .setClock(seconds: clockJump(&draw)))
        // The cast makes the flash slow for the whole plan, so the fault needs no event.
        case .slowFlash: return deed(&draw, cast)
        case _: preconditionFailure("\(kind) is no fault of watches")
        }
    }
}

extension Plan<WatchScenario> {
    var sendsFiles: Bool {
        events.contains {
            if case .sendFile = $0.what { true } else { false }
        }
    }

    /// Whether wearers add past items. The phones then begin with a history of purchases.
    var offersPast: Bool {
        events.contains {
            if case .addPast = $0.what { true } else { false }
        }
    }

    /// If the seed is odd, adds events about past items. In most of these events, a wearer adds past items. In about a
    /// fifth of these events, an owner types the title of an earlier purchase. About half of these events are within
    /// 300 ms of another event.
    fileprivate mutating func addPastItems() {
        guard seed % 2 == 1, let last = events.last?.at else { return }
        var draw = PlanDraw(seed: seed, stream: (0x94D0_49BB_1331_11EB, 7))
        for _ in 0..<2 + draw.number(3) {
            let time =
                draw.number(2) == 0
                ? 1_500 + draw.number(last - 1_000) : max(1_500, draw.pick(events).at - 300 + draw.number(600))
            let isTyped = draw.number(5) == 0
            insert(
                isTyped
                    ? .retype(phone: draw.number(2), item: draw.number(20))
                    : .addPast(watch: draw.number(4), row: draw.number(6), count: 1 + draw.number(4) / 2), at: time)
        }
    }

    /// For one seed of seven, adds one to four files that owners send.
    fileprivate mutating func addFiles() {
        guard seed % 7 == 3, let last = events.last?.at else { return }
        var draw = PlanDraw(seed: seed, stream: (0xBF58_476D_1CE4_E5B9, 5))
        for _ in 0..<1 + draw.number(4) {
            let length = draw.pick([4, 300, 2_000, 2_000, 6_000, 10_000, 10_001])
            let time = 1_500 + draw.number(last - 1_000)
            insert(.sendFile(watch: draw.number(4), bytes: length), at: time)
        }
    }
}
