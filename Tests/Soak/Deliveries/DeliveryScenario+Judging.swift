import WatchLink
import Wormhole

extension DeliveryScenario {
    /// The maximum time from the end of the faults until both ends have no unfinished work.
    private static let patience = Microseconds.seconds(90)

    private static let valuesDiffer = "the values of the two ends differ"

    /// A description of unfinished work; nil if there is none.
    private var work: String? {
        if let text = work(of: .phone) ?? work(of: .watch) { return text }
        // The ends need time to notice a link on which nothing arrives.
        guard !wires.isEmpty, wires.allSatisfy({ $0.isUp && $0.isClear }) else { return "the link is not up" }
        return values(of: .phone) == values(of: .watch) ? nil : DeliveryScenario.valuesDiffer
    }

    private func work(of end: LinkEnd) -> String? {
        guard let program = side(end).program else { return "the \(end)'s program does not run" }
        let peer = program.peer
        let state = program.endpoint.call { machine throws(WormholeError) -> String? in
            if try !machine.outstanding().isEmpty { return "messages wait" }
            if !machine.reachability(of: peer).isReachable { return "the other end is not reachable" }
            return try machine.filesUnderWay().isEmpty ? nil : "files are on their way"
        }
        switch state {
        case .failure: return "the \(end): its store fails"
        case .success(let text?): return "the \(end): \(text)"
        case .success(nil):
            program.takeInbox()
            return nil
        }
    }

    func judgeVisible() {
        guard violation == nil, !intents.files.isEmpty else { return }
        for end in LinkEnd.allCases {
            if let violation = DeliveryOracle.partial(side(end).folder.visible, at: end, of: intents) {
                return fail(violation)
            }
        }
    }

    func conclude() {
        heal()
        let end = now + DeliveryScenario.patience
        var isStarted = false
        while violation == nil {
            run(for: .milliseconds(250))
            // A program that starts after `heal()` has no faults.
            guard let work else {
                if isStarted { break }
                isStarted = true
                probe()
                continue
            }
            guard now < end else {
                let promise: Promise = work == DeliveryScenario.valuesDiffer ? .newestWins : .converges
                return fail(promise, "nothing goes wrong any more, and \(work)")
            }
        }
        // By then, every question has a reply or an error.
        run(for: .milliseconds(2_600))
        guard violation == nil else { return }
        fail(DeliveryOracle(intents: intents, facts: facts.entries).judge(evidence()))
        judgeProbes()
        countDelivered()
    }

    /// Asks a question and posts a notification at each end. Both must succeed, because the faults are over.
    private func probe() {
        for end in LinkEnd.allCases {
            ask(end, .echo, answer: 0, limit: 2_000, reach: 0)
            notify(end)
        }
        factsBeforeProbes = facts.entries.count
    }

    private func judgeProbes() {
        let probes = intents.questions.suffix(2)
        let entries = facts.entries
        for probe in probes {
            let isReplied = entries.contains {
                if case .replied(probe.number, _) = $0.fact { true } else { false }
            }
            guard !isReplied else { continue }
            fail(.ownReply, "nothing is wrong, and the \(probe.from) gets no reply")
        }
        for end in LinkEnd.allCases {
            let isHeard = entries[factsBeforeProbes...].contains { entry in
                guard entry.end == end, case .notified = entry.fact else { return false }
                return true
            }
            guard !isHeard else { continue }
            fail(.newestWins, "nothing is wrong, and the \(end) hears no notification")
        }
    }

    private func evidence() -> DeliveryOracle.Evidence {
        var evidence = DeliveryOracle.Evidence()
        for end in LinkEnd.allCases {
            evidence.visible[end] = side(end).folder.visible
            guard let program = side(end).program else { continue }
            evidence.values[end] = values(of: end)
            let messages = intents.messages.filter { $0.from == end }
            for message in messages {
                guard let stored = message.stored else { continue }
                let fate = program.endpoint.call { machine throws(WormholeError) in try machine.fate(of: stored) }
                if case .success(let fate) = fate { evidence.fates[message.number] = fate }
            }
        }
        return evidence
    }

    private func values(of end: LinkEnd) -> [String: Int] { side(end).program?.values ?? [:] }

    private func countDelivered() {
        for entry in facts.entries {
            switch entry.fact {
            case .received(_, _, .complication): simulation.achieved("complication")
            case .received: simulation.achieved("queued")
            case .heard: simulation.achieved("latest")
            case .notified: simulation.achieved("notification")
            case .replied: simulation.achieved("reply")
            case .unanswered: simulation.achieved("no reply")
            case .ended(_, .applied): simulation.achieved("file")
            case .ended: simulation.achieved("file ended")
            case .questioned: break
            }
        }
    }
}
