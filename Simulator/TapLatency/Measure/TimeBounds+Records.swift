import DeviceModel
import Watch
import WatchLink

extension TimeBounds<MarkTimes> {
    /// The marks of taps; nil where a tap has none that its board knows the margin of.
    init?(of records: [TapRecord]) {
        guard records.contains(where: { $0.margins.contains { $0 != nil } }) else { return nil }
        self.init(fewest: MarkTimes(), most: MarkTimes())
        for (place, mark) in LatencyMark.allCases.enumerated() {
            let times = records.compactMap { record -> (time: Microseconds, margin: TimeMargin)? in
                guard let time = record.marks[place], let margin = record.margins[place] else { return nil }
                return (time, margin)
            }
            fewest[mark] = Distribution(times.map { $0.time - $0.margin.shorter })
            most[mark] = Distribution(times.map { $0.time + $0.margin.longer })
        }
    }
}

extension TimeBounds<Distribution> {
    /// The times of a stage, each with the fewest and the most cycles of its instructions; nil where some are not known.
    init?(_ spans: [StageSpan], on processor: Processor) {
        var (shorter, longer): ([Microseconds], [Microseconds]) = ([], [])
        for span in spans {
            guard let time = span.duration, let cycles = span.cycles, let allowed = span.allowedCycles else {
                return nil
            }
            shorter.append(time - processor.time(cycles: max(0, cycles - allowed.lowerBound)))
            longer.append(time + processor.time(cycles: max(0, allowed.upperBound - cycles)))
        }
        guard let fewest = Distribution(shorter), let most = Distribution(longer) else { return nil }
        self.init(fewest: fewest, most: most)
    }
}
