import DeviceModel
import Emulator
import Watch
import WatchLink

/// What a handler is measured under.
package struct Conditions: Sendable {
    package var profile: DeviceProfile
    /// Items on the watch, 1 to 128.
    package var items: Int
    /// Taps of each measurement, 1 to 100,000.
    package var taps: Int
    /// Randomness for the rows that are tapped, the rests and the losses.
    package var seed: UInt64
    /// Items in the phone's database.
    package var database: Int
    package var processor: ProcessorSource
    /// The share of packets that are lost from each touch until its row is gone.
    var loss = 0.0
    /// Instructions of stages by their names; they replace the counted ones.
    var instructions: [String: Int] = [:]
    /// What was counted of stages that are not Tapline's own; nil if nothing was.
    var counts: HandlerCounts?
    /// What was counted of the handler in none of its stages.
    var ownCode = OwnCode.none
    var rows = TappedRows.visible
    var pace = TapPace.inSequence
    var titles = TitleLength.usual

    package init(
        profile: DeviceProfile = .memoryLCD, items: Int = 128, taps: Int = 100, seed: UInt64 = 1,
        database: Int = 2_000, processor: ProcessorSource = .counted
    ) {
        self.profile = profile
        self.items = items
        self.taps = taps
        self.seed = seed
        self.database = database
        self.processor = processor
    }

    /// The types of Tapline's own stages.
    private static let own = Set((StageSequence(of: EveryStage())?.stages ?? []).map { ObjectIdentifier($0.stage) })

    /// How many items the phone's list has.
    var listLength: Int { SampleLists.listLength(items: items, database: database) }

    /// A new phone with that list.
    package var phone: SimulatedPhone { SampleLists.phone(items: items, database: database, titles: titles) }

    /// Checks them for a handler of these stages; nil for one that cannot be taken apart.
    ///
    /// - Throws: the first thing that is wrong with them.
    package func check(_ stages: [PlacedStage]? = nil) throws(TapLatencyError) {
        guard (1...100_000).contains(taps) else { throw .taps(taps) }
        guard (1...WatchLimits.items).contains(items) else { throw .items(items) }
        // A watch with room to spare has all that the phone has.
        let least = items < WatchLimits.items ? 1 : items
        guard (least...100_000).contains(database) else { throw .database(database, least: least) }
        guard (0...1).contains(loss) else { throw .loss(loss) }
        _ = try table(for: stages, remaining: listLength)
    }

    /// What the stages of a handler execute while the phone has `remaining` items to check off.
    func table(for stages: [PlacedStage]?, remaining: Int) throws(TapLatencyError) -> CountTable {
        var table = CountTable.measured(items: remaining)
        var handler: HandlerCount?
        switch ownCode {
        case .none, .notCounted, .dependsOnValue, .runsOtherStages: break
        case .counted(let found):
            handler = found
            for message in found.messages {
                table.messages[message.name] = message.worst(items: items)?.count(on: profile.processor)
            }
            table.aroundStages = aroundStages(of: found)
            // The stages of a handler that cannot be taken apart are those that ran as it was counted.
            for stage in stages == nil ? found.stages : [] {
                guard let count = stage.worst(items: items)?.count(on: profile.processor) else { continue }
                let other = table.stages[stage.name] ?? .zero
                table.stages[stage.name] = count.cycles > other.cycles ? count : other
            }
        }
        // Another package's stage with the name of one of Tapline's was not counted.
        for placed in stages ?? [] where !Conditions.own.contains(ObjectIdentifier(placed.stage)) {
            table.stages[placed.name] = nil
        }
        for placed in stages ?? [] {
            if let counted = placed.stage as? any CountedStage.Type {
                table.stages[placed.name] = CodeCount(instructions: counted.instructions)
            } else if table.stages[placed.name] == nil, let found = count(of: placed, in: handler) {
                table.stages[placed.name] = found.count(on: profile.processor)
            }
        }
        for (name, count) in instructions {
            if let stages, !stages.contains(where: { $0.name == name }) {
                throw .unknownStage(name, known: stages.map(\.name))
            }
            table.stages[name] = CodeCount(instructions: count)
        }
        for (name, count) in table.stages.sorted(by: { $0.key < $1.key }) where count.instructions < 0 {
            throw .instructions(stage: name, count.instructions)
        }
        return table
    }
}

extension Conditions {
    /// What was counted of a stage that is not Tapline's own: in its handler, if that was counted, else in any. A generic stage has
    /// one name for many types, so that only its own handler's count is its.
    private func count(of placed: PlacedStage, in handler: HandlerCount?) -> StageCase? {
        guard let counts, counts.cover(placed.stage), counts.isCounted(on: profile.processor) else { return nil }
        if let handler {
            return handler.stages.filter { $0.name == placed.name }.compactMap { $0.worst(items: items) }
                .max { $0.mostCycles < $1.mostCycles }
        }
        guard !String(reflecting: placed.stage).contains("<") else { return nil }
        return counts.worst(of: placed.name, items: items)
    }
}

/// Where the processor's time of a measurement comes from.
package enum ProcessorSource: Sendable {
    /// From the table of what was counted.
    case counted
    /// From the execution of an image of Tapline's own handlers.
    case executed(LabImage)
}

extension ProcessorSource {
    var time: ProcessorTime {
        switch self {
        case .counted: .counted
        case .executed: .executed
        }
    }
}

/// How far apart taps are.
enum TapPace: Sendable {
    /// As soon as all that the tap before has caused is over, when the connection is fast still.
    case inSequence
    /// After so long that the connection is in its slow tempo.
    case atRest

    /// For how long the watch rests more than what a tap causes. The watch asks for the slow tempo 5 s after something has happened,
    /// and has it some events later.
    var rest: Microseconds {
        switch self {
        case .inSequence: .zero
        case .atRest: .seconds(12)
        }
    }
}

extension Conditions {
    /// Few taps, each on a connection at rest.
    var atRest: Conditions {
        var resting = self
        resting.pace = .atRest
        resting.taps = min(taps, 5)
        return resting
    }
}

/// Which rows are tapped.
public enum TappedRows: Sendable {
    /// Any of those on the panel, by chance.
    case visible
    /// The one at the top: every row below it moves, so that no tap changes more lines.
    case top
}

extension HandlerCounts {
    /// What a stage takes at most on lists of a length, in whatever handler it is; nil if it was not counted.
    fileprivate func worst(of stage: String, items: Int) -> StageCase? {
        handlers.flatMap(\.stages).filter { $0.name == stage }.compactMap { $0.worst(items: items) }
            .max { $0.mostCycles < $1.mostCycles }
    }
}

extension StageCase {
    /// What it takes at most, counted on `processor`, as a table has it.
    func count(on processor: Processor) -> CodeCount {
        guard processor.cyclesPerInstruction > 0 else { return CodeCount(instructions: mostInstructions) }
        let scale = DeviceProfile.memoryLCD.processor.cyclesPerInstruction / processor.cyclesPerInstruction
        return CodeCount(instructions: mostInstructions, cycles: Int((Double(mostCycles) * scale).rounded()))
    }
}

extension Conditions {
    /// The same for a handler of this type: with what was counted of its own code on lists as long as these.
    func of<Handler: TapHandler>(_ handler: Handler) -> Conditions {
        var conditions = self
        if StageSequence.isComposition(handler) || Conditions.isOwn(handler) {
            conditions.ownCode = .none
        } else if let found = counted(Handler.self) {
            if MemoryLayout<Handler>.size > 0 {
                conditions.ownCode = .dependsOnValue
            } else if let sequence = StageSequence(of: handler), !found.ran(sequence.stages) {
                conditions.ownCode = .runsOtherStages
            } else {
                conditions.ownCode = .counted(found)
            }
        } else {
            conditions.ownCode = .notCounted
        }
        return conditions
    }

    /// What of a handler's own code is charged on lists as long as these.
    func aroundStages(of handler: HandlerCount) -> CountTable.AroundStages {
        func code(_ placement: StagePlacement) -> CodeCount {
            let worst = handler.around.first { $0.placement == placement }?.worst(items: items)
            return worst?.count(on: profile.processor) ?? .zero
        }
        return CountTable.AroundStages(immediate: code(.immediate), deferred: code(.deferred))
    }

    /// What of a handler's own code comes before the update.
    var ownTime: UInt64 {
        switch ownCode {
        case .none, .notCounted, .dependsOnValue, .runsOtherStages: 0
        case .counted(let handler):
            profile.processor.time(cycles: profile.processor.cycles(of: aroundStages(of: handler).immediate)).count
        }
    }

    /// What was counted of a handler, on this processor.
    private func counted(_ handler: any TapHandler.Type) -> HandlerCount? {
        guard let counts, counts.isCounted(on: profile.processor) else { return nil }
        return counts.handlers.first { $0.name == String(reflecting: handler) }
    }

    /// Whether it is one of Tapline's own, which compose their stages and do nothing besides.
    private static func isOwn(_ handler: some TapHandler) -> Bool {
        handler is ShippingHandler || handler is LegacyHandler || handler is EveryStage
    }
}

/// What a handler computes in none of its stages.
enum OwnCode: Sendable, Equatable {
    /// Nothing: it is composed of stages and has no code of its own.
    case none
    case counted(HandlerCount)
    /// It was not counted.
    case notCounted
    /// It was counted, and has stored properties or several cases: it may do something else than the value that `init()` makes.
    case dependsOnValue
    /// It was counted, and has run other stages than it lists.
    case runsOtherStages

    /// What a report says of it.
    var count: InstructionCount {
        switch self {
        case .none, .counted: .counted
        case .notCounted, .dependsOnValue, .runsOtherStages: .notCounted
        }
    }

    /// Why the count does not hold, and what to do; nil if it holds, or if there is no count.
    var reason: String? {
        switch self {
        case .none, .counted, .notCounted: nil
        case .dependsOnValue:
            "it is more than one value, and the one of init() was counted: give what you ship a type of its own"
        case .runsOtherStages:
            "it has run other stages than it lists: tapline lab --package takes it apart by execution"
        }
    }
}

/// The list that is measured with: the same titles in the same order, whatever its length, so that lists of every
/// length draw the same rows.
enum SampleLists {
    private static let titles = [
        "Apples", "Bananas", "Bread rolls", "Brown rice", "Butter", "Carrots", "Cheddar", "Chickpeas", "Cocoa",
        "Coffee beans",
        "Cucumber", "Dish soap", "Eggs", "Flour", "Garlic", "Ginger", "Honey", "Lemons", "Lentils", "Milk", "Mushrooms",
        "Oat flakes", "Olive oil", "Onions", "Parsley", "Pasta", "Peppers", "Potatoes", "Salt", "Spinach", "Tomatoes",
        "Yoghurt",
    ]

    /// Item `number`, counted from 1.
    static func item(_ number: UInt32, _ length: TitleLength = .usual) -> PhoneItem {
        let title = titles[Int(number - 1) % titles.count]
        switch length {
        case .usual: return PhoneItem(id: id(number), title: title)
        case .short: return PhoneItem(id: id(number), title: String(title.prefix(3)))
        case .long: return PhoneItem(id: id(number), title: "\(title), as many as there are in the shop today")
        }
    }

    /// The phone's number for an item. It is spread over all 32 bits, as those of the phone's database are, which are
    /// random: a small one would take fewer bytes. 0x9E3779B1 is odd, so that no two are the same and none
    /// is 0.
    static func id(_ number: UInt32) -> UInt32 { number &* 0x9E37_79B1 }

    /// How many items the phone's list has: all of its database if that fills the watch, otherwise as many as the
    /// watch.
    static func listLength(items: Int, database: Int) -> Int {
        items < WatchLimits.items ? items : database
    }

    /// A phone that gives a watch `items` items of a database of `database`.
    static func phone(items: Int, database: Int, titles: TitleLength = .usual) -> SimulatedPhone {
        let count = listLength(items: items, database: database)
        return SimulatedPhone(list: "Groceries", items: (1...UInt32(count)).map { item($0, titles) })
    }
}

/// How long the titles of a list are.
package enum TitleLength: String, Sendable, Codable, CaseIterable {
    /// Three letters.
    case short
    /// As in a shopping list.
    case usual
    /// Longer than a row has room for.
    case long
}
