import CalDAV
import Testing

@testable import Soak

/// A small wrong version of a sync.
typealias PlantedAccountBug = PlantedPart<AccountParts>

extension AccountParts: PlantableParts {}

extension PlantedPart where Parts == AccountParts {
    /// The seeds that find it, by the promise that they see broken: those whose plans keep every promise without it.
    func found(in seeds: Range<UInt64>) -> [Promise: [UInt64]] {
        var found: [Promise: [UInt64]] = [:]
        for seed in seeds {
            let plan = AccountPlan(seed: seed)
            guard let broken = plan.run(.silent, parts: parts()).violation?.promise, plan.run().violation == nil
            else { continue }
            found[broken, default: []].append(seed)
        }
        return found
    }

    static var all: [PlantedPart] {
        [
            PlantedAccountBug("a change is sent over whatever version there is", breaking: .changeKept, seed: 32) {
                $0.request = { request in
                    var request = request
                    if request.method == .put { request.headers["If-Match"] = nil }
                    return .sent(request)
                }
            },
            PlantedAccountBug("a refused change is taken for a sent one", breaking: .changeKept, seed: 32) {
                $0.answer = { request, response in
                    guard request.method == .put, response.status == 412 else { return response }
                    return HTTPResponse(status: 204, headers: ["etag": "\"other\""])
                }
            },
            PlantedAccountBug("a removal is not sent", breaking: .listsAgree, seed: 5) {
                $0.request = { $0.method == .delete ? .answered(HTTPResponse(status: 204)) : .sent($0) }
            },
            PlantedAccountBug("any answer to a removal is taken for one that is made", breaking: .listsAgree, seed: 335)
            {
                $0.answer = { request, response in
                    request.method == .delete ? HTTPResponse(status: 204) : response
                }
            },
            PlantedAccountBug("a changed item is taken for a deleted one", breaking: .nothingDeleted, seed: 1) {
                $0.answer = { request, response in
                    guard request.method == .report, let text = String(validating: response.body, as: UTF8.self),
                        text.contains("</d:sync-token>"), text.split(separator: "<d:response>").count == 2
                    else { return response }
                    let missing = "<d:status>HTTP/1.1 404 Not Found</d:status>"
                    let wrong = text.replacing(/<d:propstat>.*<\/d:propstat>/, with: missing)
                    return HTTPResponse(status: 207, body: Array(wrong.utf8))
                }
            },
            PlantedAccountBug("a check-off is sent with the time of sending", breaking: .listsAgree, seed: 0) {
                $0.request = { request in
                    .sent(
                        request.withLines { lines in
                            guard let modified = lines.first(where: { $0.hasPrefix("LAST-MODIFIED:") }) else {
                                return lines
                            }
                            return lines.map {
                                $0.hasPrefix("COMPLETED:") ? "COMPLETED:" + modified.dropFirst(14) : $0
                            }
                        })
                }
            },
            PlantedAccountBug("only the lines that are known are sent", breaking: .othersTextStays, seed: 0) {
                $0.request = { request in .sent(request.withLines { $0.filter { !$0.hasPrefix("X-") } }) }
            },
            PlantedAccountBug("a new item is sent again under another name", breaking: .listsAgree, seed: 159) {
                $0.request = { request in
                    guard request.method == .put, request.headers["If-None-Match"] != nil,
                        request.body.count % 2 == 0
                    else { return .sent(request) }
                    var request = request.withLines { $0.map { $0.hasPrefix("UID:") ? $0 + "-again" : $0 } }
                    request.address = request.address.with(path: request.address.path + "-again.ics")
                    return .sent(request)
                }
            },
            PlantedAccountBug(
                "the numbers of items are given again after a copy was put back", breaking: .nothingDeleted, seed: 2114
            ) { $0.randomness = .ofTheCopy },
            PlantedAccountBug(
                "a copy is put back without what both sides had last", breaking: .removedStays, seed: 26
            ) { $0.restored = "DELETE FROM calendarItem; UPDATE calendarList SET token = NULL" },
            PlantedAccountBug("the disks do not sync", breaking: .changeKept, seed: 214) { $0.syncing = .pretended },
        ]
    }
}

extension HTTPRequest {
    /// The same with other lines in its text, where it puts one.
    fileprivate func withLines(_ change: ([Substring]) -> [any StringProtocol]) -> HTTPRequest {
        guard method == .put else { return self }
        var request = self
        let lines = change(String(decoding: body, as: UTF8.self).split(separator: "\r\n"))
        request.body = Array(lines.map { "\($0)\r\n" }.joined().utf8)
        return request
    }
}
