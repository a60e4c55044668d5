import Foundation
import FoundationXML

/// A page or a drawing as a strict parser reads it.
struct ParsedMarkup {
    /// An element as it begins.
    struct Element {
        let name: String
        let attributes: [String: String]
    }

    /// The elements in the order in which they begin.
    let elements: [Element]
    /// All text, piece after piece.
    let text: String

    /// Nil for what is not well-formed XML.
    init?(_ source: String) {
        let reader = Reader()
        let parser = XMLParser(data: Data(source.utf8))
        parser.delegate = reader
        guard parser.parse() else { return nil }
        elements = reader.elements
        text = reader.text
    }

    /// The elements of a name.
    func named(_ name: String) -> [Element] { elements.filter { $0.name == name } }

    /// The elements of a class.
    func styled(_ style: String) -> [Element] { elements.filter { $0.attributes["class"] == style } }

    private final class Reader: NSObject, XMLParserDelegate {
        var elements: [Element] = []
        var text = ""

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            elements.append(Element(name: name, attributes: attributes))
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            text += string
        }
    }
}
