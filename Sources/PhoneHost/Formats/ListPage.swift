/// Makes an HTML page for printing a list: its open items in order, each with a box to tick. The page loads no other file.
package enum ListPage {
    package static func html(of list: ListContents) -> String {
        let open = list.open
        let rows = open.map { "      <li>\(ListPage.row($0))</li>\n" }.joined()
        let body = open.isEmpty ? "    <p>Nothing left.</p>\n" : "    <ul>\n\(rows)    </ul>\n"
        let name = ListPage.escaped(list.name)
        return """
            <!DOCTYPE html>
            <html>
              <head>
                <meta charset="utf-8">
                <title>\(name)</title>
                <style>\(ListPage.style)</style>
              </head>
              <body>
                <h1>\(name) <small>\(open.count) left</small></h1>
            \(body)  </body>
            </html>

            """
    }

    /// A column is at least 62 mm wide, so an A4 or letter sheet has two columns.
    private static let style = """

              @page { margin: 14mm; }
              body { font: 12pt/1.4 system-ui, sans-serif; color: #000; margin: 0; max-width: 190mm; }
              h1 { font-size: 16pt; margin: 0 0 4mm; }
              small { font-size: 10pt; font-weight: normal; }
              ul { list-style: none; margin: 0; padding: 0; columns: 62mm; column-gap: 6mm; }
              li { break-inside: avoid; padding: 0.8mm 0 0.8mm 7mm; text-indent: -7mm; overflow-wrap: anywhere; }
              li::before { content: ""; display: inline-block; width: 3.6mm; height: 3.6mm; border: 0.3mm solid #000;
                margin-right: 2.8mm; vertical-align: -0.4mm; }
              .amount { font-weight: 600; }
              .note { color: #444; font-style: italic; }
              @media screen { body { padding: 14mm; } }

        """

    private static func row(_ item: StoredItem) -> String {
        let amount = item.detail.amount.map { " <span class=\"amount\">\(escaped($0))</span>" } ?? ""
        let note = item.detail.note.map { " <span class=\"note\">\(escaped($0))</span>" } ?? ""
        return escaped(item.title) + amount + note
    }

    /// Escapes HTML's special characters. It works on Unicode scalars, because Swift may combine such a character and the next
    /// scalar into one `Character`.
    private static func escaped(_ text: String) -> String {
        let escapes: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
        return text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
    }
}
