/// The requests of WebDAV and CalDAV.
enum DAVRequests {
    private static let head = #"<?xml version="1.0" encoding="utf-8"?>"#
    private static let spaces = #"xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav""#

    /// What is at an address, and whose it is (RFC 5397, RFC 4791 section 6.2.1); or, at depth 1, which collections are in it.
    static func resource(_ address: WebAddress, depth: Int) -> HTTPRequest {
        propfind(
            address, depth: depth,
            """
            <d:resourcetype/><d:displayname/><d:current-user-principal/><d:sync-token/><c:calendar-home-set/>\
            <c:supported-calendar-component-set/>
            """)
    }

    /// The versions of all members of a collection.
    static func versions(_ collection: WebAddress) -> HTTPRequest {
        propfind(collection, depth: 1, "<d:resourcetype/><d:getetag/><d:sync-token/>")
    }

    /// What has changed since a token, everything where it is nil (RFC 6578). Without a limit: a server that cuts its answer
    /// says so.
    static func changes(_ collection: WebAddress, since token: String?) -> HTTPRequest {
        let body =
            "<d:sync-collection \(spaces)><d:sync-token>\(escaped(token ?? ""))</d:sync-token>"
            + "<d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop></d:sync-collection>"
        return xml(.report, collection, depth: 0, body)
    }

    /// The texts of members (RFC 4791 section 7.9).
    static func texts(_ collection: WebAddress, of paths: [String]) -> HTTPRequest {
        let hrefs = paths.map { "<d:href>\(escaped($0))</d:href>" }.joined()
        let body =
            "<c:calendar-multiget \(spaces)><d:prop><d:getetag/><c:calendar-data/></d:prop>\(hrefs)</c:calendar-multiget>"
        return xml(.report, collection, depth: 1, body)
    }

    /// Puts a text in the place of a version, or where nothing is.
    static func put(_ address: WebAddress, _ text: String, over etag: String?) -> HTTPRequest {
        var headers = ["Content-Type": "text/calendar; charset=utf-8"]
        if let etag { headers["If-Match"] = etag } else { headers["If-None-Match"] = "*" }
        return HTTPRequest(.put, address, headers: headers, body: Array(text.utf8))
    }

    static func delete(_ address: WebAddress, _ etag: String?) -> HTTPRequest {
        HTTPRequest(.delete, address, headers: etag.map { ["If-Match": $0] } ?? [:])
    }

    /// Makes a collection for to-dos (RFC 4791 section 5.3.1).
    static func makeCalendar(_ address: WebAddress, name: String) -> HTTPRequest {
        xml(.mkcalendar, address, depth: nil, "<c:mkcalendar \(spaces)>\(properties(name))</c:mkcalendar>")
    }

    /// The same as a collection of WebDAV with a type (RFC 5689).
    static func makeCollection(_ address: WebAddress, name: String) -> HTTPRequest {
        let type = "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>"
        return xml(.mkcol, address, depth: nil, "<d:mkcol \(spaces)>\(properties(name, type))</d:mkcol>")
    }

    private static func properties(_ name: String, _ type: String = "") -> String {
        "<d:set><d:prop>\(type)<d:displayname>\(escaped(name))</d:displayname><c:supported-calendar-component-set>"
            + #"<c:comp name="VTODO"/></c:supported-calendar-component-set></d:prop></d:set>"#
    }

    private static func propfind(_ address: WebAddress, depth: Int, _ properties: String) -> HTTPRequest {
        xml(.propfind, address, depth: depth, "<d:propfind \(spaces)><d:prop>\(properties)</d:prop></d:propfind>")
    }

    private static func xml(
        _ method: HTTPRequest.Method, _ address: WebAddress, depth: Int?, _ body: String
    ) -> HTTPRequest {
        var headers = ["Content-Type": "application/xml; charset=utf-8"]
        if let depth { headers["Depth"] = "\(depth)" }
        return HTTPRequest(method, address, headers: headers, body: Array((head + body).utf8))
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
