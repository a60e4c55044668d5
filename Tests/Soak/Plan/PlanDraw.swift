import WatchLink

extension Plan {
    /// The plan that a seed draws: who is there, what they do, and which faults there are at which rates.
    package init(seed: UInt64) {
        var draw = PlanDraw(seed: seed)
        self = draw.plan(seed: seed, faults: nil)
        addFiles()
        addPastItems()
    }

    /// A plan of a seed in which nothing but these faults happens.
    init(seed: UInt64, faults: [FaultKind]) {
        var draw = PlanDraw(seed: seed)
        self = draw.plan(seed: seed, faults: faults)
        addFiles()
        addPastItems()
    }

    /// In each second seed, has wearers add past items as well, often right before or after something else.
    private mutating func addPastItems() {
        guard seed % 2 == 1, let last = events.last?.at else { return }
        // From numbers of its own, as the files.
        var random = SplitMix64(seed: seed &* 0x94D0_49BB_1331_11EB &+ 7)
        func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
        for _ in 0..<2 + number(3) {
            let time =
                number(2) == 0
                ? 1_500 + number(last - 1_000) : max(1_500, events[number(events.count)].at - 300 + number(600))
            let what: Happening =
                number(5) == 0
                ? .retype(phone: number(2), item: number(20))
                : .addPast(watch: number(4), row: number(6), count: 1 + number(4) / 2)
            let index = events.firstIndex { $0.at > time } ?? events.endIndex
            events.insert(PlannedEvent(at: time, what: what), at: index)
        }
    }

    /// In one seed of seven, has an owner send one to four files as well.
    private mutating func addFiles() {
        guard seed % 7 == 3, let last = events.last?.at else { return }
        // From numbers of its own, so that the other plans are what they were without files.
        var random = SplitMix64(seed: seed &* 0xBF58_476D_1CE4_E5B9 &+ 5)
        func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
        for _ in 0..<1 + number(4) {
            let length = [4, 300, 2_000, 2_000, 6_000, 10_000, 10_001][number(7)]
            let time = 1_500 + number(last - 1_000)
            let index = events.firstIndex { $0.at > time } ?? events.endIndex
            events.insert(PlannedEvent(at: time, what: .sendFile(watch: number(4), bytes: length)), at: index)
        }
    }
}

/// Draws a plan from a seed.
struct PlanDraw {
    private var random: SplitMix64
    private var watches = 1
    private var phones = 1

    init(seed: UInt64) {
        // Far from the seeds' own neighbours, which are drawn from too.
        random = SplitMix64(seed: seed &* 0xD134_2543_DE82_EF95 &+ 1)
    }

    mutating func plan(seed: UInt64, faults kinds: [FaultKind]?) -> Plan {
        watches = [1, 1, 1, 1, 1, 2, 2, 2, 3, 4][number(10)]
        let faults = kinds.map { $0.map { Rate(kind: $0, weight: 1) } } ?? drawFaults()
        phones = faults.contains { $0.kind == .anotherPhone } || number(20) == 0 ? 2 : 1
        let items = (0..<phones).map { _ in [3, 4, 5, 6, 8, 10, 12, 2, 1, 130][number(number(8) == 0 ? 10 : 8)] }
        var events: [PlannedEvent] = []
        var time = 1_500
        for _ in 0..<10 + number(17) {
            time += pause()
            let what = faults.isEmpty || number(100) >= 35 ? deed() : fault(faults)
            events.append(PlannedEvent(at: time, what: what))
        }
        let numbers: Plan.Numbers = faults.contains { $0.kind == .largeSequence } ? .large : .usual
        let isSlow = kinds.map { $0.contains(.slowFlash) } ?? (number(8) == 0)
        let flash: Plan.Flash = isSlow ? .maximum : .typical
        return Plan(seed: seed, watches: watches, items: items, numbers: numbers, flash: flash, events: events)
    }

    /// A kind of fault, and how often it comes among the faults of a plan.
    private struct Rate {
        var kind: FaultKind
        var weight: Int
    }

    /// None in one seed of eight, otherwise one to four kinds. How long the flash takes is drawn by itself.
    private mutating func drawFaults() -> [Rate] {
        guard number(8) > 0 else { return [] }
        let kinds = FaultKind.drawn
        return (0..<1 + number(4)).map { _ in Rate(kind: kinds[number(kinds.count)], weight: 1 + number(5)) }
    }

    private mutating func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    /// The pause between two events: often that of a person who goes down a list.
    private mutating func pause() -> Int {
        switch number(10) {
        case 0...4: 300 + number(900)
        case 5, 6: 60 + number(240)
        case 7, 8: 1_500 + number(6_000)
        case _: 8_000 + number(60_000)
        }
    }

    private mutating func watch() -> Int { number(watches) }
    private mutating func phone() -> Int { number(phones) }

    /// Something that a person does.
    private mutating func deed() -> Happening {
        switch number(100) {
        case 0..<44: .tap(watch: watch(), row: number(6))
        case 44..<49: .doubleTap(watch: watch(), row: number(6))
        case 49..<53: .flurry(watch: watch(), row: number(6), count: 2 + number(5), pause: 30 + number(300))
        case 53..<56: .tapAndTurn(watch: watch(), row: number(6), detents: Int8(number(9) - 4), pause: number(300))
        case 56..<59: .turn(watch: watch(), detents: Int8(number(9) - 4))
        case 59..<60: .pressCrown(watch: watch())
        case 60..<61: .pressSide(watch: watch())
        case 61..<67: .leave(watch: watch(), milliseconds: 500 + number(40_000))
        case _: ownersDeed()
        }
    }

    /// Something that an owner does.
    private mutating func ownersDeed() -> Happening {
        switch number(33) {
        case 0..<7: .add(phone: phone(), count: 1 + number(3))
        case 7..<11: .remove(phone: phone(), item: number(20))
        case 11..<15: .check(phone: phone(), item: number(20))
        case 15..<21: .uncheck(phone: phone(), item: number(20))
        case 21..<24: .undo(phone: phone())
        case 24..<27: .tapAndUndo(watch: watch(), row: number(6), pause: 20 + number(400))
        case 27..<29: .importList(phone: phone(), count: 2 + number(8))
        case 29..<30: .forget(phone: phone(), watch: number(4))
        case _: .switchList(phone: phone(), list: number(2))
        }
    }

    private mutating func fault(_ rates: [Rate]) -> Happening {
        var place = number(rates.reduce(0) { $0 + $1.weight })
        for rate in rates {
            if place < rate.weight { return fault(rate.kind) }
            place -= rate.weight
        }
        return fault(rates[0].kind)
    }

    private mutating func outage() -> Int { number(3) == 0 ? 2_000 + number(20_000) : 50 + number(1_500) }

    private mutating func fault(_ kind: FaultKind) -> Happening {
        switch kind {
        case .anotherPhone: .serve(phone: phone())
        case .noise:
            .noise(
                watch: watch(), percent: [5, 20, 50, 80, 100][number(5)], jitter: number(200),
                milliseconds: 500 + number(10_000))
        case .cut: .cut(watch: watch())
        case .halfOpen: .deafen(watch: watch(), direction: [.phone, .watch, .both][number(3)])
        case .powerCut:
            .losePower(
                watch: watch(), afterOperations: number(4) == 0 ? nil : number(8), milliseconds: outage())
        case .powerCutTwice:
            .losePowerTwice(
                watch: watch(), afterOperations: number(8), again: [0, 0, 0, 1, 1, 2, 3, 5][number(8)],
                milliseconds: outage())
        case .flashFailure:
            .failFlash(
                watch: watch(), afterOperations: number(6), error: number(2) == 0 ? .verifyFailed : .notResponding)
        case .wornFlash: .wearOutFlash(watch: watch())
        case .watchClockJump:
            .setWatchClock(watch: watch(), seconds: (number(2) == 0 ? 1 : -1) * (60 + number(400_000)))
        case .bitRot: .rotFlash(watch: watch())
        case .flashRollback: number(2) == 0 ? .saveFlash(watch: watch()) : .restoreFlash(watch: watch())
        case .clone: .cloneFlash(watch: watch(), to: watch())
        case .kill: .killHost(afterWrites: number(4) == 0 ? nil : number(30), milliseconds: outage())
        case .phonePowerLoss: .losePhonePower(afterWrites: number(4) == 0 ? nil : number(30), milliseconds: outage())
        case .restart: .restartHost(milliseconds: outage())
        case .diskFailure: .failDisk(afterWrites: number(20), count: 1 + number(12), full: .failing)
        case .diskFull: .failDisk(afterWrites: number(20), count: 1 + number(12), full: .full)
        case .databaseRollback:
            number(4).isMultiple(of: 2)
                ? .saveDatabase(phone: phone()) : .restoreDatabase(phone: phone(), milliseconds: outage())
        case .clockJump: .setClock(phone: phone(), seconds: (number(2) == 0 ? 1 : -1) * (60 + number(400_000)))
        case .largeSequence, .slowFlash: deed()
        }
    }
}
