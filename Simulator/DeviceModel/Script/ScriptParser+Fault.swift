import WatchLink

extension ScriptParser {
    /// Reads what follows `fault`.
    static func fault(_ words: inout ScriptWords) throws(ScriptError.Problem) -> FaultChange {
        let allowed =
            "fault loss PERCENT, cut [DURATION], open, jitter MS, phone MS, flash typical|maximum, battery charged|low or none"
        switch try words.one(allowed, { $0 }) {
        case "loss":
            return .loss(percent: try words.only("fault loss PERCENT with PERCENT 0 to 100") { percent($0) })
        case "cut":
            guard !words.rest.isEmpty else { return .cut }
            return .cutFor(try words.only("fault cut, or fault cut DURATION such as 5s") { duration($0) })
        case "open":
            try words.end("fault open alone")
            return .open
        case "jitter":
            return .jitter(try words.only("fault jitter MS with MS 0 to 10000") { milliseconds($0, to: 10_000) })
        case "phone":
            return .phone(try words.only("fault phone MS with MS 0 to 60000") { milliseconds($0, to: 60_000) })
        case "flash":
            return .flash(try words.only("fault flash typical or fault flash maximum") { pace($0) })
        case "battery":
            return .battery(try words.only("fault battery charged or fault battery low") { battery($0) })
        case "none":
            try words.end("fault none alone")
            return .none
        case let other:
            throw .malformed(fault: "\"\(other)\" does not fit", allowed: allowed)
        }
    }

    private static func percent(_ word: String) -> Int? {
        Int(word).flatMap { (0...100).contains($0) ? $0 : nil }
    }

    private static func milliseconds(_ word: String, to limit: UInt32) -> Microseconds? {
        UInt32(word).flatMap { $0 <= limit ? .milliseconds($0) : nil }
    }

    private static func pace(_ word: String) -> FlashCost.Pace? {
        switch word {
        case "typical": .typical
        case "maximum": .maximum
        default: nil
        }
    }

    private static func battery(_ word: String) -> Supply? {
        switch word {
        case "charged": .sufficient
        case "low": .low
        default: nil
        }
    }
}
