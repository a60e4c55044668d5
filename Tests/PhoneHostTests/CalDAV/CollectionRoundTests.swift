import Foundation
import Testing

@testable import CalDAV

/// Tests of sync rounds with server answers that `InMemoryCalendarServer` never gives.
@Suite struct CollectionRoundTests {
    private let collection: WebAddress

    init() throws { collection = try WebAddress("http://localhost/food/") }

    private func answer(_ responses: String) -> RoundEvent {
        .response(HTTPResponse(status: 207, body: Array("<multistatus xmlns='DAV:'>\(responses)</multistatus>".utf8)))
    }

    private func member(_ name: String) -> String {
        "<response><href>/food/\(name)</href><propstat><prop><getetag>\(name)</getetag></prop></propstat></response>"
    }

    /// Returns a round that has asked the server for changes, and waits for the answer.
    private func begun() -> CollectionRound {
        var round = CollectionRound(
            of: collection, from: .changes(since: nil), known: [:], policy: .ask, now: Date())
        _ = round.next(after: .begin)
        return round
    }

    @Test func `a text that is too long is left alone with its version`() {
        var round = begun()
        let ask = round.next(after: answer(member("1") + member("2")))
        #expect(ask == .request(DAVRequests.texts(collection, of: ["/food/1", "/food/2"])))
        #expect(
            round.next(after: .failure(.tooLarge(megabytes: 32)))
                == .request(DAVRequests.texts(collection, of: ["/food/1"])))
        let large = RemoteItem(path: "/food/1", etag: "1", text: nil, isFormer: false)
        #expect(round.next(after: .failure(.tooLarge(megabytes: 32))) == .change(.merge([large])))
        #expect(round.next(after: .changed(older: 0)) == .request(DAVRequests.texts(collection, of: ["/food/2"])))
    }

    @Test func `a text that the answer leaves out is named, and the next round asks again`() {
        var round = begun()
        _ = round.next(after: answer(member("1") + "<sync-token>5</sync-token>"))
        #expect(round.next(after: answer("")) == .change(.merge([])))
        #expect(round.next(after: .changed(older: 0)) == .change(.token(nil)))
        _ = round.next(after: .changed(older: 0))
        guard case .finish(let report) = round.next(after: .edits([])) else {
            Issue.record("the round goes on")
            return
        }
        #expect(report.refused == [RefusedItem(path: "/food/1", title: nil, reason: .omitted)])
    }

    private static let cut =
        "<response><href>/food/</href><status>HTTP/1.1 507 Insufficient Storage</status></response>"

    @Test(
        arguments: [
            [""], ["<sync-token>a</sync-token>", "<sync-token>a</sync-token>"],
            (0...1_000).map { "<sync-token>\($0)</sync-token>" },
        ])
    func `an answer that stays cut deletes nothing, and all items are listed at once`(tokens: [String]) {
        let item = KnownItem(etag: "1", former: [], coverage: .later)
        for since in [nil, "0x"] {
            var round = CollectionRound(
                of: collection, from: .changes(since: since), known: ["/food/1": item, "/food/2": item], policy: .ask,
                now: Date())
            var action = round.next(after: .begin)
            for token in tokens { action = round.next(after: answer(member("1") + Self.cut + token)) }
            #expect(action == .request(DAVRequests.versions(collection)))
            var other = round
            guard case .finish(let report) = other.next(after: answer(member("1") + Self.cut)) else {
                Issue.record("a list that is cut, too, counts as one of all items")
                return
            }
            #expect(report.end == .left(.refused(status: 507, address: collection.text)))
            let token = "<propstat><prop><sync-token>9</sync-token></prop></propstat>"
            let own = "<response><href>/food/</href>\(token)</response>"
            #expect(round.next(after: answer(own + member("1"))) == .change(.remove(["/food/2"])))
            #expect(round.next(after: .changed(older: 0)) == .change(.token("9")))
        }
    }
}
