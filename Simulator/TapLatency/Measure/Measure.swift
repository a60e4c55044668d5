import DeviceModel
import Watch
import WatchLink

/// Measures the times of taps with a handler, on the watch's own clock: the same arguments give the same report, to the byte.
///
/// Between taps the watch rests until nothing is on its way, and then into another phase of the touch scan and the connection
/// events. The list keeps its length. The handler runs in this process: a stage that traps ends it.
///
/// - Parameters:
///   - handler: the handler of a tap.
///   - profile: the device.
///   - items: items on the watch, 1 to 128.
///   - taps: the number of taps, 1 to 100,000.
///   - seed: randomness for the tapped rows, the rests and the losses.
///   - database: items in the phone's database, at least as many as on the watch.
///   - loss: the share of packets that are lost from each touch until its row is gone, 0 to 1.
///   - rows: the rows that are tapped.
///   - name: the handler's name in the report; its type's name by default.
///   - file: a source file of the package whose counts by `tapline count` are used, if there are any; the caller's by default.
/// - Throws: what is wrong with the arguments.
public func measure(
    _ handler: some TapHandler, on profile: DeviceProfile = .memoryLCD, items: Int = 128, taps: Int = 100,
    seed: UInt64 = 1, database: Int = 2_000, loss: Double = 0, rows: TappedRows = .visible,
    name: String? = nil, file: StaticString = #filePath
) throws(TapLatencyError) -> TapReport {
    var conditions = Conditions(profile: profile, items: items, taps: taps, seed: seed, database: database)
    conditions.loss = loss
    conditions.counts = try? PackageSources.counts(around: "\(file)")
    conditions.rows = rows
    return try conditions.of(handler).report(of: handler, called: name ?? handlerName(handler))
}

/// The type's name without "Handler", as in "shipping".
func handlerName(_ handler: some TapHandler) -> String {
    var name = String(describing: type(of: handler))
    if name.hasSuffix("Handler"), name != "Handler" { name.removeLast("Handler".count) }
    return name.prefix(1).lowercased() + name.dropFirst()
}

extension Conditions {
    func report(of handler: some TapHandler, called name: String) throws(TapLatencyError) -> TapReport {
        try check()
        if let sequence = StageSequence(of: handler) {
            return try TapBench.make(sequence, stages: sequence.stages, under: self).report(called: name)
        }
        var report = try TapBench.make(handler, stages: nil, under: self).report(called: name)
        switch ownCode {
        case .counted: break
        case .none, .notCounted: report.processor = .unknown
        }
        return report
    }

    /// Taps on an executed image. A stage that traps or does not end is stopped and named.
    func report(of handler: ExecutedHandler, called name: String) throws(TapLatencyError) -> TapReport {
        try check()
        return try TapBench.make(handler, under: self).report(called: name)
    }
}

/// One of Tapline's own handlers, by its name in reports and in the image for the lab.
package enum OwnHandler: String, Sendable, CaseIterable {
    case shipping, legacy

    var stages: [PlacedStage] {
        switch self {
        case .shipping: StageSequence(of: ShippingHandler())?.stages ?? []
        case .legacy: StageSequence(of: LegacyHandler())?.stages ?? []
        }
    }
}

extension WatchBench {
    /// A bench like that of `init(items:handler:)`, on which the handler's own code takes as long as on the device. That code is
    /// its stages and its work for messages, buttons and files, as `tapline count` has counted them in its package.
    ///
    /// The charge for a message is that of its most costly sample value.
    ///
    /// - Parameters:
    ///   - items: items on the watch and on the phone, 1 to 128.
    ///   - handler: the handler of a tap on a row. If it has stored properties, `uncounted` names the unknown work.
    ///   - profile: the costs of the board's operations and of the radio link.
    ///   - seed: randomness for the faults of the radio link.
    ///   - file: a source file of the package whose counts are used; the caller's by default.
    /// - Throws: `.counts` with the command to run if the package was not counted, or has changed since; `.items`; `.board`.
    public convenience init(
        counted items: Int, handler: Handler, profile: DeviceProfile = .memoryLCD, seed: UInt64 = 1,
        file: StaticString = #filePath
    ) throws(TapLatencyError) {
        var given = Conditions(profile: profile, items: items, taps: 1, seed: seed, database: items)
        given.counts = try PackageSources.counts(around: "\(file)")
        let conditions = given.of(handler)
        let stages = StageSequence(of: handler)?.stages
        try conditions.check()
        let table = conditions.table(for: stages, remaining: items)
        do throws(DeviceModelError) {
            try self.init(
                phone: SimulatedPhone(items: items), handler: handler, profile: profile, counts: table, seed: seed)
        } catch {
            throw .board("\(error)")
        }
    }
}
