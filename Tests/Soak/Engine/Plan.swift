import Foundation

/// The cast of a scenario, and its events with their times. The same plan gives the same story, to the byte.
struct Plan<S: Scenario>: Codable, Equatable, Sendable {
    struct PlannedEvent: Codable, Equatable, Sendable {
        /// The time in milliseconds since the beginning of the plan.
        var at: Int
        var what: S.Event
    }

    /// Decides what the plan does not say, such as torn bytes, lost packets and identities.
    var seed: UInt64
    var cast: S.Cast
    /// Sorted by time.
    var events: [PlannedEvent]

    init(seed: UInt64, cast: S.Cast, events: [PlannedEvent]) {
        self.seed = seed
        self.cast = cast
        self.events = events
    }

    init(seed: UInt64, cast: S.Cast, _ events: [(at: Int, what: S.Event)]) {
        self.init(seed: seed, cast: cast, events: events.map { PlannedEvent(at: $0.at, what: $0.what) })
    }

    init(seed: UInt64, faults: [Fault]? = nil) { self = S.plan(seed, faults: faults) }

    mutating func insert(_ what: S.Event, at time: Int) {
        let index = events.firstIndex { $0.at > time } ?? events.endIndex
        events.insert(PlannedEvent(at: time, what: what), at: index)
    }
}

package protocol SoakPlan: Sendable {
    /// The plan as JSON, with one event on each line. `soak --plan` reads this text.
    var text: String { get }
    /// Runs the plan and returns its story. If the plan breaks a promise, returns the smallest failing plan found, with
    /// its story and the programs' logs.
    func told() -> (lines: [String], isKept: Bool)
}

extension Plan: SoakPlan {
    package var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        func json(_ value: some Encodable) -> String {
            // Whole numbers and names always have a JSON form.
            (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        return "{\"cast\":\(json(cast)),\"scenario\":\"\(S.name)\",\"seed\":\(seed),\"events\":[\n"
            + events.map(json).joined(separator: ",\n") + "\n]}"
    }

    package func told() -> (lines: [String], isKept: Bool) {
        let outcome = run(told: true)
        guard outcome.violation != nil else { return (outcome.story, true) }
        let small = shrunk()
        let again = small.run(told: true)
        var lines = again.story + ["", "The programs' logs:"] + again.log.map { "  \($0)" }
        if let violation = again.violation {
            lines += ["", "NOT KEPT: \(violation.promise.rawValue): \(violation.what)"]
        }
        return (lines + ["The plan, for `soak --plan FILE`:", small.text], false)
    }
}

package enum Scenarios {
    static let all: [any Scenario.Type] = [WatchScenario.self, DeliveryScenario.self, CalendarScenario.self]

    package static func plans(of seed: UInt64) -> [any SoakPlan] {
        func plan<S: Scenario>(_ scenario: S.Type) -> any SoakPlan { Plan<S>(seed: seed) }
        return all.filter { $0.isInRange(seed) }.map { plan($0) }
    }

    /// Reads a plan from `SoakPlan.text`. Skips a story before the plan, so the whole output of `soak --seed` can be
    /// read.
    package static func plan(text: String) throws(SoakError) -> any SoakPlan {
        struct Head: Decodable {
            let scenario: String
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix("{") }
        let json = Data(lines.joined(separator: "\n").utf8)
        guard let name = try? JSONDecoder().decode(Head.self, from: json).scenario,
            let scenario = all.first(where: { $0.name == name })
        else { throw .notAPlan(reason: lines.isEmpty ? "no line begins with {" : "it names no scenario") }
        return try read(scenario, json)
    }

    private static func read<S: Scenario>(_: S.Type, _ json: Data) throws(SoakError) -> any SoakPlan {
        guard let plan = try? JSONDecoder().decode(Plan<S>.self, from: json) else {
            throw .notAPlan(reason: "it cannot be decoded")
        }
        if let problem = S.problem(of: plan) { throw .notAPlan(reason: problem) }
        return plan
    }
}

package enum SoakError: Error, Equatable, CustomStringConvertible {
    case notAPlan(reason: String)
    case notARange(String)

    package var description: String {
        switch self {
        case .notAPlan(let reason):
            "there is no plan in it (\(reason)): give what `soak --seed` prints if a promise is broken"
        case .notARange(let text): "\"\(text)\" is no range of seeds: write it as 0-9999"
        }
    }
}
