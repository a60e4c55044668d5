/// What a described day takes from the battery. Charges are microampere-hours.
package struct DayReport: Sendable, Codable, Equatable {
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
package struct DayUse: Sendable, Codable, Equatable {
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
    /// How many such days a full battery lasts; nil where they take nothing from it.
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
