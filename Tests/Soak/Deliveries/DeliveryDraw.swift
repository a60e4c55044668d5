import WatchLink

extension DeliveryPlan {
    /// The plan that a seed draws.
    package init(seed: UInt64) {
        var draw = DeliveryDraw(seed: seed)
        self.init(seed: seed, deliveries: draw.events())
    }
}

/// Draws a plan of deliveries from a seed.
struct DeliveryDraw {
    private var random: SplitMix64
    /// The kinds of trouble of this plan.
    private var troubles: [Trouble] = []

    /// A kind of trouble, drawn for a whole plan, so that some plans have much of one.
    private enum Trouble: CaseIterable {
        case cut, halfOpen, deaf, away, slow, kill, power, restart, disk, files, day
    }

    init(seed: UInt64) {
        random = SplitMix64(seed: seed &* 0xA076_1D64_78BD_642F &+ 3)
    }

    mutating func events() -> [DeliveryPlan.Event] {
        if number(8) > 0 {
            troubles = (0..<1 + number(3)).map { _ in Trouble.allCases[number(Trouble.allCases.count)] }
        }
        var events: [DeliveryPlan.Event] = []
        var time = 300
        for _ in 0..<8 + number(7) {
            time += pause()
            let what = troubles.isEmpty || number(100) >= 40 ? deed() : trouble()
            events.append(DeliveryPlan.Event(at: time, what: what))
            guard case .send = what, !troubles.isEmpty, number(2) == 0 else { continue }
            // While a file is on its way there is more to go wrong than later.
            time += number(60)
            events.append(DeliveryPlan.Event(at: time, what: trouble()))
        }
        return events
    }

    private mutating func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    private mutating func end() -> WormholeEnd { number(2) == 0 ? .phone : .watch }

    private mutating func pause() -> Int {
        switch number(10) {
        case 0...4: number(40)
        case 5...7: 50 + number(500)
        case _: 500 + number(4_000)
        }
    }

    private mutating func outage() -> Int { number(4) == 0 ? 1_000 + number(5_000) : 20 + number(500) }

    private mutating func deed() -> DeliveryHappening {
        switch number(100) {
        case 0..<22: .queue(end: end(), count: 1 + number(4))
        case 22..<32: .complicate(end: end(), count: 1 + number(3))
        case 32..<35: .withdraw(end: end())
        case 35..<52: .change(end: end(), name: number(3) == 0 ? .shared : .own, count: 1 + number(3))
        case 52..<57: .clear(end: end(), name: number(3) == 0 ? .shared : .own)
        case 57..<61: .notify(end: end())
        case 61..<80: question()
        case 80..<95: .send(end: end(), bytes: [0, 1, 400, 2_000, 6_000, 6_000, 20_000][number(7)])
        case 95..<98: .cancelSending(end: end())
        case _: .cancelReceiving(end: end())
        }
    }

    private mutating func question() -> DeliveryHappening {
        let name: DeliveryHappening.QuestionName = [.echo, .echo, .echo, .echo, .fails, .nobody][number(6)]
        return .ask(
            end: end(), count: 1 + number(3), name: name, answer: number(2) == 0 ? 0 : number(1_500),
            limit: 100 + number(2_000), reach: number(3) == 0 ? number(3_000) : 0)
    }

    private mutating func trouble() -> DeliveryHappening {
        switch troubles[number(troubles.count)] {
        case .cut: .cut
        case .halfOpen: .abandon(end: end())
        case .deaf: .deafen(end: end())
        case .away: .part(milliseconds: outage())
        case .slow: .delay(milliseconds: [5, 40, 200, 700][number(4)])
        case .kill: kill(.nothing)
        case .power: kill(.power)
        case .restart: .restart(end: end(), milliseconds: outage())
        case .disk:
            .failDisk(
                end: end(), afterWrites: number(8), count: 1 + number(3), full: number(2) == 0 ? .failing : .full)
        case .files: .fillFiles(end: end(), afterCalls: number(4), count: 1 + number(2))
        case .day: .setDay(days: [1, 1, 1, 2, -1][number(5)])
        }
    }

    private mutating func kill(_ loss: DeliveryHappening.Loss) -> DeliveryHappening {
        switch number(4) {
        case 0: .kill(end: end(), afterWrites: nil, milliseconds: outage(), loss: loss)
        case 1: .killAtFile(end: end(), afterCalls: number(30), milliseconds: outage(), loss: loss)
        case _: .kill(end: end(), afterWrites: number(16), milliseconds: outage(), loss: loss)
        }
    }
}
