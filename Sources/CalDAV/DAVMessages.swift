import Foundation
import FoundationXML
import HostSystem

enum DAVRequests {
    private static let head = #"<?xml version="1.0" encoding="utf-8"?>"#
    private static let spaces = #"xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav""#

    /// Makes a request for the type and name of the resource at an address, and for the addresses of the user's calendars
    /// (RFC 5397, RFC 4791 section 6.2.1). With depth 1, the answer also describes each resource directly inside this one.
    static func resource(_ address: WebAddress, depth: Int) -> HTTPRequest {
        propfind(
            address, depth: depth,
            """
            <d:resourcetype/><d:displayname/><d:current-user-principal/><d:sync-token/><c:calendar-home-set/>\
            <c:supported-calendar-component-set/>
            """)
    }

    static func versions(_ collection: WebAddress) -> HTTPRequest {
        propfind(collection, depth: 1, "<d:resourcetype/><d:getetag/><d:sync-token/>")
    }

    /// Makes a request for a collection's changes since a sync token, or for all its items if the token is nil (RFC 6578). The
    /// server's answer may name only a part of them.
    static func changes(_ collection: WebAddress, since token: String?) -> HTTPRequest {
        let body =
            "<d:sync-collection \(spaces)><d:sync-token>\(escaped(token ?? ""))</d:sync-token>"
            + "<d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop></d:sync-collection>"
        return xml(.report, collection, depth: 0, body)
    }

    /// Makes a request for the iCalendar texts of a collection's items (RFC 4791 section 7.9).
    static func texts(_ collection: WebAddress, of paths: [String]) -> HTTPRequest {
        let hrefs = paths.map { "<d:href>\(escaped($0))</d:href>" }.joined()
        let body =
            "<c:calendar-multiget \(spaces)><d:prop><d:getetag/><c:calendar-data/></d:prop>\(hrefs)</c:calendar-multiget>"
        return xml(.report, collection, depth: 1, body)
    }

    /// Makes a request that stores an item's text at an address. The text replaces only the version `etag`. With nil, the server
    /// stores the text only if the address is free.
    static func put(_ address: WebAddress, _ text: String, over etag: String?) -> HTTPRequest {
        var headers = ["Content-Type": "text/calendar; charset=utf-8"]
        if let etag { headers["If-Match"] = etag } else { headers["If-None-Match"] = "*" }
        return HTTPRequest(.put, address, headers: headers, body: Array(text.utf8))
    }

    static func delete(_ address: WebAddress, _ etag: String?) -> HTTPRequest {
        HTTPRequest(.delete, address, headers: etag.map { ["If-Match": $0] } ?? [:])
    }

    /// Makes a MKCALENDAR request, which creates a to-do collection (RFC 4791 section 5.3.1).
    static func makeCalendar(_ address: WebAddress, name: String) -> HTTPRequest {
        xml(.mkcalendar, address, depth: nil, "<c:mkcalendar \(spaces)>\(properties(name))</c:mkcalendar>")
    }

    /// Makes an extended MKCOL request, which creates a to-do collection (RFC 5689).
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

/// An answer about several resources, each with its own status (RFC 4918 section 13).
struct Multistatus: Equatable {
    struct Response: Equatable {
        var href = ""
        /// The status of the whole resource; nil if each property has its own.
        var status: Int?
        /// The status with which the server refused to send the resource's text (`calendar-data`); nil if it did not refuse.
        var textStatus: Int?
        var words = ""
        var properties = Properties()
    }

    /// The properties that the phone asked for. Each is nil or empty if the server did not give it.
    struct Properties: Equatable {
        var etag: String?
        var calendarData: String?
        var displayName: String?
        var syncToken: String?
        var principal: String?
        var calendarHomes: [String] = []
        /// The resource's types, without their XML namespaces, for example `calendar`.
        var types: Set<String> = []
        /// The kinds of objects that a collection accepts, for example `VTODO`. Nil if the server does not name the kinds: the
        /// collection then accepts all.
        var components: Set<String>?
    }

    var responses: [Response] = []
    /// The token for the next request for changes (RFC 6578).
    var syncToken: String?
}

/// Parses a multistatus, and fails if its end is missing. FoundationXML's parser alone would accept a text that is cut off.
final class MultistatusReader: NSObject, XMLParserDelegate {
    /// The maximum depth of nested XML elements. The answers of calendar servers have fewer than ten levels.
    private static let deepest = 64

    private enum Root {
        case none
        case open
        case closed
        /// The outermost element is not a multistatus.
        case foreign
    }

    private var root = Root.none
    private var path: [String] = []
    private var text = ""
    private var result = Multistatus()
    private var response = Multistatus.Response()
    private var properties = Multistatus.Properties()
    private var status: Int?

    /// Throws `.halfAnswer` if the answer is incomplete, `.notCalDAV` if it is no multistatus.
    static func read(_ body: [UInt8], at address: WebAddress) throws(CalDAVError) -> Multistatus {
        var reader = MultistatusReader()
        var isRead = reader.parse(Data(body))
        if !isRead {
            reader = MultistatusReader()
            isRead = reader.parse(withoutForbiddenCharacters(body))
        }
        switch reader.root {
        case .closed where isRead: return reader.result
        case .open, .closed: throw .halfAnswer
        case .none where body.isEmpty: throw .halfAnswer
        case .none, .foreign: throw .notCalDAV(address: address.text)
        }
    }

    private func parse(_ body: Data) -> Bool {
        let parser = XMLParser(data: body)
        parser.shouldProcessNamespaces = true
        parser.shouldResolveExternalEntities = false
        parser.delegate = self
        return parser.parse()
    }

    /// Removes characters that XML 1.0 forbids, and references to such characters. Servers accept an item that contains them,
    /// and return it unchanged.
    private static func withoutForbiddenCharacters(_ body: [UInt8]) -> Data {
        func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...: true
            case _: false
            }
        }
        let scalars = String(decoding: body, as: UTF8.self).unicodeScalars.filter(isAllowed)
        let text = String(String.UnicodeScalarView(scalars)).replacing(/&#(x?)([0-9A-Fa-f]+);/) { reference in
            let code = UInt32(reference.2, radix: reference.1.isEmpty ? 10 : 16)
            return code.flatMap(Unicode.Scalar.init).map(isAllowed) == true ? reference.0 : ""
        }
        return Data(text.utf8)
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        text = ""
        if path.isEmpty {
            root = name == "multistatus" && namespaceURI == "DAV:" ? .open : .foreign
            if case .foreign = root { return parser.abortParsing() }
        }
        guard path.count < MultistatusReader.deepest else { return parser.abortParsing() }
        switch (path.last, name) {
        case (_, "response") where path.count == 1: response = Multistatus.Response()
        case ("response", "propstat"):
            properties = Multistatus.Properties()
            status = nil
        case ("resourcetype", _): properties.types.insert(name)
        case ("prop", "supported-calendar-component-set"): properties.components = []
        case ("supported-calendar-component-set", "comp"):
            if let component = attributes["name"] { properties.components?.insert(component.uppercased()) }
        case _: break
        }
        path.append(name)
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        text += string
    }

    func parser(_ parser: XMLParser, foundCDATA CDATABlock: Data) {
        text += String(decoding: CDATABlock, as: UTF8.self)
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        guard !path.isEmpty else { return }
        path.removeLast()
        let word = text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch (path.last, name) {
        case (nil, _): root = .closed
        case (_, "response") where path.count == 1: result.responses.append(response)
        case (_, "sync-token") where path.count == 1: result.syncToken = word
        case ("response", "href"): response.href = word
        case ("response", "status"): response.status = MultistatusReader.code(word)
        case ("propstat", "status"): status = MultistatusReader.code(word)
        case ("response", "propstat"):
            if status.map({ (200..<300).contains($0) }) ?? true {
                response.properties.join(properties)
            } else if properties.calendarData != nil {
                response.textStatus = status
            }
        case ("error", _), (_, "responsedescription"):
            let words = SanitizedLine(word.isEmpty ? name : word, limit: 200).text
            response.words += response.words.isEmpty ? words : ", \(words)"
        case ("current-user-principal", "href"): properties.principal = word
        case ("calendar-home-set", "href"): properties.calendarHomes.append(word)
        case ("prop", "getetag"): properties.etag = word.isEmpty ? nil : word
        case ("prop", "sync-token"): properties.syncToken = word
        case ("prop", "displayname"): properties.displayName = word
        case ("prop", "calendar-data"): properties.calendarData = text
        case _: break
        }
        text = ""
    }

    /// Reads the status from a line like `HTTP/1.1 404 Not Found`.
    private static func code(_ line: String) -> Int? {
        let words = line.split(separator: " ")
        return words.count > 1 ? Int(words[1]) : nil
    }
}

extension Multistatus.Properties {
    fileprivate mutating func join(_ other: Multistatus.Properties) {
        etag = other.etag ?? etag
        calendarData = other.calendarData ?? calendarData
        displayName = other.displayName ?? displayName
        syncToken = other.syncToken ?? syncToken
        principal = other.principal ?? principal
        calendarHomes += other.calendarHomes
        types.formUnion(other.types)
        components = other.components ?? components
    }
}
