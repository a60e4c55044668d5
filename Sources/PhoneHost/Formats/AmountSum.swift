import Foundation

/// Adds amounts: `100 g` and `50 g` are `150 g`, and `1 l` and `2 cups` are `1 l + 2 cups`.
enum AmountSum {
    /// Adds two amounts or sums of amounts. Parts with the same unit are added, and the others are joined with a plus.
    static func of(_ first: String, _ second: String) -> String {
        var parts = first.split(separator: " + ").map(String.init)
        for part in second.split(separator: " + ").map(String.init) {
            let sums = parts.indices.lazy.compactMap { place in sum(parts[place], part).map { (place, $0) } }
            if let (place, sum) = sums.first { parts[place] = sum } else { parts.append(part) }
        }
        return parts.joined(separator: " + ")
    }

    private static func sum(_ first: String, _ second: String) -> String? {
        guard let one = AmountReader(first).single, let other = AmountReader(second).single,
            one.unit.isEmpty == other.unit.isEmpty, AmountUnit.place(of: one.unit) == AmountUnit.place(of: other.unit),
            let count = value(one.number), let more = value(other.number)
        else { return nil }
        let number = text(count + more, like: one.number + other.number)
        let unit = count < more ? other.unit : one.unit
        return number + one.gap + (count + more > whole ? AmountUnit.several(unit) : unit)
    }

    /// The fixed-point form of the number 1. It is a multiple of 10,000 and of each integer up to 10. So sums of halves to
    /// tenths, and of numbers with up to four decimals, are exact.
    private static let whole = 630_000

    /// Converts a number to units of 1/630,000. Nil if the result is not an integer, or if the text is ambiguous: `1,000` may
    /// be 1 or 1000.
    private static func value(_ number: String) -> Int? {
        // `1½` becomes `1 1⁄2`.
        let parts = number.map { character in
            let parts = String(character).decomposedStringWithCompatibilityMapping
            return parts.count > 1 ? " " + parts : parts
        }
        return parts.joined().split(separator: " ").reduce(0) { (sum: Int?, part) in
            let halves = part.split { "/⁄".contains($0) }
            let digits = halves[0].split(omittingEmptySubsequences: false) { ".,".contains($0) }
            let decimals = digits.dropFirst().first?.count ?? 0
            guard let sum, part.count < 10, decimals != 3, decimals < 5, let count = Int(digits.joined()),
                let divisor = halves.count > 1 ? Int(halves[1]) : Int("1" + String(repeating: "0", count: decimals)),
                divisor > 0, (whole * count).isMultiple(of: divisor)
            else { return nil }
            return sum + whole * count / divisor
        }
    }

    /// Writes a value as a fraction if `numbers` contains a fraction. Otherwise writes a decimal with the separator of `numbers`.
    private static func text(_ value: Int, like numbers: String) -> String {
        let (count, rest) = value.quotientAndRemainder(dividingBy: whole)
        if rest == 0 { return "\(count)" }
        if numbers.contains(where: { !$0.isASCII || $0 == "/" }),
            let divisor = (2...whole).first(where: { (rest * $0).isMultiple(of: whole) })
        {
            return (count > 0 ? "\(count) " : "") + "\(rest * divisor / whole)/\(divisor)"
        }
        var decimals = String(10_000 + rest * 10_000 / whole).dropFirst()
        while decimals.last == "0" { decimals.removeLast() }
        return "\(count)\(numbers.contains(",") ? "," : ".")\(decimals)"
    }
}
