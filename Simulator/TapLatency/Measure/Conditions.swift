import DeviceModel
import Emulator
import Watch
import WatchLink

package struct Conditions: Sendable {
    package var profile: DeviceProfile
    /// The number of items on the watch, 1 to 128.
    package var items: Int
    /// The number of taps in each measurement, 1 to 100,000.
    package var taps: Int
    /// The seed for all random numbers, such as the tapped rows and the pauses between taps.
    package var seed: UInt64
    package var database: Int
    package var processor: ProcessorSource
    /// The share of packets that are lost, 0 to 1. It applies from each touch until the row is removed.
    var loss = 0.0
    var flash = FlashPace.typical
    /// The counts that `tapline count` stored in the handler's package. Nil if the package has none, or has changed since.
    var counts: HandlerCounts?
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

    private static let own = Set((StageSequence(of: EveryStage())?.stages ?? []).map { ObjectIdentifier($0.stage) })

    var listLength: Int { SampleLists.listLength(items: items, database: database) }

    package var phone: InMemoryPhone { SampleLists.phone(items: items, database: database, titles: titles) }

    package func check() throws(TapLatencyError) {
        guard (1...100_000).contains(taps) else { throw .taps(taps) }
        guard (1...WatchLimits.items).contains(items) else { throw .items(items) }
        // A watch that is not full stores all items of the phone's list.
        let least = items < WatchLimits.items ? 1 : items
        guard (least...100_000).contains(database) else { throw .database(database, least: least) }
        guard (0...1).contains(loss) else { throw .loss(loss) }
    }

    /// Returns the instruction counts for a handler with these stages. `stages` is nil if the handler cannot list its stages.
    /// `remaining` is the number of open items on the phone's list.
    func table(for stages: [PlacedStage]?, remaining: Int) -> CountTable {
        var table = CountTable.measured(items: remaining)
        var handler: HandlerCount?
        switch ownCode {
        case .none, .notCounted: break
        case .counted(let found):
            handler = found
            for message in found.messages {
                table.messages[message.name] = message.worst(items: items)?.count(on: profile.processor)
            }
            table.aroundStages = aroundStages(of: found)
            // If the handler cannot list its stages, the stages that ran during the count are used.
            for stage in stages == nil ? found.stages : [] {
                guard let count = stage.worst(items: items)?.count(on: profile.processor) else { continue }
                let other = table.stages[stage.name] ?? .zero
                table.stages[stage.name] = count.cycles > other.cycles ? count : other
            }
        }
        // A stage of another package may have the name of one of Tapline's stages. The count of Tapline's stage is not valid
        // for it.
        for placed in stages ?? [] where !Conditions.own.contains(ObjectIdentifier(placed.stage)) {
            table.stages[placed.name] = nil
        }
        for placed in stages ?? [] {
            if table.stages[placed.name] == nil, let found = count(of: placed, in: handler) {
                table.stages[placed.name] = found.count(on: profile.processor)
            }
        }
        return table
    }
}

extension Conditions {
    /// Returns the stage's highest count in `handler`, or in all counted handlers if `handler` is nil.
    private func count(of placed: PlacedStage, in handler: HandlerCount?) -> StageCase? {
        guard let counts, counts.cover(placed.stage), counts.isCounted(on: profile.processor) else { return nil }
        if let handler {
            return handler.stages.filter { $0.name == placed.name }.compactMap { $0.worst(items: items) }
                .max { $0.mostCycles < $1.mostCycles }
        }
        // All types of a generic stage share one name, so the counts of these types cannot be told apart.
        guard !String(reflecting: placed.stage).contains("<") else { return nil }
        return counts.worst(of: placed.name, items: items)
    }
}

package enum ProcessorSource: Sendable {
    case counted
    /// An emulator executes this image, which contains the measured handler.
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

enum TapPace: Sendable {
    /// Each tap comes shortly after all effects of the previous tap are over. The connection still has its fast parameters.
    case inSequence
    /// Each tap comes when the connection has its slow parameters.
    case atRest

    /// How long to wait once all effects of a tap are over. The watch requests the slow parameters after 5 s without use, and
    /// gets them some connection events later, so 12 s are enough.
    var rest: Microseconds {
        switch self {
        case .inSequence: .zero
        case .atRest: .seconds(12)
        }
    }
}

extension Conditions {
    var atRest: Conditions {
        var resting = self
        resting.pace = .atRest
        resting.taps = min(taps, 5)
        return resting
    }
}

extension Conditions {
    /// How long to wait once all effects of a tap are over. If the profile's phone suspends an unused app, it does so during
    /// this wait.
    var rest: Microseconds { max(pace.rest, profile.phone.suspension?.after ?? .zero) }
}

/// Which rows a measurement taps.
public enum TappedRows: Sendable {
    /// Random rows on the panel.
    case visible
    /// The top row. All rows below it move up, so a tap on another row never changes more lines.
    case top
}

extension HandlerCounts {
    fileprivate func worst(of stage: String, items: Int) -> StageCase? {
        handlers.flatMap(\.stages).filter { $0.name == stage }.compactMap { $0.worst(items: items) }
            .max { $0.mostCycles < $1.mostCycles }
    }
}

extension StageCase {
    /// Returns the maximum number of instructions and the maximum number of cycles that the stage took in a tap. The cycles
    /// were counted on `processor`, and are converted to cycles of the processor of `.memoryLCD`.
    func count(on processor: Processor) -> CodeCount {
        guard processor.cyclesPerInstruction > 0 else { return CodeCount(instructions: mostInstructions) }
        let scale = DeviceProfile.memoryLCD.processor.cyclesPerInstruction / processor.cyclesPerInstruction
        return CodeCount(instructions: mostInstructions, cycles: Int((Double(mostCycles) * scale).rounded()))
    }
}

extension Conditions {
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
            conditions.ownCode = .notCounted(reason: nil)
        }
        return conditions
    }

    private func aroundStages(of handler: HandlerCount) -> [StagePlacement: CodeCount] {
        let counts = handler.around.map {
            ($0.placement, $0.worst(items: items)?.count(on: profile.processor) ?? .zero)
        }
        return Dictionary(counts) { first, _ in first }
    }

    /// How long the handler's code outside its stages takes before the update of the panel, in microseconds. 0 if that code was
    /// not counted.
    var ownTime: UInt64 {
        switch ownCode {
        case .none, .notCounted: 0
        case .counted(let handler):
            profile.processor.time(cycles: profile.processor.cycles(of: aroundStages(of: handler)[.immediate] ?? .zero))
                .count
        }
    }

    private func counted(_ handler: any TapHandler.Type) -> HandlerCount? {
        guard let counts, counts.isCounted(on: profile.processor) else { return nil }
        return counts.handlers.first { $0.name == String(reflecting: handler) }
    }

    /// Whether the handler is one of Tapline's. Tapline's handlers only compose stages.
    private static func isOwn(_ handler: some TapHandler) -> Bool {
        handler is ShippingHandler || handler is LegacyHandler || handler is EveryStage
    }
}

enum OwnCode: Sendable, Equatable {
    /// The handler only composes stages, and has no code of its own.
    case none
    case counted(HandlerCount)
    /// The code has no valid count. `reason` says why and what to do; nil if the code was not counted at all.
    case notCounted(reason: String?)

    /// The handler has stored properties, or is an enum with several cases. So its code may depend on its value.
    static let dependsOnValue = OwnCode.notCounted(
        reason: "only its value of init() was counted: give each handler that you ship a type of its own")
    static let runsOtherStages = OwnCode.notCounted(
        reason: "it has run other stages than it lists: tapline lab --package takes it apart by execution")

    var count: InstructionCount {
        switch self {
        case .none, .counted: .counted
        case .notCounted: .notCounted
        }
    }

    var reason: String? {
        switch self {
        case .none, .counted: nil
        case .notCounted(let reason): reason
        }
    }
}

/// The phone's lists for measurements. A longer list begins with all items of a shorter list, so the panel shows the same rows
/// for both.
enum SampleLists {
    private static let titles = [
        "Apples", "Bananas", "Bread rolls", "Brown rice", "Butter", "Carrots", "Cheddar", "Chickpeas", "Cocoa",
        "Coffee beans",
        "Cucumber", "Dish soap", "Eggs", "Flour", "Garlic", "Ginger", "Honey", "Lemons", "Lentils", "Milk", "Mushrooms",
        "Oat flakes", "Olive oil", "Onions", "Parsley", "Pasta", "Peppers", "Potatoes", "Salt", "Spinach", "Tomatoes",
        "Yoghurt",
    ]

    /// - Parameter number: the number of the item, from 1.
    static func item(_ number: UInt32, _ length: TitleLength = .usual) -> PhoneItem {
        let title = titles[Int(number - 1) % titles.count]
        switch length {
        case .usual: return PhoneItem(id: id(number), title: title)
        case .short: return PhoneItem(id: id(number), title: String(title.prefix(3)))
        case .long: return PhoneItem(id: id(number), title: "\(title), as many as there are in the shop today")
        }
    }

    /// Returns the ID of item `number`. The factor spreads the IDs over 32 bits, because a small ID would take fewer bytes
    /// in a message than a phone's random 32-bit ID. The factor is odd, so all IDs differ, and none is 0.
    static func id(_ number: UInt32) -> UInt32 { number &* 0x9E37_79B1 }

    /// Returns the number of items on the phone's list. It is `database` if the watch is full. Otherwise it is `items`, because
    /// a watch that is not full stores all items of the list.
    static func listLength(items: Int, database: Int) -> Int {
        items < WatchLimits.items ? items : database
    }

    static func phone(items: Int, database: Int, titles: TitleLength = .usual) -> InMemoryPhone {
        let count = listLength(items: items, database: database)
        return InMemoryPhone(list: "Groceries", items: (1...UInt32(count)).map { item($0, titles) })
    }
}

package enum TitleLength: String, Sendable, Codable, CaseIterable {
    /// Titles of three letters.
    case short
    case usual
    /// Titles that do not fit into a row.
    case long
}
