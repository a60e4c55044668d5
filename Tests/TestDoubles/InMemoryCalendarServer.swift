import CalDAV
import Foundation
import Synchronization

/// A CalDAV server in memory. It begins with one collection, and a client can create more under `home`. A test can make
/// it fail in the ways of `Fault`.
package final class InMemoryCalendarServer: HTTPTransport {
    package enum Fault: Codable, Equatable, Sendable {
        /// The server does not perform the request, and answers with this status.
        case status(Int)
        /// The server performs the request, but the client gets no answer.
        case lostAnswer
        case silent
        case halfAnswer
        case page
        case redirect(String)
        case noETag
    }

    package struct Item: Equatable, Sendable {
        package var etag: String
        package var text: String
    }

    package enum Naming: String, Codable, Sendable {
        /// The ETag of each new version of an item is a new number.
        case counted
        /// The ETag is a hash of the item's text. If an item gets an earlier text again, it also gets the earlier ETag.
        case hashed
    }

    private struct State {
        let naming: Naming
        var collections = [InMemoryCalendarServer.path: "Food"]
        var items: [String: Item] = [:]
        /// The changes, oldest first. The state `before` is nil if the item did not exist. A sync token is `tokens`
        /// plus the number of changes.
        var changes: [(path: String, before: Item?)] = []
        var versions = 0
        var faults: [(method: HTTPRequest.Method?, fault: Fault)] = []
        var refusals: [String: (status: Int, body: String)] = [:]
        var presence = Presence.there
        var tokens = 0
        var requests: [HTTPRequest] = []
    }

    private enum Presence {
        case there
        case gone
    }

    package static let home = "/ann/"
    package static let path = "/ann/food/"
    private let state: Mutex<State>

    package init(naming: Naming = .counted) {
        state = Mutex(State(naming: naming))
    }

    // MARK: Another client, and faults

    package var items: [String: Item] { state.withLock { $0.items } }

    package var collections: [String: String] { state.withLock { $0.collections } }

    package var requests: [HTTPRequest] { state.withLock { $0.requests } }

    package func put(_ text: String, at path: String) {
        state.withLock { InMemoryCalendarServer.store(text, at: path, in: &$0) }
    }

    package func delete(_ path: String) {
        state.withLock { state in
            state.changes.append((path, state.items[path]))
            state.items[path] = nil
        }
    }

    /// Applies `fault` to the next request with `method`, or to the next request of any kind if that is nil.
    package func fail(_ fault: Fault, _ method: HTTPRequest.Method? = nil) {
        state.withLock { $0.faults.append((method, fault)) }
    }

    /// Refuses requests for the item at `path` until `accept` is called. The text `body` is the error in XML.
    package func refuse(_ path: String, _ status: Int, _ body: String) {
        state.withLock { $0.refusals[path] = (status, body) }
    }

    package func accept(_ path: String) {
        state.withLock { $0.refusals[path] = nil }
    }

    /// Replaces all items, as if a backup were restored. All earlier sync tokens become invalid.
    package func restore(_ items: [String: Item]) {
        state.withLock { state in
            state.items = items
            state.tokens += 1_000_000
        }
    }

    package func forgetTokens() {
        state.withLock { $0.tokens += 1_000_000 }
    }

    /// Creates the collection at `path` with this display name. If the collection exists, changes its display name.
    package func make(_ path: String, _ name: String) {
        state.withLock { $0.collections[path] = name }
    }

    package func unmake(_ path: String) {
        state.withLock { state in
            state.collections[path] = nil
            state.items = state.items.filter { !$0.key.hasPrefix(path) }
        }
    }

    package func removeCollection() {
        state.withLock { $0.presence = .gone }
    }

    package func bringBackCollection() {
        state.withLock { $0.presence = .there }
    }

    private static func store(_ text: String, at path: String, in state: inout State) {
        state.versions += 1
        state.changes.append((path, state.items[path]))
        state.items[path] = Item(etag: etag(of: text, state), text: text)
    }

    private static func etag(of text: String, _ state: State) -> String {
        switch state.naming {
        case .counted: return "\"\(state.versions)\""
        case .hashed:
            // FNV-1a, whose constants are 2^40 + 2^8 + 0xB3 and 0xCBF29CE484222325.
            let hash = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            return "\"\(String(hash, radix: 16))\""
        }
    }

    // MARK: HTTP

    package func send(_ request: HTTPRequest) async throws(CalDAVError) -> HTTPResponse {
        try answer(request).get()
    }

    package func answer(_ request: HTTPRequest) -> Result<HTTPResponse, CalDAVError> {
        state.withLock { state in
            state.requests.append(request)
            let index = state.faults.firstIndex { $0.method == nil || $0.method == request.method }
            let fault = index.map { state.faults.remove(at: $0).fault }
            return InMemoryCalendarServer.answer(request, with: fault, &state).map { response in
                var response = response
                // The server asks for a Basic login, and accepts every password.
                if let login = request.login, login.scheme == nil { response.asked = [.basic] }
                return response
            }
        }
    }

    private static func answer(
        _ request: HTTPRequest, with fault: Fault?, _ state: inout State
    ) -> Result<HTTPResponse, CalDAVError> {
        switch fault {
        case nil: return .success(answer(request, &state))
        case .status(let status): return .success(HTTPResponse(status: status))
        case .silent: return .failure(.silent)
        case .lostAnswer:
            _ = answer(request, &state)
            return .failure(.silent)
        case .halfAnswer:
            var response = answer(request, &state)
            response.body = Array(response.body.prefix(response.body.count / 2))
            return .success(response)
        case .page: return .success(HTTPResponse(status: 200, body: Array("<html><body>Hello</body></html>".utf8)))
        case .redirect(let place): return .success(HTTPResponse(status: 302, headers: ["location": place]))
        case .noETag:
            var response = answer(request, &state)
            response.headers["etag"] = nil
            return .success(response)
        }
    }

    private static func answer(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
        switch state.presence {
        case .gone: return HTTPResponse(status: 404)
        case .there: break
        }
        let path = request.address.path
        if let refusal = state.refusals[path] {
            return HTTPResponse(status: refusal.status, body: Array(refusal.body.utf8))
        }
        switch request.method {
        case .get: return HTTPResponse(status: 404)
        case .put: return put(request, path, &state)
        case .delete:
            guard let item = state.items[path] else { return HTTPResponse(status: 404) }
            if let etag = request.headers["If-Match"], etag != item.etag { return HTTPResponse(status: 412) }
            state.changes.append((path, item))
            state.items[path] = nil
            return HTTPResponse(status: 204)
        case .mkcalendar, .mkcol: return make(request, path, &state)
        case .propfind, .report:
            let body = String(decoding: request.body, as: UTF8.self)
            if body.contains("calendar-multiget") { return texts(body, state) }
            if path == home { return listing(state) }
            guard let name = state.collections[path] else { return HTTPResponse(status: 404) }
            if body.contains("sync-collection") { return changes(body, path, state) }
            return listing(path, name, state)
        }
    }

    private static func make(_ request: HTTPRequest, _ path: String, _ state: inout State) -> HTTPResponse {
        guard path.hasPrefix(home), path.hasSuffix("/"), path.split(separator: "/").count == 2 else {
            return HTTPResponse(status: 403)
        }
        guard state.collections[path] == nil else { return HTTPResponse(status: 405) }
        let body = String(decoding: request.body, as: UTF8.self)
        guard body.contains(#"<c:comp name="VTODO"/>"#), body.contains("<c:calendar/>") == (request.method == .mkcol),
            let name = body.components(separatedBy: "<d:displayname>").last?.components(separatedBy: "</").first
        else { return HTTPResponse(status: 400) }
        state.collections[path] = name.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing(
            "&amp;", with: "&")
        return HTTPResponse(status: 201)
    }

    private static func put(_ request: HTTPRequest, _ path: String, _ state: inout State) -> HTTPResponse {
        guard state.collections.keys.contains(where: { path.hasPrefix($0) }) else { return HTTPResponse(status: 409) }
        let item = state.items[path]
        if request.headers["If-None-Match"] == "*", item != nil { return HTTPResponse(status: 412) }
        if let etag = request.headers["If-Match"], etag != item?.etag { return HTTPResponse(status: 412) }
        let text = String(decoding: request.body, as: UTF8.self)
        let uid = (try? CalendarObject(text))?.uid
        let collection = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        if state.items.contains(where: {
            $0.key.hasPrefix(collection) && $0.key != path && (try? CalendarObject($0.value.text))?.uid == uid
        }) {
            return HTTPResponse(status: 409)
        }
        store(text, at: path, in: &state)
        return HTTPResponse(status: 201, headers: ["etag": etag(of: text, state)])
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\r\n", with: "\n")
    }

    private static func multistatus(_ body: String) -> HTTPResponse {
        let text =
            #"<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">"#
            + body + "</d:multistatus>"
        return HTTPResponse(status: 207, body: Array(text.utf8))
    }

    private static func response(_ path: String, _ properties: String) -> String {
        "<d:response><d:href>\(path)</d:href><d:propstat><d:prop>\(properties)</d:prop>"
            + "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
    }

    private static func missing(_ path: String) -> String {
        "<d:response><d:href>\(path)</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>"
    }

    private static func token(_ state: State) -> String { "\(state.tokens + state.changes.count)" }

    private static func own(_ path: String, _ name: String, _ state: State) -> String {
        response(
            path,
            "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>\(escaped(name))</d:displayname>"
                + #"<c:supported-calendar-component-set><c:comp name="VTODO"/></c:supported-calendar-component-set>"#
                + "<d:sync-token>\(token(state))</d:sync-token>")
    }

    private static func listing(_ state: State) -> HTTPResponse {
        let collections = state.collections.sorted { $0.key < $1.key }.map { own($0.key, $0.value, state) }
        return multistatus(
            response(home, "<d:resourcetype><d:collection/></d:resourcetype>") + collections.joined())
    }

    private static func listing(_ path: String, _ name: String, _ state: State) -> HTTPResponse {
        let members = state.items.filter { $0.key.hasPrefix(path) }.sorted { $0.key < $1.key }
            .map { response($0.key, "<d:resourcetype/><d:getetag>\($0.value.etag)</d:getetag>") }
        return multistatus(own(path, name, state) + members.joined())
    }

    private static func changes(_ body: String, _ path: String, _ state: State) -> HTTPResponse {
        let given = body.split(separator: "<d:sync-token>").last?.prefix { $0 != "<" } ?? ""
        let isFirst = body.contains("<d:sync-token></d:sync-token>")
        var paths = Set(state.items.keys)
        if !isFirst {
            guard let number = Int(given), number >= state.tokens, number <= state.tokens + state.changes.count else {
                return HTTPResponse(status: 403)
            }
            // Like Xandikos, this server does not report an item that was created and deleted since the token.
            paths = []
            var seen: Set<String> = []
            for change in state.changes.dropFirst(number - state.tokens) where seen.insert(change.path).inserted {
                if change.before != nil || state.items[change.path] != nil { paths.insert(change.path) }
            }
        }
        let responses = paths.filter { $0.hasPrefix(path) }.sorted().map { path in
            state.items[path].map { response(path, "<d:getetag>\($0.etag)</d:getetag>") } ?? missing(path)
        }
        return multistatus(responses.joined() + "<d:sync-token>\(token(state))</d:sync-token>")
    }

    private static func texts(_ body: String, _ state: State) -> HTTPResponse {
        let paths = body.split(separator: "<d:href>").dropFirst().map { String($0.prefix { $0 != "<" }) }
        let failure = paths.lazy.compactMap { state.refusals[$0] }.first { $0.status >= 500 }
        if let failure { return HTTPResponse(status: failure.status, body: Array(failure.body.utf8)) }
        let responses = paths.map { path in
            if let refusal = state.refusals[path] {
                return "<d:response><d:href>\(path)</d:href><d:status>HTTP/1.1 \(refusal.status) Refused</d:status>"
                    + "\(refusal.body)</d:response>"
            }
            return state.items[path].map {
                response(
                    path,
                    "<d:getetag>\($0.etag)</d:getetag><c:calendar-data>\(escaped($0.text))</c:calendar-data>")
            } ?? missing(path)
        }
        return multistatus(responses.joined())
    }
}
