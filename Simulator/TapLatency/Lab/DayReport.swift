import DeviceModel
import WatchLink

/// What a described day takes from the battery. Charges are microampere-hours.
package struct DayReport: Sendable, Encodable, Equatable {
    package var profile: String
    /// On the watch.
    package var items: Int
    /// In the phone's database.
    package var database: Int
    package var seed: UInt64
    package var processor: ProcessorTime
    package var day: DescribedDay
    /// What the battery holds, in milliampere-hours.
    package var batteryMilliampereHours: Double
    package var handlers: [DayUse]
    /// A sentence each.
    package var assumptions: [String]

    package var json: [UInt8] { reportJSON() }
}

/// The day of one handler.
package struct DayUse: Sendable, Encodable, Equatable {
    package var handler: String
    package var idleHour: PartCharges
    /// One look, beyond rest.
    package var look: PartCharges
    /// One tap, beyond rest.
    package var tap: PartCharges
    /// One change on the phone, beyond rest.
    package var change: PartCharges
    package var day: PartCharges
    /// Days that a full battery lasts; nil if a day takes nothing.
    package var batteryDays: Double?

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

    /// 24 hours of rest.
    package var idle: PartCharges { idleHour.times(24) }

    /// All looks, taps or changes of a day, beyond rest.
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

/// What happens on a day, and how often. The watch is connected all day.
package struct DescribedDay: Sendable, Encodable, Equatable {
    /// How often the wearer opens the list to look at it.
    package var looks: Int
    /// How often the wearer opens the list and checks an item off.
    package var taps: Int
    /// How often an item changes on the phone.
    package var changes: Int

    /// A look every twelve minutes of sixteen hours, and a tap at every second look. All three numbers are assumptions.
    package static let usual = DescribedDay(looks: 80, taps: 40, changes: 30)

    /// Between two happenings: longer than it takes until the connection is at rest again.
    static let apart = Microseconds.seconds(30)
    /// As many as fit into a day.
    static let most = 24 * 60 * 2

    package init(looks: Int, taps: Int, changes: Int) {
        self.looks = looks
        self.taps = taps
        self.changes = changes
    }

    /// - Throws: `.day`.
    func check() throws(TapLatencyError) {
        let counts = [looks, taps, changes]
        guard counts.allSatisfy({ (0...DescribedDay.most).contains($0) }), counts.reduce(0, +) <= DescribedDay.most
        else { throw .day(looks: looks, taps: taps, changes: changes) }
    }

    func count(of happening: DayHappening) -> Int {
        switch happening {
        case .look: looks
        case .tap: taps
        case .change: changes
        }
    }
}

/// What happens on a day. It begins and ends on the face, with the connection at rest.
package enum DayHappening: String, Sendable, CaseIterable {
    /// The wearer opens the list, reads it for 5 s and goes back.
    case look
    /// The wearer opens the list, taps a row 1 s later, and goes back 4 s after that.
    case tap
    /// An item is renamed on the phone.
    case change
}

extension ChargedPart {
    /// For a table.
    package var title: String {
        switch self {
        case .sleep: "asleep"
        case .processor, .panel, .flash, .haptic: rawValue
        case .radioEvents: "radio, events"
        case .radioPackets: "radio, packets"
        }
    }
}

/// Charge in microampere-hours. A difference from rest may be slightly negative.
package struct PartCharges: Sendable, Encodable, Equatable {
    private var amounts: [ChargedPart: Double]

    init(_ amounts: [ChargedPart: Double] = [:]) {
        self.amounts = amounts
    }

    init(picocoulombs: [ChargedPart: Double]) {
        amounts = picocoulombs.mapValues { $0 / 1_000_000 / 3_600_000 * 1_000 }
    }

    package var total: Double { ChargedPart.allCases.reduce(0) { $0 + self[$1] } }

    package internal(set) subscript(part: ChargedPart) -> Double {
        get { amounts[part, default: 0] }
        set { amounts[part] = newValue }
    }

    /// Combines each part with that of the other.
    func merged(with other: PartCharges, _ merge: (Double, Double) -> Double) -> PartCharges {
        var all = self
        for part in ChargedPart.allCases { all[part] = merge(self[part], other[part]) }
        return all
    }

    func times(_ factor: Double) -> PartCharges { merged(with: self) { own, _ in own * factor } }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(amounts)
    }
}

extension ProcessorTime {
    /// What the figures of a day rest on, beside the numbers of the profile.
    var dayAssumptions: [String] {
        let unknown: [String] =
            switch self {
            case .executed: []
            case .counted:
                ["The table has no instructions of the session with the phone: executed, the processor takes more."]
            case .unknown: ["The handler's code is not counted, and the processor's charge lacks it."]
            }
        return [
            "The counts of looks, taps and changes are assumed.",
            "A look opens the list with the crown for 5 s; a tap opens it, checks an item off after 1 s and goes back 4 s after that; "
                + "a change is one item renamed on the phone.",
            "Each is the mean of 16 that were simulated 30 s apart, beyond what rest takes, times its count: in a row they "
                + "share the connection's fast tempo and take less.",
            "The rest is 16 minutes simulated on the face, connected, for 24 hours: nobody goes out of reach, and the flash "
                + "chip's rare compactions are in no figure.",
            "No light, no sensors, no notifications: the model has none.",
        ] + unknown
    }
}
