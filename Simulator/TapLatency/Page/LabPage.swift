/// A lab report as a page that needs nothing but itself: no scripts, no other files, figures in tables beside each
/// drawing.
struct LabPage: Sendable {
    let report: LabReport

    /// The page as HTML that is well-formed XML, too. The same report gives the same bytes.
    var html: String {
        "<!DOCTYPE html>\n" + document.written
    }

    private var document: Markup {
        .tag(
            "html", ["lang": "en"],
            [
                .tag(
                    "head",
                    .tag("meta", ["charset": "utf-8"]),
                    .tag("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
                    .tag("meta", ["name": "color-scheme", "content": "light dark"]),
                    .tag("title", .text("\(Headline(report: report).title) · Tapline lab")),
                    .tag("style", .text(PageStyle.sheet))),
                .tag(
                    "body",
                    Headline(report: report).markup,
                    .element("main", [], PageSections(report: report).markup),
                    ReadingNotes(assumptions: report.shipping.assumptions).markup),
            ])
    }
}

extension LabReport {
    /// The report as a self-contained HTML page. The same report gives the same bytes.
    package var html: String { LabPage(report: self).html }
}
