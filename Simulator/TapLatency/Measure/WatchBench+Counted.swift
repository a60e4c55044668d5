import DeviceModel
import Watch

extension WatchBench {
    /// A bench as `init(items:handler:)` makes it, on which the handler's own code takes as long as on the device: its stages, and what it
    /// does for messages, buttons and files, as `tapline count` has counted them in its package.
    ///
    /// What it does for a message is charged what the most costly of the sample values took.
    ///
    /// - Parameters:
    ///   - items: items on the watch and on the phone, 1 to 128.
    ///   - handler: what a tap on a row does. Where it has stored properties, what is not known is in `uncounted`.
    ///   - profile: what the board's operations and the radio link take.
    ///   - seed: randomness for the faults of the radio link.
    ///   - file: a source file of the package whose counts are used; the caller's by default.
    /// - Throws: `.counts` where the package was not counted, or not as it is now, with the command to run; `.items`; `.board`.
    public convenience init(
        counted items: Int, handler: Handler, profile: DeviceProfile = .memoryLCD, seed: UInt64 = 1,
        file: StaticString = #filePath
    ) throws(TapLatencyError) {
        let conditions = Conditions(
            profile: profile, items: items, taps: 1, seed: seed, database: items,
            counts: try PackageSources.counts(around: "\(file)")
        ).of(handler)
        let stages = StageSequence(of: handler)?.stages
        try conditions.check(stages)
        let table = try conditions.table(for: stages, remaining: items)
        do throws(DeviceModelError) {
            try self.init(
                phone: SimulatedPhone(items: items), handler: handler, profile: profile, counts: table, seed: seed)
        } catch {
            throw .board("\(error)")
        }
    }
}
