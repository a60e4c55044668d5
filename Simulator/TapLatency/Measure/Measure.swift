import DeviceModel
import Watch
import WatchLink

/// Measures how long taps take with a handler, in the time of the device. The same arguments always give the same report.
///
/// After each tap, a new item replaces the removed one, so the list keeps its length. The next tap comes when all messages are
/// delivered and a random pause is over. The pause makes taps begin at different times within a touch scan and a connection
/// interval. The handler runs in this process, so a stage that traps ends the process.
///
/// - Parameters:
///   - items: the number of items on the watch, 1 to 128.
///   - taps: the number of taps, 1 to 100,000.
///   - database: if `items` is 128, the number of items on the phone's list, 128 to 100,000. If `items` is less, the watch and
///     the phone have the same items.
///   - loss: the share of packets that are lost, 0 to 1. None are lost between the removal of a row and the next touch.
///   - name: the handler's name in the report. If nil, the name of its type without "Handler", such as "shipping".
///   - file: any source file of the package in which `tapline count` has stored the counts. By default the caller's file.
/// - Throws: `TapLatencyError` if an argument is wrong.
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

/// Returns the name of the handler's type without "Handler", such as "shipping".
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

    func report(of handler: ExecutedHandler, called name: String) throws(TapLatencyError) -> TapReport {
        try check()
        return try TapBench.make(handler, under: self).report(called: name)
    }
}

/// One of Tapline's own handlers. Reports and the lab's image use the raw value as its name.
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
    /// Creates a bench like `init(items:handler:)`, on which the handler's own code takes as long as on the device. The times
    /// come from the counts that `tapline count` stored in the handler's package. If a message was counted several times, the
    /// bench uses the highest count.
    ///
    /// - Parameters:
    ///   - items: the number of items on the watch and on the phone, 1 to 128.
    ///   - handler: the code that runs when the wearer taps a row. If it has stored properties, its own code cannot be counted.
    ///     `uncounted` then names the messages, buttons and files whose code took no simulated time.
    ///   - file: any source file of the package in which `tapline count` has stored the counts. By default the caller's file.
    /// - Throws: `.counts` with the command to run if the package was not counted or has changed since; `.items` if `items` is
    ///   out of range; `.board` if the process is out of file descriptors.
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
                phone: InMemoryPhone(items: items), handler: handler, profile: profile, counts: table, seed: seed)
        } catch {
            throw .board("\(error)")
        }
    }
}
