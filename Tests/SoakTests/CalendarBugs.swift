import CalDAV
import Testing

@testable import soak

extension PlantedBug<CalendarScenario> {
    static var all: [PlantedBug] {
        [
            PlantedBug("a change is sent over whatever version there is", breaking: .changeKept, seed: 32) {
                $0.request = { request in
                    var request = request
                    if request.method == .put { request.headers["If-Match"] = nil }
                    return .sent(request)
                }
            },
            PlantedBug("a refused change is taken for a sent one", breaking: .changeKept, seed: 32) {
                $0.answer = { request, response in
                    guard request.method == .put, response.status == 412 else { return response }
                    return HTTPResponse(status: 204, headers: ["etag": "\"other\""])
                }
            },
            PlantedBug("a removal is not sent", breaking: .listsAgree, seed: 24) {
                $0.request = { $0.method == .delete ? .answered(HTTPResponse(status: 204)) : .sent($0) }
            },
            PlantedBug("any answer to a removal is taken for one that is made", breaking: .listsAgree, seed: 335) {
                $0.answer = { request, response in
                    request.method == .delete ? HTTPResponse(status: 204) : response
                }
            },
            PlantedBug("a changed item is taken for a deleted one", breaking: .nothingDeleted, seed: 12) {
                $0.answer = { request, response in
                    guard request.method == .report, let text = String(validating: response.body, as: UTF8.self),
                        text.contains("</d:sync-token>"), text.split(separator: "<d:response>").count == 2
                    else { return response }
                    let missing = "<d:status>HTTP/1.1 404 Not Found</d:status>"
                    let wrong = text.replacing(/<d:propstat>.*<\/d:propstat>/, with: missing)
                    return HTTPResponse(status: 207, body: Array(wrong.utf8))
                }
            },
            PlantedBug("a check-off is sent with the time of sending", breaking: .listsAgree, seed: 0) {
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
            PlantedBug("only the lines that are known are sent", breaking: .othersTextStays, seed: 0) {
                $0.request = { request in .sent(request.withLines { $0.filter { !$0.hasPrefix("X-") } }) }
            },
            PlantedBug("a new item is sent again under another name", breaking: .listsAgree, seed: 159) {
                $0.request = { request in
                    guard request.method == .put, request.headers["If-None-Match"] != nil,
                        request.body.count % 2 == 0
                    else { return .sent(request) }
                    var request = request.withLines { $0.map { $0.hasPrefix("UID:") ? $0 + "-again" : $0 } }
                    request.address = request.address.with(path: request.address.path + "-again.ics")
                    return .sent(request)
                }
            },
            PlantedBug(
                "the numbers of items are given again after a copy was put back", breaking: .nothingDeleted, seed: 2114
            ) { $0.repeatsRandomNumbers = true },
            PlantedBug(
                "a copy is put back without what both sides had last", breaking: .removedStays, seed: 26
            ) { $0.restoring = "DELETE FROM calendarItem; UPDATE calendarList SET token = NULL" },
            PlantedBug("the disks do not sync", breaking: .changeKept, seed: 245) { $0.syncs = false },
        ]
    }
}

extension HTTPRequest {
    /// Returns a PUT request with changed lines in its body. Returns any other request unchanged.
    fileprivate func withLines(_ change: ([Substring]) -> [any StringProtocol]) -> HTTPRequest {
        guard method == .put else { return self }
        var request = self
        let lines = change(String(decoding: body, as: UTF8.self).split(separator: "\r\n"))
        request.body = Array(lines.map { "\($0)\r\n" }.joined().utf8)
        return request
    }
}
