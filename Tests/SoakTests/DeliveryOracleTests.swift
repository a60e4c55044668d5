import Testing
import WatchLink
import Wormhole

@testable import soak

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
}
