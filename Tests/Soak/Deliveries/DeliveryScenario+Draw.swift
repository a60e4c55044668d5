extension DeliveryScenario {
    static let faults: [Fault] = [
        .cut, .halfOpen, .deaf, .away, .slow, .kill, .powerLoss, .restart, .diskFailure, .diskFull, .filesFull,
        .clockJump,
    ]

    /// The faults that a plan can draw. `.diskFailure` also draws full disks, so `.diskFull` is not among them.
    private static let drawn = faults.filter { $0 != .diskFull }

    private static let rhythm = PlanDraw.Rhythm(
        events: 8..<15, faultShare: 40,
        pauses: [Range](repeating: 0..<40, count: 5) + [Range](repeating: 50..<550, count: 3)
            + [Range](repeating: 500..<4_500, count: 2))

    static func plan(_ seed: UInt64, faults given: [Fault]?) -> Plan<DeliveryScenario> {
        var draw = PlanDraw(seed: seed, stream: (0xA076_1D64_78BD_642F, 3))
        let faults = given ?? draw.faults(drawn, most: 3)
        let events = draw.events(
            of: DeliveryScenario.self, rhythm, from: 300, faults, deed: deed, fault: fault,
            sequel: { event, draw in
                // More can go wrong while a file is in transit, so a fault often follows at once.
                guard case .send = event, !faults.isEmpty, draw.number(2) == 0 else { return nil }
                return (draw.number(60), fault(draw.pick(faults), &draw))
            })
        return Plan(seed: seed, cast: DeliveryCast(), events)
    }

    private static func end(_ draw: inout PlanDraw) -> LinkEnd { draw.number(2) == 0 ? .phone : .watch }

    private static func outage(_ draw: inout PlanDraw) -> Int {
        draw.number(4) == 0 ? 1_000 + draw.number(5_000) : 20 + draw.number(500)
    }

    private static func deed(_ draw: inout PlanDraw) -> DeliveryEvent {
        func end() -> LinkEnd { self.end(&draw) }
        func number(_ limit: Int) -> Int { draw.number(limit) }
        switch number(100) {
        case 0..<22: return .queue(end: end(), count: 1 + number(4))
        case 22..<32: return .complicate(end: end(), count: 1 + number(3))
        case 32..<35: return .withdraw(end: end())
        case 35..<52: return .change(end: end(), name: number(3) == 0 ? .shared : .own, count: 1 + number(3))
        case 52..<57: return .clear(end: end(), name: number(3) == 0 ? .shared : .own)
        case 57..<61: return .notify(end: end())
        case 61..<80:
            let name: DeliveryEvent.QuestionName = draw.pick([.echo, .echo, .echo, .echo, .fails, .nobody])
            return .ask(
                end: end(), count: 1 + number(3), name: name, answer: number(2) == 0 ? 0 : number(1_500),
                limit: 100 + number(2_000), reach: number(3) == 0 ? number(3_000) : 0)
        case 80..<95: return .send(end: end(), bytes: draw.pick([0, 1, 400, 2_000, 6_000, 6_000, 20_000]))
        case 95..<98: return .cancelSending(end: end())
        case _: return .cancelReceiving(end: end())
        }
    }

    private static func fault(_ kind: Fault, _ draw: inout PlanDraw) -> DeliveryEvent {
        func end() -> LinkEnd { self.end(&draw) }
        func number(_ limit: Int) -> Int { draw.number(limit) }
        switch kind {
        case .cut: return .cut
        case .halfOpen: return .abandon(end: end())
        case .deaf: return .deafen(end: end())
        case .away: return .part(milliseconds: outage(&draw))
        case .slow: return .delay(milliseconds: draw.pick([5, 40, 200, 700]))
        case .kill: return kill(.nothing, &draw)
        case .powerLoss: return kill(.power, &draw)
        case .restart: return .computer(end: end(), fault: .restart(milliseconds: outage(&draw)))
        case .diskFailure, .diskFull:
            let (end, writes, count) = (end(), number(8), 1 + number(3))
            return .computer(
                end: end, fault: .failDisk(number(2) == 0 ? .failing : .full, afterWrites: writes, count: count))
        case .filesFull: return .fillFiles(end: end(), afterCalls: number(4), count: 1 + number(2))
        case .clockJump: return .setDay(days: draw.pick([1, 1, 1, 2, -1]))
        case _: preconditionFailure("\(kind) is no fault of deliveries")
        }
    }

    private static func kill(_ loss: Loss, _ draw: inout PlanDraw) -> DeliveryEvent {
        let choice = draw.number(4)
        let end = end(&draw)
        let point: KillPoint =
            switch choice {
            case 0: .now
            case 1: .fileCall(after: draw.number(30))
            case _: .write(after: draw.number(16))
            }
        return .computer(end: end, fault: .kill(at: point, milliseconds: outage(&draw), losing: loss))
    }
}
