/// A drawing in SVG as it grows.
///
/// Across, positions are shares of the plot's width, 0 to 1, so that the drawing fits whatever it stands in while its
/// text keeps its size; down, they are pixels. What is right of the plot has room for figures.
struct SVGDrawing: Sendable {
    /// Where a text lies from its position.
    enum Anchor: String, Sendable {
        case start
        case middle
        case end
    }

    /// What the drawing shows, in a sentence: for those who do not see it.
    let label: String
    /// In pixels.
    let height: Int
    /// The plot's share of the whole width.
    let plot: Double
    private var shapes: [Markup] = []
    /// They lie above all shapes.
    private var texts: [Markup] = []

    /// An empty drawing whose plot takes a share of its width.
    init(label: String, height: Int, plot: Double = 1) {
        self.label = label
        self.height = height
        self.plot = plot
    }

    /// A bar from one position to another; one of no width is left out.
    mutating func bar(_ from: Double, to: Double, y: Int, height: Int, style: String, title: String) {
        guard to > from else { return }
        shapes.append(
            .element(
                "g", [],
                [
                    .tag("title", .text(title)),
                    .tag(
                        "rect",
                        [
                            "class": style, "x": percent(from), "y": "\(y)", "width": percent(to - from),
                            "height": "\(height)",
                        ]),
                ]))
    }

    /// A box from one position to another with a text in it, as much of it as there is room for.
    mutating func box(_ from: Double, to: Double, y: Int, height: Int, style: String, text: String?, title: String) {
        let size: KeyValuePairs = [
            "class": style, "x": percent(from), "y": "\(y)", "width": percent(to - from), "height": "\(height)",
        ]
        let letters = text.map { text in
            // A drawing within the drawing is what cuts a text off at a place that is a share of the width.
            Markup.tag(
                "svg",
                ["class": "box", "x": percent(from), "y": "\(y)", "width": percent(to - from), "height": "\(height)"],
                [.tag("text", ["x": "5", "y": "\(height - 6)"], [.text(text)])])
        }
        shapes.append(
            .element("g", [], [.tag("title", .text(title)), .tag("rect", size)] + [letters].compactMap { $0 }))
    }

    mutating func upright(_ x: Double, from top: Int, to bottom: Int, style: String) {
        line((x, Double(top)), (x, Double(bottom)), style: style)
    }

    mutating func line(_ from: (x: Double, y: Double), _ to: (x: Double, y: Double), style: String) {
        shapes.append(
            .tag(
                "line",
                [
                    "class": style, "x1": percent(from.x), "y1": pixels(from.y), "x2": percent(to.x),
                    "y2": pixels(to.y),
                ]))
    }

    mutating func dot(_ x: Double, _ y: Double, style: String, title: String) {
        shapes.append(
            .element(
                "g", [],
                [
                    .tag("title", .text(title)),
                    .tag("circle", ["class": style, "cx": percent(x), "cy": pixels(y), "r": "4"]),
                ]))
    }

    /// A text whose base line is at `y`, moved to the right by some pixels.
    mutating func text(_ text: String, x: Double, by pixels: Int = 0, y: Int, anchor: Anchor, style: String) {
        write(text, x: percent(x), by: pixels, y: y, anchor: anchor, style: style)
    }

    /// The name of a row, above its bar.
    mutating func rowName(_ name: String, note: String? = nil, by pixels: Int = 0, y: Int) {
        var parts: [Markup] = [.text(name.shortened)]
        if let note { parts.append(.tag("tspan", ["class": "quiet"], [.text("\u{2002}\(note)")])) }
        texts.append(.tag("text", ["class": "name", "x": "\(pixels)", "y": "\(y + 14)"], parts))
    }

    /// A row's figure right of the plot, and a note below it.
    mutating func rowFigure(_ figure: FigureText, note: String? = nil, y: Int) {
        write(figure.text, x: "100%", by: 0, y: y + (note == nil ? 29 : 14), anchor: .end, style: "value")
        if let note { write(note, x: "100%", by: 0, y: y + 30, anchor: .end, style: "tick") }
    }

    private mutating func write(
        _ text: String, x: String, by pixels: Int, y: Int, anchor: Anchor, style: String
    ) {
        texts.append(
            .tag(
                "text",
                ["class": style, "x": x, "dx": "\(pixels)", "y": "\(y)", "text-anchor": anchor.rawValue],
                [.text(text)]))
    }

    /// The lines of an axis and their names above them, the first and the last within the drawing.
    mutating func axis(_ ticks: [(position: Double, name: String)], y: Int, to bottom: Int) {
        for tick in ticks {
            upright(tick.position, from: y + 6, to: bottom, style: "grid")
            let anchor: Anchor = tick.position < 0.02 ? .start : tick.position * plot > 0.98 ? .end : .middle
            text(tick.name, x: tick.position, y: y, anchor: anchor, style: "tick")
        }
    }

    /// The same for a linear axis of times.
    mutating func axis(_ axis: LinearAxis, y: Int, to bottom: Int) {
        let ticks = axis.ticks.map {
            (axis.position($0), FigureText(tick: $0, step: axis.step, end: axis.highest).text)
        }
        self.axis(ticks, y: y, to: bottom)
    }

    /// A line with a name at its head, on whichever side there is room.
    mutating func mark(_ x: Double, _ name: String, y: Int, to bottom: Int) {
        upright(x, from: y - 9, to: bottom, style: "mark")
        if x < 0.5 {
            text(name, x: x, by: 6, y: y, anchor: .start, style: "marked")
        } else {
            text(name, x: x, by: -6, y: y, anchor: .end, style: "marked")
        }
    }

    var markup: Markup {
        .tag(
            "svg",
            [
                "xmlns": "http://www.w3.org/2000/svg", "role": "img", "aria-label": label, "width": "100%",
                "height": "\(height)",
            ], shapes + texts)
    }

    private func percent(_ share: Double) -> String {
        FigureText.decimal(share * plot * 100, places: 6) + "%"
    }

    private func pixels(_ y: Double) -> String {
        FigureText.decimal(y, places: 1)
    }
}

extension String {
    /// The text, or as much of it as has room above a bar, with an ellipsis.
    var shortened: String {
        count <= 42 ? self : prefix(41) + "…"
    }
}
