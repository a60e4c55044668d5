/// A figure of several runs.
package struct Spread: Sendable {
    private let values: [Double]

    package init(_ values: [Double]) {
        self.values = values.sorted()
    }

    package var median: Double { values[values.count / 2] }

    package var least: Double { values[0] }

    package var most: Double { values[values.count - 1] }

    /// The median, and the least and the most in brackets.
    package func text(digits: Int) -> String {
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
