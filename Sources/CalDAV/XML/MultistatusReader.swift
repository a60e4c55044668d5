import Foundation
import FoundationXML

/// Reads a multistatus. Only a whole one: the parser of FoundationXML takes the first half of an answer for all of it.
final class MultistatusReader: NSObject, XMLParserDelegate {
    /// The deepest nesting that is read; servers need fewer than ten.
    private static let deepest = 64

    /// How far the root is.
    private enum Root {
        case none
        case open
        case closed
        /// It is another one than a multistatus.
        case foreign
    }

    private var root = Root.none
    private var path: [String] = []
    private var text = ""
    private var result = Multistatus()
    private var response = Multistatus.Response()
    private var properties = Multistatus.Properties()
    private var status: Int?

    /// The multistatus in the body of an answer.
    ///
    /// - Throws: `.halfAnswer` for one that ends in the middle, `.notCalDAV` for anything else.
    static func read(_ body: [UInt8], at address: WebAddress) throws(CalDAVError) -> Multistatus {
        let reader = MultistatusReader()
        let parser = XMLParser(data: Data(body))
        parser.shouldProcessNamespaces = true
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        let isRead = parser.parse()
        switch reader.root {
        case .closed where isRead: return reader.result
        case .open: throw .halfAnswer
        case .none where body.isEmpty: throw .halfAnswer
        case .none, .foreign, .closed: throw .notCalDAV(address: address.text)
        }
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
        case ("error", "no-uid-conflict"): response.conflict = .sameUID
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
            if status.map({ (200..<300).contains($0) }) ?? true { response.properties.join(properties) }
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

    /// The number in `HTTP/1.1 404 Not Found`.
    private static func code(_ line: String) -> Int? {
        let words = line.split(separator: " ")
        return words.count > 1 ? Int(words[1]) : nil
    }
}

extension Multistatus.Properties {
    /// Adds those of another part of the same answer.
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
