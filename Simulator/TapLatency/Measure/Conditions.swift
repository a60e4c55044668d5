import DeviceModel
import Watch
import WatchLink

/// What a handler is measured under.
struct Conditions: Sendable {
    var profile: DeviceProfile
    var items: Int
    var taps: Int
    var seed: UInt64
    var database: Int
    /// The share of connection events that are lost from each touch until its row is gone.
    var loss = 0.0
    /// Instructions of stages by their names; they replace the counted ones.
    var instructions: [String: Int] = [:]
    var limits = StageLimits()
    var rows = TappedRows.visible

    /// How many items the phone's list has.
    var listLength: Int { SampleLists.listLength(items: items, database: database) }

    /// Checks them for a handler of these stages; nil for one that cannot be taken apart.
    ///
    /// - Throws: the first thing that is wrong with them.
    func check(_ stages: [PlacedStage]?) throws(TapLatencyError) {
        guard (1...100_000).contains(taps) else { throw .taps(taps) }
        guard (1...WatchLimits.items).contains(items) else { throw .items(items) }
        // A watch with room to spare has all that the phone has.
        let least = items < WatchLimits.items ? 1 : items
        guard (least...100_000).contains(database) else { throw .database(database, least: least) }
        guard (0...1).contains(loss) else { throw .loss(loss) }
        _ = try table(for: stages, remaining: listLength)
    }

    /// What the stages of a handler execute while the phone has `remaining` items to check off.
    func table(for stages: [PlacedStage]?, remaining: Int) throws(TapLatencyError) -> InstructionTable {
        var table = InstructionTable.measured(items: remaining)
        for placed in stages ?? [] {
            guard let counted = placed.stage as? any CountedStage.Type else { continue }
            table.stages[placed.name] = counted.instructions
        }
        for (name, count) in instructions {
            if let stages, !stages.contains(where: { $0.name == name }) {
                throw .unknownStage(name, known: stages.map(\.name))
            }
            table.stages[name] = count
        }
        for (name, count) in table.stages.sorted(by: { $0.key < $1.key }) where count < 0 {
            throw .instructions(stage: name, count)
        }
        return table
    }
}

/// Which rows are tapped.
public enum TappedRows: String, Sendable, Codable {
    /// Any of those on the panel, by chance.
    case visible
    /// The one at the top: every row below it moves, so that no tap changes more lines.
    case top
}
