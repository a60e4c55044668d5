import Testing
import WatchLink
import Wormhole

@testable import Soak

/// What the oracle of deliveries excuses, and what it does not.
struct DeliveryOracleTests {
    private func entry(_ end: LinkEnd, _ fact: DeliveryFacts.Fact, at seconds: UInt32 = 1) -> DeliveryFacts.Entry {
        DeliveryFacts.Entry(end: end, time: .start + .seconds(seconds), fact: fact)
    }

    private func judge(
        _ intents: Intents, _ facts: [DeliveryFacts.Entry], _ evidence: DeliveryOracle.Evidence = .init()
    ) -> Promise? {
        DeliveryOracle(intents: intents, facts: facts).judge(evidence)?.promise
    }

    private func messages(_ certainties: Intents.Certainty...) -> Intents {
        var intents = Intents()
        for (index, certainty) in certainties.enumerated() {
            intents.means(Intents.Message(number: index + 1, from: .watch, certainty: certainty))
        }
        return intents
    }

    private func kept(_ numbers: Int...) -> [DeliveryFacts.Entry] {
        numbers.enumerated().map { entry(.phone, .kept(inbox: UInt64($0 + 1), number: $1, delivery: .queued)) }
    }

    @Test
    func `A message that was taken arrives once and in order; one that may have been, or was taken back, at most once`()
    {
        #expect(judge(messages(.taken, .taken), kept(1, 2)) == nil)
        #expect(judge(messages(.taken, .unknown, .withdrawn), kept(1)) == nil)
        #expect(judge(messages(.taken, .unknown, .withdrawn), kept(1, 2, 3)) == nil)
        #expect(judge(messages(.taken, .taken), kept(1)) == .queuedOnce)
        #expect(judge(messages(.taken, .taken), kept(2, 1)) == .queuedOnce)
        #expect(judge(messages(.taken), kept(1, 1)) == .queuedOnce)
        #expect(judge(messages(.taken), kept(1, 9)) == .queuedOnce)
        let twice = [1, 1].map { entry(.phone, .kept(inbox: $0, number: 1, delivery: .queued)) }
        #expect(judge(messages(.taken), twice) == nil, "one place of the inbox is read again after a kill")
        var evidence = DeliveryOracle.Evidence()
        evidence.fates = [1: .queued]
        #expect(judge(messages(.taken), kept(1), evidence) == .queuedOnce)
    }

    @Test func `Of a day no more complication messages come than its budget has, and none beyond it`() {
        func judge(_ charges: [MessageCharge?], _ arrived: [Delivery]) -> Promise? {
            var intents = Intents()
            for (index, charge) in charges.enumerated() {
                intents.means(
                    Intents.Message(
                        number: index + 1, from: .phone, certainty: .taken,
                        complication: Intents.Complication(day: 7, charge: charge)))
            }
            let facts = arrived.enumerated().map {
                entry(.watch, .kept(inbox: UInt64($0 + 1), number: $0 + 1, delivery: $1))
            }
            return self.judge(intents, facts)
        }
        let three = [MessageCharge?](repeating: .complication, count: 3)
        #expect(judge(three + [.nothing], [.complication, .queued, .complication, .queued]) == nil)
        #expect(judge(three + [.complication], [.queued, .queued, .queued, .queued]) == .budgetHolds)
        #expect(judge([.nothing], [.complication]) == .budgetHolds)
        let unknown = [MessageCharge?](repeating: nil, count: 4)
        #expect(judge(unknown, [.complication, .complication, .complication, .queued]) == nil)
        #expect(judge(unknown, [.complication, .complication, .complication, .complication]) == .budgetHolds)
    }

    @Test func `The newest value wins, or one that may have been passed after it, or none where nobody knows of one`() {
        func judge(_ passed: [(Int?, Intents.Certainty, LinkEnd)], _ value: Int?, _ other: Int??) -> Promise? {
            var intents = Intents()
            for (number, certainty, end) in passed {
                intents.means(Intents.Value(number: number, name: "n", from: end, certainty: certainty))
            }
            var evidence = DeliveryOracle.Evidence()
            evidence.values[.phone] = value.map { ["n": $0] } ?? [:]
            evidence.values[.watch] = (other ?? value).map { ["n": $0] } ?? [:]
            return self.judge(intents, [], evidence)
        }
        #expect(judge([(1, .taken, .phone), (2, .taken, .phone)], 2, nil) == nil)
        #expect(judge([(1, .taken, .phone), (2, .taken, .phone)], 1, nil) == .newestWins)
        #expect(judge([(1, .taken, .phone)], 1, .some(2)) == .newestWins)
        #expect(judge([(1, .taken, .phone), (nil, .taken, .phone)], nil, nil) == nil)
        #expect(judge([(1, .taken, .phone), (2, .unknown, .phone)], 1, nil) == nil)
        #expect(judge([(1, .taken, .phone), (2, .taken, .watch)], 1, nil) == nil, "the phone's may win")
        #expect(judge([(1, .taken, .phone), (2, .unknown, .watch)], nil, nil) == .newestWins)
        #expect(judge([(1, .unknown, .phone), (2, .unknown, .watch)], nil, nil) == nil)
        #expect(judge([(1, .unknown, .phone), (2, .unknown, .watch)], 1, nil) == nil)
    }

    @Test func `No listener hears an older value after a newer one, or one that nobody has passed`() {
        var intents = Intents()
        for number in 1...2 { intents.means(Intents.Value(number: number, name: "n", from: .phone, certainty: .taken)) }
        var evidence = DeliveryOracle.Evidence()
        for end in LinkEnd.allCases { evidence.values[end] = ["n": 2] }
        func judge(_ numbers: Int...) -> Promise? {
            self.judge(intents, numbers.map { entry(.watch, .heard(name: "n", number: $0)) }, evidence)
        }
        #expect(judge(1, 2) == nil && judge(2, 2) == nil && judge() == nil)
        #expect(judge(2, 1) == .newestWins && judge(3) == .newestWins)
    }

    @Test func `A question has one outcome, in time, and its own`() {
        func judge(_ facts: [DeliveryFacts.Entry], hasLink: Bool = true, gone: Bool = false) -> Promise? {
            var intents = Intents()
            intents.means(
                Intents.Question(
                    number: 1, from: .phone, name: .echo, asked: .start + .seconds(1), deadline: .start + .seconds(3),
                    hasLink: hasLink))
            if gone { intents.forgets(.phone) }
            return self.judge(intents, facts)
        }
        let (asked, own) = (entry(.watch, .questioned(1)), EndProgram.Question.reply(to: 1))
        #expect(judge([asked, entry(.phone, .replied(1, with: own))]) == nil)
        #expect(judge([asked, entry(.phone, .replied(1, with: own + 3))]) == .ownReply)
        #expect(judge([entry(.phone, .replied(1, with: own))]) == .ownReply, "nobody was asked")
        #expect(judge([asked, asked, entry(.phone, .replied(1, with: own))]) == .ownReply)
        #expect(judge([asked, entry(.phone, .replied(1, with: own), at: 4)]) == .ownReply)
        #expect(judge([]) == .ownReply && judge([], gone: true) == nil)
        #expect(judge([entry(.phone, .unanswered(1, .noReply), at: 3)]) == nil)
        #expect(judge([entry(.phone, .unanswered(1, .noAnswer(.nobody)))]) == .ownReply)
        #expect(judge([entry(.phone, .unanswered(1, .unreachable("")))], hasLink: false) == nil)
        #expect(judge([entry(.phone, .unanswered(1, .unreachable("")), at: 2)], hasLink: false) == .ownReply)
    }

    @Test func `A file is seen whole and once, or its sender is told why for a reason that there is`() {
        func judge(
            _ fate: MessageFate?, _ visible: [[UInt8]], excuses: Set<Intents.FileExcuse> = []
        ) -> Promise? {
            var intents = Intents()
            intents.means(Intents.File(number: 5, from: .watch, bytes: [1, 2, 3], certainty: .taken, excuses: excuses))
            var evidence = DeliveryOracle.Evidence()
            evidence.visible[.phone] = visible.enumerated().map {
                FileFolder.Visible(name: $0 == 0 ? "f5.bin" : "f5-\($0 + 1).bin", bytes: $1)
            }
            return self.judge(intents, fate.map { [entry(.watch, .ended(5, $0))] } ?? [], evidence)
        }
        #expect(judge(.applied, [[1, 2, 3]]) == nil)
        #expect(judge(.applied, []) == .fileIsWhole)
        #expect(judge(.applied, [[1, 2]]) == .fileIsWhole)
        #expect(judge(.applied, [[1, 2, 3], [1, 2, 3]]) == .fileIsWhole)
        #expect(judge(nil, [[1, 2, 3]]) == nil && judge(nil, []) == .fileIsWhole)
        let refused = MessageFate.failed(.fileRefused(.noRoom))
        #expect(judge(refused, []) == .fileIsWhole && judge(refused, [], excuses: [.noRoom]) == nil)
        #expect(judge(.failed(.fileRefused(.wrongHash)), [], excuses: [.noRoom]) == .fileIsWhole)
    }
}
