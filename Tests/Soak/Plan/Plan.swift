/// Some minutes of watches and phones: who is there, and what happens when. The same plan gives the same story, to the byte.
package struct Plan: Codable, Equatable, Sendable {
    /// Randomness for everything that the plan does not say: torn bytes, lost packets, identities.
    package var seed: UInt64
    /// The number of watches, 1 to 4.
    package var watches: Int
    /// The items on the list of each phone at the beginning.
    package var items: [Int]
    /// Where the numbers of messages begin, on both sides.
    package var numbers = Numbers.usual
    /// How long the watches' flash chips take.
    package var flash = Flash.typical
    /// What happens, in order.
    package var events: [PlannedEvent]

    /// Which times of the datasheet the flash chips take.
    package enum Flash: String, Codable, Sendable {
        case typical, maximum
    }

    /// Where the numbers of messages begin.
    package enum Numbers: String, Codable, Sendable {
        case usual
        /// Shortly before the last one that there is.
        case large
    }

    /// Whether somebody sends files, for which the watches have a handler and sectors.
    var sendsFiles: Bool {
        events.contains {
            if case .sendFile = $0.what { true } else { false }
        }
    }

    /// Whether wearers add past items, so that the phones' owners have bought some before.
    var offersPast: Bool {
        events.contains {
            if case .addPast = $0.what { true } else { false }
        }
    }
}

/// Something that happens at a time.
package struct PlannedEvent: Codable, Equatable, Sendable {
    /// Milliseconds since the beginning.
    package var at: Int
    /// What happens.
    package var what: Happening
}

extension Plan {
    /// The plan as JSON with one event a line, as `--plan` reads it.
    package var text: String {
        let head = "\"flash\":\"\(flash.rawValue)\",\"items\":\(items),\"numbers\":\"\(numbers.rawValue)\""
        return PlanText.writing("\(head),\"seed\":\(seed),\"watches\":\(watches)", "events", events)
    }

    /// Reads what `text` has written, also behind a story.
    package init(text: String) throws(SoakError) {
        self = try PlanText.reading(text)
        guard (1...4).contains(watches), (1...2).contains(items.count), items.allSatisfy({ (0...500).contains($0) })
        else { throw .notAPlan(reason: "a plan has 1 to 4 watches, 1 or 2 phones, and at most 500 items each") }
    }
}

/// What `tapline soak` cannot do. The description is one line that says what happened and what to do.
package enum SoakError: Error, Equatable, CustomStringConvertible {
    /// A file is not a plan.
    case notAPlan(reason: String)
    /// A line is not the report of a range.
    case notAReport(line: Int)
    /// Seeds are given as one number or as two with a hyphen.
    case notARange(String)

    /// One line.
    package var description: String {
        switch self {
        case .notAPlan(let reason):
            "there is no plan in it (\(reason)): give what `tapline soak --seed` prints where a promise is broken"
        case .notAReport(let line): "line \(line) is no report: give files that `tapline soak --json` has written"
        case .notARange(let text): "\"\(text)\" is no range of seeds: write it as 0-9999"
        }
    }
}
