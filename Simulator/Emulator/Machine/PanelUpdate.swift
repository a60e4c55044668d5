/// What a touch changed on the panel.
///
/// The caller runs two copies of a machine from the same moment: one with the touch, and one without it. A write to the panel
/// belongs to the touch if it changes pixels and the untouched machine makes no equal write. Equal writes have the same window
/// and the same pixels. A clock or an animation that runs anyway draws on both machines, so its writes do not belong to the
/// touch.
///
/// The update begins with the first pixel that the touch changes. The update ends before the first pause of 250 ms in which the
/// touch changes nothing. Later changes by the touch, such as the seconds of a stopwatch, are not part of the update. If the
/// observed time has no such pause, the update has not settled.
package struct PanelUpdate: Equatable, Sendable {
    /// The cycles at which the bus finished the transfer of the first and of the last changed pixel.
    package private(set) var first: UInt64
    package private(set) var last: UInt64
    package private(set) var pixels: Int
    package private(set) var writes: Int

    package enum Outcome: Equatable, Sendable {
        case none
        case settled(PanelUpdate)
        /// The writes went on until the end of the observed time.
        case unsettled(PanelUpdate)
    }

    /// The pause that ends an update: 250 ms at 64 MHz.
    package static let pause: UInt64 = 16_000_000

    private init(_ change: PanelWrite.Change, _ pixelsOfWrite: Int) {
        (first, last, pixels, writes) = (change.first, change.last, pixelsOfWrite, 1)
    }

    private mutating func add(_ change: PanelWrite.Change, _ pixelsOfWrite: Int) {
        last = change.last
        pixels += pixelsOfWrite
        writes += 1
    }

    /// - Parameters:
    ///   - untouched: the writes of the untouched machine in the same time.
    ///   - end: the cycle at which the observed time ends.
    package static func outcome(
        touched: [PanelWrite], untouched: [PanelWrite], until end: UInt64
    ) -> Outcome {
        var anyway: [Content: Int] = [:]
        for write in untouched { if let content = Content(write) { anyway[content, default: 0] += 1 } }
        var update: PanelUpdate?
        for write in touched {
            guard let content = Content(write), let change = write.change else { continue }
            if let count = anyway[content], count > 0 {
                anyway[content] = count - 1
                continue
            }
            guard let last = update?.last else {
                update = PanelUpdate(change, write.pixels)
                continue
            }
            if change.first > last, change.first - last >= pause { break }
            update?.add(change, write.pixels)
        }
        guard let update else { return .none }
        return end >= update.last + pause ? .settled(update) : .unsettled(update)
    }

    /// What two equal writes have in common: their window and a digest of their pixels. The initializer returns nil if the
    /// write changed no pixel.
    private struct Content: Hashable {
        let window: [Int]
        let digest: UInt64

        init?(_ write: PanelWrite) {
            guard let window = write.window, let change = write.change else { return nil }
            self.window = [
                window.columns.lowerBound, window.columns.upperBound, window.rows.lowerBound, window.rows.upperBound,
            ]
            digest = change.digest
        }
    }
}
