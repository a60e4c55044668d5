import WatchLink
import Wormhole

/// Looking at both ends.
extension DeliveryWorld {
    /// How long the two ends may take to come to rest once the faults are over.
    private static let patience = Microseconds.seconds(90)

    private static let valuesDiffer = "the values of the two ends differ"

    /// What is still under way, in words; nil for nothing.
    private var work: String? {
        if let text = work(of: .phone) ?? work(of: .watch) { return text }
        // Of a link on which nothing arrives the ends learn in their own time.
        guard !wires.isEmpty, wires.allSatisfy({ $0.isUp && $0.isClear }) else { return "the link is not up" }
        return values(of: .phone) == values(of: .watch) ? nil : DeliveryWorld.valuesDiffer
    }

    private func work(of end: WormholeEnd) -> String? {
        guard let program = side(end).run?.program else { return "the \(end)'s program does not run" }
        let text: String?? = pump.result {
            guard let peer = try? await program.peer, let outstanding = try? await program.wormhole.outstanding(),
                let files = try? await program.wormhole.filesUnderWay()
            else { return "its store fails" }
            if !outstanding.isEmpty { return "messages wait" }
            if await !program.wormhole.reachability(of: peer).isReachable { return "the other end is not reachable" }
            if !files.isEmpty { return "files are on their way" }
            await program.takeKept()
            return nil
        }
        return (text ?? "it waits for something").map { "the \(end): \($0)" }
    }

    /// Whether a part of a file is seen.
    func judgeVisible() {
        guard violation == nil, !intents.files.isEmpty else { return }
        for end in WormholeEnd.allCases {
            if let violation = DeliveryOracle.partial(side(end).folder.visible, at: end, of: intents) {
                return fail(violation)
            }
        }
    }

    /// Ends every fault, waits until nothing is on its way, and judges.
    func conclude() {
        guard violation == nil else { return }
        heal()
        let end = now + DeliveryWorld.patience
        var isStarted = false
        while violation == nil {
            run(for: .milliseconds(250))
            // A program that starts again after the faults were over begins without any.
            guard let work else {
                if isStarted { break }
                isStarted = true
                probe()
                continue
            }
            guard now < end else {
                let promise: Promise = work == DeliveryWorld.valuesDiffer ? .newestWins : .converges
                return fail(Violation(promise: promise, what: "nothing goes wrong any more, and \(work)"))
            }
        }
        // Whoever asked last has had an answer by then.
        run(for: .milliseconds(2_600))
        guard violation == nil else { return }
        if let violation = DeliveryOracle(intents: intents, facts: facts.entries).judge(evidence()) {
            return fail(violation)
        }
        judgeProbes()
        countDelivered()
    }

    /// With nothing wrong any more, a question gets its reply, and a notification is heard.
    private func probe() {
        for end in WormholeEnd.allCases {
            ask(end, .echo, answer: 0, limit: 2_000, reach: 0)
            notify(end)
        }
        probed = facts.entries.count
    }

    private func judgeProbes() {
        let probes = intents.questions.suffix(2)
        let entries = facts.entries
        for probe in probes {
            let isReplied = entries.contains {
                if case .replied(probe.number, _) = $0.fact { true } else { false }
            }
            guard !isReplied else { continue }
            fail(Violation(promise: .ownReply, what: "nothing is wrong, and the \(probe.from) gets no reply"))
        }
        for end in WormholeEnd.allCases {
            let isHeard = entries[probed...].contains { entry in
                guard entry.end == end, case .notified = entry.fact else { return false }
                return true
            }
            guard !isHeard else { continue }
            fail(Violation(promise: .newestWins, what: "nothing is wrong, and the \(end) hears no notification"))
        }
    }

    private func evidence() -> DeliveryOracle.Evidence {
        var evidence = DeliveryOracle.Evidence()
        for end in WormholeEnd.allCases {
            evidence.visible[end] = side(end).folder.visible
            guard let program = side(end).run?.program else { continue }
            evidence.values[end] = values(of: end)
            let messages = intents.messages.filter { $0.from == end }
            let fates: [Int: MessageFate]? = pump.result {
                var fates: [Int: MessageFate] = [:]
                for message in messages {
                    guard let stored = message.stored else { continue }
                    fates[message.number] = try? await program.wormhole.fate(of: stored)
                }
                return fates
            }
            evidence.fates.merge(fates ?? [:]) { first, _ in first }
        }
        return evidence
    }

    /// The values of all names on an end.
    private func values(of end: WormholeEnd) -> [String: Int] {
        guard let program = side(end).run?.program else { return [:] }
        let values: [String: Int]? = pump.result {
            var values: [String: Int] = [:]
            for name in (try? await program.store.namesWithValue()) ?? [] {
                // What is no number is a value that nobody has passed.
                let value = try? await program.wormhole.value(of: Int.self, under: name)
                values[name.text] = (value ?? nil) ?? -1
            }
            return values
        }
        return values ?? [:]
    }

    private func countDelivered() {
        for entry in facts.entries {
            switch entry.fact {
            case .kept(_, _, .complication): delivered["complication", default: 0] += 1
            case .kept: delivered["queued", default: 0] += 1
            case .heard: delivered["latest", default: 0] += 1
            case .notified: delivered["notification", default: 0] += 1
            case .replied: delivered["reply", default: 0] += 1
            case .unanswered: delivered["no reply", default: 0] += 1
            case .ended(_, .applied): delivered["file", default: 0] += 1
            case .ended: delivered["file ended", default: 0] += 1
            case .questioned, .received: break
            }
        }
    }
}
