/// Tapline's rooms as SVG: a box for each module, with a box for each of its folders, and an arrow for each reference.
///
/// An arrow leads from what refers to what is referred to, downwards. Those that follow from others are left out; the
/// arrows that lead back up, which `FolderDirection` allows as exceptions, are red and dashed. The same files give the same
/// bytes.
public struct FolderPicture {
    private let graph: FolderGraph

    /// The picture of the shipped files of `files`.
    public init(_ files: [SourceFile]) {
        graph = Project(files).folderGraph
    }

    /// The document.
    public var svg: String {
        let rooms = graph.folders.keys.sorted().map { Room($0, graph) }
        let boxes = rooms.map { LayeredLayout.Box(name: $0.module, width: $0.width, height: $0.height) }
        let imports = graph.imports.flatMap { module, others in
            others.filter { graph.folders[$0] != nil }.map { LayeredLayout.Arrow(from: module, to: $0) }
        }
        let arrows = withoutShortcuts(imports)
        let layout = LayeredLayout(boxes, arrows, .init(across: 26, down: 46, lane: 8))
        let margin = 24.0
        let legendHeight = 44.0
        let width = Int((max(layout.width, FolderPicture.legendWidth) + 2 * margin).rounded(.up))
        let height = Int((layout.height + legendHeight + 2 * margin).rounded(.up))
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" font-family="system-ui, 'DejaVu Sans', sans-serif">
            <title>Tapline's modules and folders</title>
            <defs>
            \(arrowHead("grey", "#8a94a3"))
            \(arrowHead("red", "#d1242f"))
            \(arrowHead("dark", "#57606a"))
            </defs>
            <rect width="\(width)" height="\(height)" fill="#ffffff"/>
            <g transform="translate(\(number(margin)) \(number(margin)))">
            \(legend)</g>
            <g transform="translate(\(number((Double(width) - layout.width) / 2)) \(number(margin + legendHeight)))">

            """
        for arrow in arrows {
            text += curve(layout.paths[arrow] ?? [], ##"stroke="#8a94a3" stroke-width="1.6" marker-end="url(#grey)""##)
        }
        for room in rooms {
            guard let corner = layout.corners[room.module] else { continue }
            text += room.svg(at: corner)
        }
        return text + "</g>\n</svg>\n"
    }

    private static let legendWidth = 640.0

    /// What the colours and arrows mean.
    private var legend: String {
        var text = ""
        var x = 0.0
        for place in ["Hardware", "Simulator", "Sources"] {
            let (fill, line, _) = colours(of: place)
            text += """
                <rect x="\(number(x))" y="0" width="14" height="14" rx="3" fill="\(fill)" stroke="\(line)"/>\
                <text x="\(number(x + 20))" y="11.5" font-size="12" fill="#1f2328">\(place)</text>

                """
            x += 32 + textWidth(place, size: 12)
        }
        return text + """
            <text x="\(number(x + 8))" y="11.5" font-size="12" fill="#57606a">An arrow leads to what is used; arrows that \
            follow from others are left out.</text>

            """
    }

    private func arrowHead(_ name: String, _ colour: String) -> String {
        """
        <marker id="\(name)" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" \
        markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0.5 L8 4 L0 7.5 z" fill="\(colour)"/></marker>
        """
    }
}

/// One module: its folders in layers.
private struct Room {
    private static let titleHeight = 34.0
    private static let padding = 14.0

    let module: String
    private let name: String
    private let folders: [String: Int]
    private let contrary: [FolderGraph.Arrow]
    private let arrows: [LayeredLayout.Arrow]
    private let layout: LayeredLayout

    init(_ module: String, _ graph: FolderGraph) {
        self.module = module
        name = module.split(separator: "/").last.map(String.init) ?? module
        folders = graph.folders[module] ?? [:]
        let contrary = graph.contraryArrows(without: []).filter { $0.module == module }
        let forward = graph.arrows(of: module).filter { !contrary.contains($0) }
        self.contrary = contrary
        arrows = withoutShortcuts(withoutCycles(forward.map { LayeredLayout.Arrow(from: $0.from, to: $0.to) }))
        let boxes = folders.keys.filter { !$0.isEmpty }.map { folder in
            LayeredLayout.Box(name: folder, width: max(64, textWidth(folder, size: 12) + 22), height: 28)
        }
        layout = LayeredLayout(boxes, arrows, .init(across: 12, down: 26, lane: 6))
    }

    private var hasFolders: Bool { folders.keys.contains { !$0.isEmpty } }

    var width: Double { max(textWidth(name, size: 14) * 1.1 + 76, layout.width) + 2 * Room.padding }
    var height: Double { Room.titleHeight + (hasFolders ? layout.height + Room.padding : 6) }

    func svg(at corner: LayeredLayout.Point) -> String {
        let (fill, line, folderFill) = colours(of: module)
        let files = folders.values.reduce(0, +)
        var text = """
            <g transform="translate(\(number(corner.x)) \(number(corner.y)))">
            <rect width="\(number(width))" height="\(number(height))" rx="9" fill="\(fill)" stroke="\(line)" \
            stroke-width="1.4"/>
            <text x="\(number(Room.padding))" y="22" font-size="14" font-weight="600" fill="#1f2328">\(name)</text>
            <text x="\(number(width - Room.padding))" y="22" font-size="11" fill="#57606a" text-anchor="end">\
            \(files) \(files == 1 ? "file" : "files")</text>
            <g transform="translate(\(number((width - layout.width) / 2)) \(number(Room.titleHeight)))">

            """
        for arrow in arrows {
            text += curve(
                layout.paths[arrow] ?? [], ##"stroke="#57606a" stroke-width="1.1" marker-end="url(#dark)""##)
        }
        for (folder, count) in folders.sorted(by: { $0.key < $1.key }) {
            guard let corner = layout.corners[folder] else { continue }
            let boxWidth = max(64, textWidth(folder, size: 12) + 22)
            text += """
                <g><title>\(count) \(count == 1 ? "file" : "files")</title>\
                <rect x="\(number(corner.x))" y="\(number(corner.y))" width="\(number(boxWidth))" height="28" rx="6" \
                fill="\(folderFill)" stroke="\(line)" stroke-opacity="0.55"/>\
                <text x="\(number(corner.x + boxWidth / 2))" y="\(number(corner.y + 18.5))" font-size="12" \
                fill="#1f2328" text-anchor="middle">\(folder)</text></g>

                """
        }
        for arrow in contrary { text += backward(arrow) }
        return text + "</g>\n</g>\n"
    }

    /// An arrow that leads back up, along the left of its boxes.
    private func backward(_ arrow: FolderGraph.Arrow) -> String {
        guard let from = layout.corners[arrow.from], let to = layout.corners[arrow.to] else { return "" }
        let start = LayeredLayout.Point(x: from.x + 10, y: from.y)
        let end = LayeredLayout.Point(x: to.x + 10, y: to.y + 28)
        return curve(
            [start, end],
            ##"stroke="#d1242f" stroke-width="1.4" stroke-dasharray="4 3" marker-end="url(#red)""##)
    }
}

// MARK: Arrows

/// `arrows` without those that follow from two or more others.
private func withoutShortcuts(_ arrows: [LayeredLayout.Arrow]) -> [LayeredLayout.Arrow] {
    let targets = Dictionary(grouping: arrows, by: \.from).mapValues { $0.map(\.to) }
    func reaches(_ from: String, _ to: String) -> Bool {
        var open = targets[from] ?? []
        var seen: Set<String> = []
        while let next = open.popLast() {
            if next == to { return true }
            if seen.insert(next).inserted { open += targets[next] ?? [] }
        }
        return false
    }
    return arrows.filter { arrow in
        !(targets[arrow.from] ?? []).contains { $0 != arrow.to && reaches($0, arrow.to) }
    }.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
}

/// `arrows` without those that close a cycle of three or more.
private func withoutCycles(_ arrows: [LayeredLayout.Arrow]) -> [LayeredLayout.Arrow] {
    var kept: [LayeredLayout.Arrow] = []
    var targets: [String: [String]] = [:]
    for arrow in arrows.sorted(by: { ($0.from, $0.to) < ($1.from, $1.to) }) {
        var open = [arrow.to]
        var seen: Set<String> = []
        while let next = open.popLast() {
            if seen.insert(next).inserted { open += targets[next] ?? [] }
        }
        if seen.contains(arrow.from) { continue }
        kept.append(arrow)
        targets[arrow.from, default: []].append(arrow.to)
    }
    return kept
}

// MARK: Drawing

/// The colours of what is in the folder at `path`: of a module, of its line and of a folder in it.
private func colours(of path: String) -> (room: String, line: String, folder: String) {
    switch path.split(separator: "/").first {
    case "Hardware": ("#fff4e5", "#d9822b", "#ffe3bf")
    case "Simulator": ("#eaf3ff", "#3b7dd8", "#d0e3ff")
    default: ("#ecf8ee", "#3a9a55", "#cfeed7")
    }
}

/// A curve through `points` that leaves and arrives upright.
private func curve(_ points: [LayeredLayout.Point], _ style: String) -> String {
    guard let first = points.first else { return "" }
    var path = "M\(number(first.x)) \(number(first.y))"
    for (start, end) in zip(points, points.dropFirst()) {
        let bend = (end.y - start.y) / 2
        path += " C\(number(start.x)) \(number(start.y + bend)) \(number(end.x)) \(number(end.y - bend))"
        path += " \(number(end.x)) \(number(end.y))"
    }
    return "<path d=\"\(path)\" fill=\"none\" \(style)/>\n"
}

/// About what `text` takes, in pixels, in letters of this size.
private func textWidth(_ text: String, size: Double) -> Double { Double(text.count) * size * 0.61 }

/// A coordinate, to a tenth of a pixel.
private func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let whole = "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10)"
    return tenths % 10 == 0 ? whole : whole + ".\(abs(tenths) % 10)"
}
