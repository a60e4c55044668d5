/// Boxes in layers, so that every arrow leads from an upper layer to a lower one: a drawing after Sugiyama, Tagawa and Toda
/// (1981). The same boxes and arrows give the same places.
struct LayeredLayout {
    /// A place in the drawing.
    struct Point: Equatable {
        var x: Double
        var y: Double
    }

    /// A box that is to be placed.
    struct Box {
        let name: String
        let width: Double
        let height: Double
    }

    /// The free space between boxes.
    struct Spacing {
        let across: Double
        let down: Double
        /// What an arrow takes that passes a layer.
        let lane: Double
    }

    /// An arrow, from the name of a box to that of another one.
    struct Arrow: Hashable {
        let from: String
        let to: String
    }

    /// The upper left corner of each box.
    private(set) var corners: [String: Point] = [:]
    /// The bends of each arrow, from the lower edge of its first box to the upper edge of its last.
    private(set) var paths: [Arrow: [Point]] = [:]
    /// The size of the whole.
    private(set) var width = 0.0
    private(set) var height = 0.0

    /// A box, or the place at which a long arrow passes a layer.
    private struct Node {
        enum Kind {
            case box(Box)
            case lane
        }

        let kind: Kind
        let width: Double
        let height: Double
        var above: [Int] = []
        var below: [Int] = []
        var centre = 0.0
    }

    private let spacing: Spacing
    private var nodes: [Node] = []
    private var layers: [[Int]] = []
    private var chains: [(arrow: Arrow, nodes: [Int])] = []

    /// Places `boxes`. The arrows may have no cycle.
    init(_ boxes: [Box], _ arrows: [Arrow], _ spacing: Spacing) {
        self.spacing = spacing
        build(boxes, arrows.sorted { ($0.from, $0.to) < ($1.from, $1.to) })
        for pass in 0..<24 { order(downwards: pass.isMultiple(of: 2)) }
        for index in layers.indices { place(index) { $0.above + $0.below } }
        for pass in 0..<40 {
            let indices = pass.isMultiple(of: 2) ? Array(layers.indices) : layers.indices.reversed()
            for index in indices { place(index) { $0.above + $0.below } }
        }
        finish()
    }

    // MARK: Layers

    private mutating func build(_ boxes: [Box], _ arrows: [Arrow]) {
        let targets = Dictionary(grouping: arrows, by: \.from).mapValues { $0.map(\.to) }
        var levels: [String: Int] = [:]
        func level(of name: String) -> Int {
            if let level = levels[name] { return level }
            let level = (targets[name] ?? []).map { level(of: $0) + 1 }.max() ?? 0
            levels[name] = level
            return level
        }
        let deepest = boxes.map { level(of: $0.name) }.max() ?? 0
        layers = Array(repeating: [], count: deepest + 1)
        var indices: [String: Int] = [:]
        for box in boxes.sorted(by: { $0.name < $1.name }) {
            indices[box.name] = nodes.count
            layers[deepest - level(of: box.name)].append(nodes.count)
            nodes.append(Node(kind: .box(box), width: box.width, height: box.height))
        }
        for arrow in arrows {
            guard let first = indices[arrow.from], let last = indices[arrow.to] else { continue }
            var chain = [first]
            for layer in (deepest - level(of: arrow.from) + 1)..<(deepest - level(of: arrow.to)) {
                layers[layer].append(nodes.count)
                chain.append(nodes.count)
                nodes.append(Node(kind: .lane, width: spacing.lane, height: 0))
            }
            chain.append(last)
            for (upper, lower) in zip(chain, chain.dropFirst()) {
                nodes[upper].below.append(lower)
                nodes[lower].above.append(upper)
            }
            chains.append((arrow, chain))
        }
    }

    // MARK: Order

    /// Orders every layer by the mean place of what its nodes are joined to in the layer before.
    private mutating func order(downwards isDown: Bool) {
        let indices = isDown ? Array(layers.indices.dropFirst()) : layers.indices.dropLast().reversed()
        for index in indices {
            let before = layers[isDown ? index - 1 : index + 1]
            var places: [Int: Double] = [:]
            for (place, node) in before.enumerated() { places[node] = Double(place) / Double(max(before.count - 1, 1)) }
            let own = layers[index]
            let means = own.enumerated().map { place, node in
                let joined = (isDown ? nodes[node].above : nodes[node].below).compactMap { places[$0] }
                return joined.isEmpty
                    ? Double(place) / Double(max(own.count - 1, 1)) : joined.reduce(0, +) / Double(joined.count)
            }
            layers[index] = own.indices.sorted { (means[$0], $0) < (means[$1], $1) }.map { own[$0] }
        }
    }

    // MARK: Places

    /// Moves the nodes of a layer to the means of the nodes that they are joined to, as far as their order and the space
    /// between them allow: the nearest such places, by pooling neighbours that would be too near to each other.
    private mutating func place(_ index: Int, _ joined: (Node) -> [Int]) {
        let layer = layers[index]
        var offsets: [Double] = []
        var offset = 0.0
        for (place, node) in layer.enumerated() {
            if place > 0 {
                let previous = nodes[layer[place - 1]]
                offset += (previous.width + nodes[node].width) / 2 + gap(previous, nodes[node])
            }
            offsets.append(offset)
        }
        var pools: [(sum: Double, count: Int)] = []
        for (place, node) in layer.enumerated() {
            let others = joined(nodes[node]).map { nodes[$0].centre }
            let wanted = others.isEmpty ? nodes[node].centre : others.reduce(0, +) / Double(others.count)
            pools.append((wanted - offsets[place], 1))
            while pools.count > 1, mean(pools[pools.count - 2]) > mean(pools[pools.count - 1]) {
                let last = pools.removeLast()
                pools[pools.count - 1].sum += last.sum
                pools[pools.count - 1].count += last.count
            }
        }
        var place = 0
        for pool in pools {
            for _ in 0..<pool.count {
                nodes[layer[place]].centre = mean(pool) + offsets[place]
                place += 1
            }
        }
    }

    private func mean(_ pool: (sum: Double, count: Int)) -> Double { pool.sum / Double(pool.count) }

    private func gap(_ left: Node, _ right: Node) -> Double {
        switch (left.kind, right.kind) {
        case (.lane, .lane): spacing.across / 3
        case (.box, .box), (.box, .lane), (.lane, .box): spacing.across
        }
    }

    private mutating func finish() {
        let left = nodes.map { $0.centre - $0.width / 2 }.min() ?? 0
        for index in nodes.indices { nodes[index].centre = (nodes[index].centre - left).rounded() }
        width = nodes.map { $0.centre + $0.width / 2 }.max() ?? 0
        var extents: [Int: Extent] = [:]
        var top = 0.0
        for layer in layers {
            let tallest = layer.map { nodes[$0].height }.max() ?? 0
            for node in layer {
                switch nodes[node].kind {
                case .box(let box):
                    let y = top + (tallest - box.height) / 2
                    extents[node] = Extent(layer: top...top + tallest, own: y...y + box.height)
                    corners[box.name] = Point(x: nodes[node].centre - box.width / 2, y: y)
                case .lane: extents[node] = Extent(layer: top...top + tallest, own: top...top + tallest)
                }
            }
            top += tallest + spacing.down
        }
        height = top - spacing.down
        for chain in chains { paths[chain.arrow] = path(chain.nodes, extents) }
    }

    /// How far a node and its layer reach, from the top down.
    private struct Extent {
        let layer: ClosedRange<Double>
        let own: ClosedRange<Double>
    }

    /// The bends of an arrow. Arrows that share a box's edge have their own places on it, in the order of where they lead.
    /// Within a layer they are upright, so that they pass beside its other boxes.
    private func path(_ chain: [Int], _ extents: [Int: Extent]) -> [Point] {
        var points: [Point] = []
        for (place, node) in chain.enumerated() {
            guard let extent = extents[node] else { continue }
            if place > 0 {
                let x = port(node, nodes[node].above, towards: chain[place - 1])
                points += [extent.layer.lowerBound, extent.own.lowerBound].map { Point(x: x, y: $0) }
            }
            if place < chain.count - 1 {
                let x = port(node, nodes[node].below, towards: chain[place + 1])
                points += [extent.own.upperBound, extent.layer.upperBound].map { Point(x: x, y: $0) }
            }
        }
        return points.indices.filter { $0 == 0 || points[$0] != points[$0 - 1] }.map { points[$0] }
    }

    private func port(_ node: Int, _ joined: [Int], towards other: Int) -> Double {
        let ordered = joined.sorted { (nodes[$0].centre, $0) < (nodes[$1].centre, $1) }
        guard ordered.count > 1, let place = ordered.firstIndex(of: other) else { return nodes[node].centre }
        let span = min(nodes[node].width * 0.6, Double(ordered.count - 1) * 18)
        return nodes[node].centre - span / 2 + span * Double(place) / Double(ordered.count - 1)
    }
}
