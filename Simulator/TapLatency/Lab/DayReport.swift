import DeviceModel
import WatchLink

/// What a described day takes from the battery. Charges are microampere-hours.
package struct DayReport: Sendable, Encodable, Equatable {
    /// The profile's name.
    package var profile: String
    /// Items on the watch.
    package var items: Int
    /// Items in the phone's database.
    package var database: Int
    package var seed: UInt64
    /// Where the processor's time comes from.
    package var processor: ProcessorTime
    package var day: DescribedDay
    /// What the battery holds, in milliampere-hours.
    package var batteryMilliampereHours: Double
    /// One or two handlers.
    package var handlers: [DayUse]
    /// What the figures rest on, a sentence each.
    package var assumptions: [String]

    /// The report as JSON: indented, keys in alphabetical order. The same report gives the same bytes.
    package var json: [UInt8] { reportJSON() }
}

/// What the day of one handler takes.
package struct DayUse: Sendable, Encodable, Equatable {
    /// The handler's name.
    package var handler: String
    /// An hour in which nothing happens.
    package var idleHour: PartCharges
    /// What one look takes beyond that.
    package var look: PartCharges
    /// What one tap takes beyond that.
    package var tap: PartCharges
    /// What one change from the phone takes beyond that.
    package var change: PartCharges
    /// The whole day.
    package var day: PartCharges
    /// How many such days a full battery lasts; nil if they take nothing from it.
    package var batteryDays: Double?

    /// The sum over a day.
    init(
        handler: String, idleHour: PartCharges, _ happenings: [DayHappening: PartCharges], on day: DescribedDay,
        battery: Double
    ) {
        self.handler = handler
        self.idleHour = idleHour
        look = happenings[.look] ?? PartCharges()
        tap = happenings[.tap] ?? PartCharges()
        change = happenings[.change] ?? PartCharges()
        self.day = PartCharges()
        self.day = DayHappening.allCases.reduce(idle) { sum, happening in
            sum.merged(with: taken(by: happening, on: day)) { $0 + $1 }
        }
        batteryDays = self.day.total > 0 ? battery * 1_000 / self.day.total : nil
    }

    /// What 24 hours take in which nothing happens.
    package var idle: PartCharges { idleHour.times(24) }

    /// What all looks, taps or changes of a day take beyond that.
    package func taken(by happening: DayHappening, on day: DescribedDay) -> PartCharges {
        let one =
            switch happening {
            case .look: look
            case .tap: tap
            case .change: change
            }
        return one.times(Double(day.count(of: happening)))
    }
}

/// A day of a watch's wearer, as far as the model knows of it: what happens, and how often. The watch is connected all day.
package struct DescribedDay: Sendable, Encodable, Equatable {
    /// How often the wearer opens the list to look at it.
    package var looks: Int
    /// How often the wearer opens the list and checks an item off.
    package var taps: Int
    /// How often an item changes on the phone.
    package var changes: Int

    /// A wearer looks at the watch every twelve minutes of sixteen hours, and taps at every second look. The phone's owner changes
    /// 30 items. All three numbers are assumed.
    package static let usual = DescribedDay(looks: 80, taps: 40, changes: 30)

    /// How far apart happenings are: as long as it takes until the connection is at rest again, and longer.
    static let apart = Microseconds.seconds(30)
    /// As many as a day has room for.
    static let most = 24 * 60 * 2

    package init(looks: Int, taps: Int, changes: Int) {
        self.looks = looks
        self.taps = taps
        self.changes = changes
    }

    /// - Throws: `.day` if no day has room for that.
    func check() throws(TapLatencyError) {
        let counts = [looks, taps, changes]
        guard counts.allSatisfy({ (0...DescribedDay.most).contains($0) }), counts.reduce(0, +) <= DescribedDay.most
        else { throw .day(looks: looks, taps: taps, changes: changes) }
    }

    /// How often something happens.
    func count(of happening: DayHappening) -> Int {
        switch happening {
        case .look: looks
        case .tap: taps
        case .change: changes
        }
    }
}

/// What happens on a day, from a face with a connection at rest to the same again.
package enum DayHappening: String, Sendable, CaseIterable {
    /// The wearer opens the list, reads it for five seconds and goes back to the face.
    case look
    /// The wearer opens the list, taps a row a second later, and goes back to the face four seconds after the watch has handled that.
    case tap
    /// The phone's owner renames an item of the list.
    case change
}

/// What takes charge from the battery.
package enum ChargedPart: String, Sendable, CaseIterable, Encodable, CodingKeyRepresentable {
    /// What flows all the time: the processor asleep, the panel with a still picture, the other chips in standby.
    case sleep
    case processor, panel, flash, haptic
    /// Connection events that the watch listens in, whatever they carry, and the bytes in them.
    case radioEvents, radioPackets

    /// The part in a few words, for a table.
    package var title: String {
        switch self {
        case .sleep: "asleep"
        case .processor: "processor"
        case .panel: "panel"
        case .flash: "flash"
        case .haptic: "haptic"
        case .radioEvents: "radio, events"
        case .radioPackets: "radio, packets"
        }
    }
}

/// Charge by the part that takes it, in microampere-hours: what something takes more than rest may be a little less than nothing.
package struct PartCharges: Sendable, Encodable, Equatable {
    private var amounts: [ChargedPart: Double]

    init(_ amounts: [ChargedPart: Double] = [:]) {
        self.amounts = amounts
    }

    init(_ use: EnergyUse) {
        let charges: [ChargedPart: Charge] = [
            .sleep: use.sleep, .processor: use.processor, .panel: use.panel, .flash: use.flash, .haptic: use.haptic,
            .radioEvents: use.radioEvents, .radioPackets: use.radioPackets,
        ]
        amounts = charges.mapValues { $0.milliampereHours * 1_000 }
    }

    package var total: Double { ChargedPart.allCases.reduce(0) { $0 + self[$1] } }

    /// The charge of one part.
    package internal(set) subscript(part: ChargedPart) -> Double {
        get { amounts[part, default: 0] }
        set { amounts[part] = newValue }
    }

    /// Each part of the one with that of the other.
    func merged(with other: PartCharges, _ merge: (Double, Double) -> Double) -> PartCharges {
        var all = self
        for part in ChargedPart.allCases { all[part] = merge(self[part], other[part]) }
        return all
    }

    /// `factor` times as much.
    func times(_ factor: Double) -> PartCharges { merged(with: self) { own, _ in own * factor } }

    /// Writes the charges by the names of the parts.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(amounts)
    }
}

/// What a day's figures rest on, beside the numbers of the profile.
enum DayAssumptions {
    static func sentences(_ processor: ProcessorTime) -> [String] {
        [
            "The counts of looks, taps and changes are assumed.",
            "A look opens the list with the crown for 5 s; a tap opens it, checks an item off after 1 s and goes back 4 s after that; "
                + "a change is one item renamed on the phone.",
            "Each is the mean of 16 that were simulated 30 s apart, beyond what rest takes, times its count: in a row they "
                + "share the connection's fast tempo and take less.",
            "The rest is 16 minutes simulated on the face, connected, for 24 hours: nobody goes out of reach, and the flash "
                + "chip's rare compactions are in no figure.",
            "No light, no sensors, no notifications: the model has none.",
        ] + unknown(processor)
    }

    private static func unknown(_ processor: ProcessorTime) -> [String] {
        switch processor {
        case .executed: []
        case .counted:
            ["The table has no instructions of the session with the phone: executed, the processor takes more."]
        case .unknown: ["The handler's code is not counted, and the processor's charge lacks it."]
        }
    }
}
