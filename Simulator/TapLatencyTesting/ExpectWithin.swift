import DeviceModel
import TapLatency
import Testing
import Watch
import WatchLink

/// Expects that 99 % of a handler's taps reach a mark within a time. If they do not, the test fails with the stage that
/// takes most of it. If a stage was not counted on the watch's processor, or its sources have changed since, it
/// fails with the command that counts it.
///
///     expect(MyHandler(), .updated, within: .milliseconds(8))
///
/// - Parameters:
///   - handler: what a tap does.
///   - mark: the mark to reach.
///   - limit: the time within which 99 % of the taps reach it.
///   - profile: the device.
///   - items: items on the watch, 1 to 128.
///   - taps: how many taps.
///   - seed: randomness for the rows that are tapped and the rests.
///   - file: a source file of the package that the handler is of.
///   - sourceLocation: where the failure is shown.
/// - Returns: the report, or nil if none could be made.
@discardableResult
public func expect(
    _ handler: some TapHandler, _ mark: LatencyMark, within limit: Microseconds,
    on profile: DeviceProfile = .memoryLCD, items: Int = 128, taps: Int = 100, seed: UInt64 = 1,
    file: StaticString = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) -> TapReport? {
    do throws(TapLatencyError) {
        let report = try measure(handler, on: profile, items: items, taps: taps, seed: seed, file: file)
        expect(report, mark, within: limit, file: file, sourceLocation: sourceLocation)
        return report
    } catch {
        Issue.record("\(error.description)", sourceLocation: sourceLocation)
        return nil
    }
}

/// Expects that 99 % of the taps that were measured reached a mark within a time. If they did not, the test fails
/// with the stage that takes most of it.
public func expect(
    _ report: TapReport, _ mark: LatencyMark, within limit: Microseconds, file: StaticString = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    do throws(TapLatencyError) {
        try report.require(mark, within: limit, file: file)
    } catch {
        Issue.record("\(error.description)", sourceLocation: sourceLocation)
    }
}
