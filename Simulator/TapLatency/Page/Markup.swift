/// A piece of a page or of a drawing. It is escaped as it is written, so that no text can become markup.
enum Markup: Equatable, Sendable {
    case text(String)
    /// An element, its attributes in order, and its content.
    case element(String, [Attribute], [Markup])

    struct Attribute: Equatable, Sendable {
        /// Its name, one of the page's own.
        let name: String
        /// Its value, as it is before it is escaped.
        let value: String
    }

    /// An element of this name, these attributes and this content.
    static func tag(
        _ name: String, _ attributes: KeyValuePairs<String, String>, _ content: [Markup] = []
    ) -> Markup {
        .element(name, attributes.map { Attribute(name: $0.key, value: $0.value) }, content)
    }

    /// An element of this name and content, without attributes.
    static func tag(_ name: String, _ content: Markup...) -> Markup {
        .element(name, [], content)
    }
}

extension Markup: ExpressibleByStringInterpolation {
    init(stringLiteral value: String) {
        self = .text(value)
    }
}

extension Markup {
    /// Elements that nothing is ever in: they are closed as they are opened.
    private static let empty: Set<String> = ["circle", "line", "meta", "rect"]

    /// Elements that a line ends after, for those who read the source.
    private static let lines: Set<String> = [
        "body", "circle", "dl", "div", "figure", "footer", "h1", "h2", "h3", "head", "header", "html", "li", "line",
        "main",
        "meta", "p", "rect", "section", "style", "svg", "table", "tbody", "text", "thead", "title", "tr", "ul",
    ]

    /// The piece as HTML that is well-formed XML, too.
    var written: String {
        var written = ""
        write(to: &written)
        return written
    }

    private func write(to written: inout String) {
        switch self {
        case .text(let text):
            written += Escaped(text: text).text
        case .element(let name, let attributes, let content):
            written += "<\(name)"
            for attribute in attributes {
                written += " \(attribute.name)=\"\(Escaped(attribute: attribute.value).text)\""
            }
            if Markup.empty.contains(name) {
                written += "/>"
            } else {
                written += ">"
                for piece in content { piece.write(to: &written) }
                written += "</\(name)>"
            }
            if Markup.lines.contains(name) { written += "\n" }
        }
    }
}

extension Markup {
    static func figure(_ figure: FigureText) -> Markup { .text(figure.text) }
}
