import Foundation

struct Figures {
    let title: String
    private(set) var rows: [(name: String, text: String)] = []

    init(_ title: String) { self.title = title }

    mutating func add(_ name: String, _ text: String) { rows.append((name, text)) }

    mutating func add(_ name: String, _ values: [Double], digits: Int = 0, _ unit: String) {
        add(name, Spread(values).text(digits: digits) + " " + unit)
    }

    var text: String {
        ([title] + rows.map { "  " + $0.name.padding(toLength: 62, withPad: " ", startingAt: 0) + $0.text })
            .joined(separator: "\n")
    }
}

struct Spread: Sendable {
    private let values: [Double]

    init(_ values: [Double]) {
        self.values = values.sorted()
    }

    var median: Double { values[values.count / 2] }

    var least: Double { values[0] }

    var most: Double { values[values.count - 1] }

    func text(digits: Int) -> String {
        "\(Self.rounded(median, digits)) (\(Self.rounded(least, digits)) to \(Self.rounded(most, digits)))"
    }

    private static func rounded(_ value: Double, _ digits: Int) -> String {
        guard digits > 0 else { return String(Int(value.rounded())) }
        let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
        let whole = Int((value * Double(scale)).rounded())
        let fraction = String(whole % scale)
        return "\(whole / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}
