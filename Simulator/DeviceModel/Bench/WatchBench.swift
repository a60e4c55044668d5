import Watch
import WatchLink

/// A watch with a handler, a phone and the radio link between them on one virtual clock: what tests and measurements work with.
///
/// Everything is deterministic: the same calls give the same snapshots and the same times, to the byte.
public final class WatchBench<Handler: TapHandler>: ProgramBench<RuntimeProgram<SimulatedBoard<SharedFlash>, Handler>> {
    /// A bench with a new watch, not connected yet.
    ///
    /// - Parameters:
    ///   - phone: the phone, whose database costs what the profile says from now on.
    ///   - handler: what a tap on a row does.
    ///   - profile: what the board's operations and the radio link take.
    ///   - counts: what parts of the program execute; nil for what was measured for the phone's number of items.
    ///   - seed: randomness for the faults of the radio link.
    ///   - datagramTime: what every datagram takes either way, where the link is not to have connection events; nil for
    ///     the profile's events.
    ///   - calendar: the wall clock of the watch and of the phone.
    ///   - flash: the watch's flash chip, erased by default.
    ///   - activities: where it is noted what watch, radio link and phone are busy with; nil for nowhere.
    ///   - rows: the rows that snapshots tell of: all, or for a quicker simulation those on the panel.
    /// - Throws: `.systemCall` when there are no descriptors left.
    package init(
        phone: SimulatedPhone, handler: Handler, profile: DeviceProfile = .memoryLCD,
        counts: CountTable? = nil, seed: UInt64 = 1, datagramTime: Microseconds? = nil,
        calendar: BoardCalendar = WatchBench.defaultCalendar,
        flash: MemoryFlash = .usual, activities: ActivityLog? = nil,
        describing rows: DescribedRows = .all
    ) throws(DeviceModelError) {
        let counts = counts ?? .measured(items: phone.waiting.count)
        try super.init(
            phone: phone, profile: profile, seed: seed, datagramTime: datagramTime, calendar: calendar, flash: flash,
            activities: activities
        ) { board, seed in
            board.processorWork = .estimated(counts)
            return RuntimeProgram(on: board, handler: handler, seed: seed, describing: rows)
        }
    }

    /// A bench with a new watch, not connected yet, and a phone with `count` items, called "Item 1" and so on, whose numbers
    /// begin with 1.
    ///
    /// - Throws: `.systemCall` when there are no descriptors left.
    public convenience init(
        items count: Int, handler: Handler, profile: DeviceProfile = .memoryLCD, seed: UInt64 = 1
    ) throws(DeviceModelError) {
        try self.init(phone: SimulatedPhone(items: count), handler: handler, profile: profile, seed: seed)
    }

    /// Friday, 2026-11-20 10:08:30 when the watch starts.
    package static var defaultCalendar: BoardCalendar {
        .set(LocalTime(seconds: 1_795_169_310), at: .start)
    }
}

extension SimulatedPhone {
    /// A phone with a list of `count` items, called "Item 1" and so on, numbered from 1.
    package convenience init(items count: Int) {
        self.init(
            list: "Groceries", items: (0..<count).map { PhoneItem(id: UInt32($0 + 1), title: "Item \($0 + 1)") })
    }
}
