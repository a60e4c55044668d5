import DeviceModel
import TestDoubles
import Testing
import WatchLink

@testable import Watch

struct WatchSettingsTests {
    private func record(_ settings: WatchSettings) throws -> [UInt8] {
        var page = [UInt8](repeating: 0, count: 16)
        var span = page.mutableSpan
        var writer = CBORWriter(span._mutatingExtracting(0..<16))
        try settings.encode(into: &writer)
        let count = writer.count
        return Array(page.prefix(count))
    }

    @Test(arguments: [FaceStyle.modular, .simple, .bigDigits])
    func `settings are read as they were written`(_ face: FaceStyle) throws {
        var settings = WatchSettings()
        settings.face = face
        settings.clock = .twelveHours
        settings.theme = .light
        let bytes = try record(settings)
        var reader = CBORReader(bytes.span)
        let read = try WatchSettings(from: &reader)
        #expect(read == settings)
    }

    @Test func `a choice of a later version is what a new watch shows`() throws {
        for bytes in [[9, 9], [0x19, 0x01, 0x00, 0x18, 0xFF], [0x1A, 0xFF, 0xFF, 0xFF, 0xFF, 0]] as [[UInt8]] {
            var reader = CBORReader(bytes.span)
            let read = try WatchSettings(from: &reader)
            #expect(read.face == .modular)
        }
    }

    @Test func `a record from before there were themes is dark`() throws {
        let bytes = try record(WatchSettings())
        #expect(bytes.count == 2)
        var reader = CBORReader(bytes.span)
        let theme = try WatchSettings(from: &reader).theme
        #expect(theme == .dark)
    }

    @Test func `themes come one after the other, both ways round`() {
        #expect(Theme.dark.next(by: 1) == .light && Theme.dark.next(by: -1) == .highContrast)
    }

    @Test func `faces come one after the other, both ways round`() {
        #expect(FaceStyle.modular.next(by: 1) == .simple && FaceStyle.modular.next(by: -1) == .bigDigits)
        #expect(FaceStyle.bigDigits.next(by: 1) == .modular && FaceStyle.simple.next(by: -7) == .modular)
    }

    @Test func `settings survive a loss of power`() throws {
        let bench = try WatchBench.connected(items: 3)
        bench.send(.clock(.twelveHours))
        bench.send(.press(.crown))
        bench.run(for: .seconds(2))
        #expect(bench.screen.time == "10:08 AM")
        try bench.restart()
        bench.connect()
        bench.run(for: .seconds(2))
        #expect(bench.screen.time.hasSuffix(" AM"))
    }

    @Test(arguments: [
        (0, "12:05 AM"), (1, "1:05 AM"), (11, "11:05 AM"), (12, "12:05 PM"), (13, "1:05 PM"), (23, "11:05 PM"),
    ])
    func `twelve hours begin with twelve`(_ hour: Int, _ words: String) throws {
        let form = ClockForm.twelveHours
        #expect("\(form.shown(hour: hour)):05 \(try #require(form.half(hour: hour)))" == words)
        #expect(ClockForm.twentyFourHours.shown(hour: hour) == hour)
        #expect(ClockForm.twentyFourHours.half(hour: hour) == nil)
    }
}
