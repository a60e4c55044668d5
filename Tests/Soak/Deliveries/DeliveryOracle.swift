import WatchLink
import Wormhole

/// Compares what happened with what the programs meant to do, and finds broken promises.
struct DeliveryOracle {
    /// The final state of both ends, when nothing is in transit.
    struct Evidence {
        var values: [LinkEnd: [String: Int]] = [:]
        var fates: [Int: MessageFate] = [:]
        var visible: [LinkEnd: [FileFolder.Visible]] = [:]
    }

    let intents: Intents
    let facts: [DeliveryFacts.Entry]

    func judge(_ evidence: Evidence) -> Violation? {
        judgeQueues(evidence) ?? judgeBudget() ?? judgeValues(evidence) ?? judgeNotifications(evidence)
            ?? judgeQuestions() ?? judgeFiles(evidence)
    }

    private func seen(by end: LinkEnd) -> [DeliveryFacts.Fact] { facts.filter { $0.end == end }.map(\.fact) }

    // MARK: Queued messages

    private func judgeQueues(_ evidence: Evidence) -> Violation? {
        for sender in LinkEnd.allCases {
            let messages = intents.messages.filter { $0.from == sender }
            if let violation = judgeArrivals(of: messages, at: sender.other) { return violation }
            for message in messages where message.certainty == .taken {
                switch evidence.fates[message.number] {
                case .applied, nil: continue
                case let fate?:
                    return Violation(.queuedOnce, "message \(message.number) has arrived, and its fate is \(fate)")
                }
            }
        }
        return nil
    }

    private func judgeArrivals(of messages: [Intents.Message], at end: LinkEnd) -> Violation? {
        var places: [UInt64: Int] = [:]
        for case .received(let inbox, let number, _) in seen(by: end) {
            // A program that is killed while it takes a message finds it again, in the same place of the inbox.
            if let before = places[inbox], before != number {
                return Violation(.queuedOnce, "place \(inbox) has message \(before), and then \(number)")
            }
            places[inbox] = number
        }
        let arrived = places.sorted { $0.key < $1.key }.map(\.value)
        for (earlier, later) in zip(arrived, arrived.dropFirst()) where earlier >= later {
            return Violation(
                .queuedOnce,
                earlier == later || arrived.firstIndex(of: later) != arrived.lastIndex(of: later)
                    ? "message \(later) has arrived twice at the \(end)"
                    : "message \(later) comes behind \(earlier) at the \(end)")
        }
        let meant = Set(messages.map(\.number))
        if let stranger = arrived.first(where: { !meant.contains($0) }) {
            return Violation(.queuedOnce, "no program has passed message \(stranger), which has arrived at the \(end)")
        }
        let present = Set(arrived)
        if let lost = messages.first(where: { $0.certainty == .taken && !present.contains($0.number) }) {
            return Violation(.queuedOnce, "message \(lost.number) has never arrived at the \(end)")
        }
        return nil
    }

    // MARK: Complication messages

    private func judgeBudget() -> Violation? {
        for sender in LinkEnd.allCases {
            let complications = intents.messages.filter { $0.from == sender && $0.complication != nil }
            let charged = Dictionary(grouping: complications.filter { $0.complication?.charge == .complication }) {
                $0.complication?.day ?? 0
            }
            if let (day, messages) = charged.first(where: { $0.value.count > EndProgram.complicationsADay }) {
                return Violation(.budgetHolds, "\(messages.count) messages of the \(sender) are charged to day \(day)")
            }
            var pushed: [UInt32: Set<Int>] = [:]
            for case .received(_, let number, .complication) in seen(by: sender.other) {
                guard let meant = complications.first(where: { $0.number == number })?.complication else {
                    return Violation(.budgetHolds, "message \(number) came as one of a complication")
                }
                if meant.charge == .nothing {
                    return Violation(.budgetHolds, "message \(number) was beyond the budget, and came within it")
                }
                pushed[meant.day, default: []].insert(number)
            }
            if let (day, messages) = pushed.first(where: { $0.value.count > EndProgram.complicationsADay }) {
                return Violation(.budgetHolds, "\(messages.count) messages of the \(sender) came of day \(day)")
            }
        }
        return nil
    }

    // MARK: Latest values

    private func judgeValues(_ evidence: Evidence) -> Violation? {
        for end in LinkEnd.allCases {
            var newest: [String: Int] = [:]
            for case .heard(let name, let number) in seen(by: end) {
                let isMeant = intents.values.contains { $0.name == name && $0.number == number && $0.from != end }
                guard isMeant else {
                    return Violation(.newestWins, "no program has passed the value \(number) of \(name)")
                }
                if let before = newest[name], before > number {
                    return Violation(.newestWins, "the \(end) hears \(number) of \(name) after the newer \(before)")
                }
                newest[name] = number
            }
        }
        let names = Set(intents.values.map(\.name)).sorted()
        for name in names {
            let (phone, watch) = (evidence.values[.phone]?[name], evidence.values[.watch]?[name])
            if phone != watch {
                return Violation(
                    .newestWins,
                    "\(name) is \(DeliveryOracle.words(phone)) on the phone and \(DeliveryOracle.words(watch)) on the watch"
                )
            }
            if !last(of: name).contains(phone) {
                return Violation(.newestWins, "\(name) is \(DeliveryOracle.words(phone)), which is not the newest")
            }
        }
        return nil
    }

    private static func words(_ value: Int?) -> String { value.map { "\($0)" } ?? "cleared" }

    /// Returns the values that a name may have when the plan is over. Each end contributes the last value that it
    /// certainly passed, and all values that it may have passed later. Nil stands for no value.
    private func last(of name: String) -> Set<Int?> {
        let values = intents.values.filter { $0.name == name }
        var last: Set<Int?> = values.contains { $0.certainty == .taken } ? [] : [nil]
        for end in LinkEnd.allCases {
            let own = values.filter { $0.from == end }
            let known = own.lastIndex { $0.certainty == .taken } ?? 0
            for value in own[known...] { last.insert(value.number) }
        }
        return last
    }

    // MARK: Notifications

    private func judgeNotifications(_ evidence: Evidence) -> Violation? {
        for end in LinkEnd.allCases {
            if evidence.values[end]?[EndProgram.Names.tick.text] != nil {
                return Violation(.newestWins, "something of a notification is kept on the \(end)")
            }
            let heard = seen(by: end).count { if case .notified = $0 { true } else { false } }
            let posted = intents.notifications[end.other] ?? 0
            if heard > posted {
                return Violation(.newestWins, "the \(end) hears \(heard) notifications of \(posted)")
            }
        }
        return nil
    }

    // MARK: Questions

    private func judgeQuestions() -> Violation? {
        var outcomes: [Int: [DeliveryFacts.Entry]] = [:]
        var asked: [Int: Int] = [:]
        for entry in facts {
            switch entry.fact {
            case .replied(let number, _), .unanswered(let number, _): outcomes[number, default: []].append(entry)
            case .questioned(let number): asked[number, default: 0] += 1
            case .received, .heard, .notified, .ended: break
            }
        }
        for question in intents.questions {
            let times = asked[question.number] ?? 0
            if times > 1 {
                return Violation(.ownReply, "question \(question.number) was asked \(times) times")
            }
            let all = outcomes[question.number] ?? []
            guard let outcome = all.first else {
                guard question.isAskerThere else { continue }
                return Violation(.ownReply, "nothing has come of question \(question.number)")
            }
            if all.count > 1 {
                return Violation(.ownReply, "question \(question.number) has \(all.count) outcomes")
            }
            if let wrong = wrong(outcome, of: question, asked: times) {
                return Violation(.ownReply, wrong)
            }
        }
        return nil
    }

    /// Returns why the outcome of a question is wrong, or nil if it is right.
    private func wrong(_ outcome: DeliveryFacts.Entry, of question: Intents.Question, asked: Int) -> String? {
        let name = "question \(question.number)"
        if !question.hasLink {
            guard case .unanswered(_, .unreachable) = outcome.fact, outcome.time == question.asked else {
                return "\(name) is not refused at once, and no peer is in reach"
            }
        }
        // A timer that is set for another deadline may wake the asker a little later.
        guard outcome.time <= question.deadline + .milliseconds(50) else { return "\(name) is answered too late" }
        switch outcome.fact {
        case .replied(let number, let value):
            guard question.name == .echo, asked == 1 else { return "\(name) has a reply that no program has given" }
            let own = EndProgram.Question.reply(to: number)
            return value == own ? nil : "\(name) has the reply \(value), and its own is \(own)"
        case .unanswered(_, .noAnswer(.noListener)) where question.name != .nobody:
            return "\(name) has a program to answer it"
        case .unanswered(_, .noAnswer(.failed)) where question.name != .fails: return "\(name) has not failed"
        case .unanswered(_, .noAnswer), .unanswered(_, .noReply), .unanswered(_, .unreachable),
            .unanswered(_, .closed), .unanswered(_, .tooManyOpen):
            return nil
        case .unanswered(_, let error): return "\(name) has come to this: \(error)"
        case .received, .heard, .notified, .questioned, .ended: return nil
        }
    }
}

final class DeliveryFacts {
    enum Fact {
        /// A program took a queued message. `inbox` is the message's place in the inbox, and `number` its payload.
        case received(inbox: UInt64, number: Int, delivery: Delivery)
        case heard(name: String, number: Int)
        case notified
        case questioned(Int)
        /// The values are the number of the question and the reply.
        case replied(Int, with: Int)
        case unanswered(Int, WormholeError)
        /// The transfer of a file ended. The first value is the number of the file.
        case ended(Int, MessageFate)
    }

    struct Entry {
        let end: LinkEnd
        let time: Instant
        let fact: Fact
    }

    var entries: [Entry] = []
}
