import ListFeed
import Testing
import Watch
import WatchLink

@testable import DeviceModel

/// Rules of PROTOCOL.md that a simulated phone obeys, held by a watch that sends what it likes.
struct WatchRuleTests {
    /// A watch's session with a phone over datagrams, and what it heard.
    private final class StrangeWatch {
        let phone: SimulatedPhone
        private(set) var hello: Hello?
        private(set) var changes: [ListChange] = []
        private(set) var queued: UInt32 = 0
        private(set) var acknowledgements: [Acknowledgement] = []

        init(_ phone: SimulatedPhone) {
            self.phone = phone
            phone.connected(at: .start, maximumSDU: 512)
            let hello = Hello(role: .watch, identity: 5, epoch: 9, limits: LinkLimits(largestSDU: 512))
            send { (writer) throws(CBORError) in try ControlFrame.hello(hello).encode(into: &writer) }
        }

        /// Sends a frame and takes all that the phone has to send for it.
        func send(_ write: (inout CBORWriter) throws(CBORError) -> Void) {
            do throws(CBORError) {
                phone.receive(try [UInt8](capacity: 512, writing: write), at: .start)
            } catch {
                Issue.record("not written: \(error)")
            }
            takeAll()
        }

        /// Takes all that the phone has to send.
        func takeAll() {
            while case .send(let datagram) = phone.next(at: .start) { take(datagram) }
        }

        func check(_ item: UInt32, sequence: UInt32) {
            send { (writer) throws(CBORError) in
                try CheckMessage(item: item, localTime: nil, tap: nil).encodeFrame(sequence: sequence, into: &writer)
            }
        }

        private func take(_ datagram: [UInt8]) {
            switch try? ControlFrame(datagram.span) {
            case .hello(let hello): self.hello = hello
            case .acknowledgement(let acknowledgement): acknowledgements.append(acknowledgement)
            case .goodbye, .ping, .pong: break
            case nil:
                guard let header = try? MessageHeader(datagram.span), header.delivery == .queued else { return }
                queued = header.sequence
                guard let body = try? MessageBody(datagram.span, header: header),
                    var list = try? ListMessageReader(body.reader)
                else { return }
                while let change = list.next() { changes.append(change) }
            }
        }

        /// Why the last message was rejected, or nil where it was applied.
        var lastRejection: RejectionReason? {
            acknowledgements.last.flatMap { $0.rejected.reason(of: $0.queued) }
        }
    }

    @Test func `a phone numbers its list before its hello, and sends it unasked, beginning with a clear`() throws {
        let watch = StrangeWatch(SimulatedPhone(items: 3))
        let hello = try #require(watch.hello)
        #expect(hello.queuedIssued == 1)
        #expect(hello.latestIssued == 2, "the list's name and the complication's time line")
        #expect(watch.queued == hello.queuedIssued)
        #expect(watch.changes.first == .clear && watch.changes.count == 4)
    }

    @Test func `a check-off of an open item is applied, and so is one of an item that is checked off already`() {
        let watch = StrangeWatch(SimulatedPhone(items: 3))
        for sequence in UInt32(1)...2 {
            watch.check(2, sequence: sequence)
            #expect(watch.acknowledgements.last?.queued == sequence && watch.lastRejection == nil)
        }
        #expect(watch.phone.waiting.map(\.id) == [1, 3])
    }

    @Test func `a check-off of an item that is unknown, or removed from the list, is rejected`() {
        let watch = StrangeWatch(SimulatedPhone(items: 3))
        watch.phone.remove(2)
        for (sequence, item) in [(1, 2), (2, 77)] as [(UInt32, UInt32)] {
            watch.check(item, sequence: sequence)
            #expect(watch.acknowledgements.last?.queued == sequence && watch.lastRejection == .refused)
        }
    }

    @Test
    func `a value that nobody reads is done, and a queued message of the list that is not for the phone is rejected`() {
        let watch = StrangeWatch(SimulatedPhone(items: 1))
        watch.send { (writer) throws(CBORError) in
            try MessageHeader(.latest, sequence: 1).encode(into: &writer)
            try writer.text("elsewhere")
            try writer.null()
        }
        #expect(watch.acknowledgements.last?.latest == 1 && watch.acknowledgements.last?.rejectedLatest == nil)
        watch.send { (writer) throws(CBORError) in
            try MessageHeader(.queued, sequence: 1).encode(into: &writer)
            try writer.text("list")
            try writer.null()
        }
        #expect(watch.lastRejection == .unknownName)
    }

    @Test func `a watch that rejects a change of the list is given the list anew with the next change`() throws {
        let watch = StrangeWatch(SimulatedPhone(items: 3))
        var rejected = RejectionList()
        rejected.append(Rejection(sequence: 1, reason: .noRoom))
        let refusal = Acknowledgement(queued: 1, latest: 1, rejected: rejected)
        watch.send { (writer) throws(CBORError) in
            try ControlFrame.acknowledgement(refusal).encode(into: &writer)
        }
        #expect(watch.queued == 1, "a watch that rejects everything is not given it again and again")
        watch.phone.add(PhoneItem(id: 4, title: "Butter"))
        watch.takeAll()
        #expect(watch.queued == 2)
        #expect(watch.changes.count == 9 && watch.changes[4] == .clear, "a clear, and all four items")
    }
}
