/// By how much a figure may grow, in per cent of what it was, and still count as kept.
package struct Tolerance: Sendable, Equatable {
    /// Per cent, 0 or more.
    package let percent: Double

    /// What is tolerated where nothing else is said: 2 %.
    package static let usual = Tolerance(percent: 2)

    private init(percent: Double) {
        self.percent = percent
    }

    /// The tolerance that a text means: `2%`, `2 %`, `2`, `0.5%` or `0`.
    ///
    /// - Throws: `.tolerance` where it means none: it is empty, negative, or no number in decimal digits.
    package init(_ text: String) throws(TapLatencyError) {
        var digits = text[...]
        if digits.last == "%" {
            digits.removeLast()
            if digits.last == " " { digits.removeLast() }
        }
        // Double reads more than people write here: nan, infinity, 0x10 and 1e9.
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) }),
            let percent = Double(String(digits)), percent.isFinite
        else { throw .tolerance(text) }
        self.init(percent: percent)
    }

    /// The tolerance in a sentence: `2 %`.
    package var words: String { "\(Wording.exact(percent)) %" }

    /// Whether `amount` is more than is tolerated of `base`. Of nothing, nothing is tolerated.
    func isExceeded(by amount: UInt64, of base: UInt64) -> Bool {
        Double(amount) * 100 > percent * Double(base)
    }
}
