import Testing
import WatchLink

@testable import Watch

struct FaceAppearanceTests {
    /// Thursday, 20 November 2025, 09:01.
    private static let morning = LocalTime(seconds: 1_763_629_260)
    private static let items = ComplicationContent.items(
        remaining: 12, outOf: 20, next: Canvas.title("Wholemeal bread"))

    private static func drawn(
        _ time: FaceTime, _ content: ComplicationContent = items, _ privacy: ComplicationPrivacy = .shown,
        _ style: FaceStyle = .modular
    ) -> Canvas {
        let canvas = Canvas()
        FaceAppearance(time: time, complication: Complication(content: content, privacy: privacy), style: style)
            .draw(into: &canvas.framebuffer)
        return canvas
    }

    private static func later(_ minutes: Int32) -> FaceTime {
        .travelled(minutes: minutes, time: LocalTime(seconds: UInt32(Int64(morning.seconds) + Int64(minutes) * 60)))
    }

    @Test func `the face shows the time and the list`() throws {
        try GoldenImage.expect(FaceAppearanceTests.drawn(.current(FaceAppearanceTests.morning)), "face")
    }

    @Test func `without items the face shows the time since the last trip`() throws {
        let evening = LocalTime(seconds: FaceAppearanceTests.morning.seconds + 45_296)
        try GoldenImage.expect(
            FaceAppearanceTests.drawn(.current(evening), .lastTrip(secondsAgo: 259_200)), "face-last-trip")
    }

    @Test func `the face shows the date if there is nothing else`() throws {
        let morning = FaceAppearanceTests.morning
        try GoldenImage.expect(FaceAppearanceTests.drawn(.current(morning), .date(morning)), "face-date")
    }

    @Test func `the face shows words from the phone`() throws {
        let words = ComplicationContent.text(Canvas.title("Market opens at eight"))
        try GoldenImage.expect(FaceAppearanceTests.drawn(.current(FaceAppearanceTests.morning), words), "face-text")
    }

    @Test func `a face that knows nothing yet shows bars`() throws {
        try GoldenImage.expect(FaceAppearanceTests.drawn(.unset, .placeholder), "face-placeholder")
    }

    @Test func `a redacted face shows the time and bars`() throws {
        let morning = FaceTime.current(FaceAppearanceTests.morning)
        try GoldenImage.expect(
            FaceAppearanceTests.drawn(morning, FaceAppearanceTests.items, .redacted), "face-redacted")
    }

    @Test func `the face says how far it has travelled ahead`() throws {
        try GoldenImage.expect(FaceAppearanceTests.drawn(FaceAppearanceTests.later(135)), "face-travel-ahead")
    }

    @Test func `the face says how far it has travelled back`() throws {
        try GoldenImage.expect(FaceAppearanceTests.drawn(FaceAppearanceTests.later(-660)), "face-travel-back")
    }

    @Test func `the simple face has a corner and a line of text`() throws {
        let morning = FaceTime.current(FaceAppearanceTests.morning)
        try GoldenImage.expect(
            FaceAppearanceTests.drawn(morning, FaceAppearanceTests.items, .shown, .simple), "face-simple")
        try GoldenImage.expect(
            FaceAppearanceTests.drawn(
                FaceAppearanceTests.later(-90), .text(Canvas.title("Market at eight")), .shown, .simple),
            "face-simple-travel-back")
    }

    @Test func `the face with big digits has the hour above the minute`() throws {
        let morning = FaceTime.current(FaceAppearanceTests.morning)
        let items = FaceAppearanceTests.items
        try GoldenImage.expect(FaceAppearanceTests.drawn(morning, items, .shown, .bigDigits), "face-big-digits")
        try GoldenImage.expect(
            FaceAppearanceTests.drawn(
                FaceAppearanceTests.later(-90), .text(Canvas.title("Market at eight")), .shown, .bigDigits),
            "face-big-digits-travel-back")
        try GoldenImage.expect(
            FaceAppearanceTests.drawn(.unset, .placeholder, .shown, .bigDigits), "face-big-digits-unset")
    }

    @Test(arguments: [FaceStyle.modular, .simple, .bigDigits]) func `every face can count twelve hours`(
        _ style: FaceStyle
    ) throws {
        let canvas = Canvas()
        let evening = LocalTime(seconds: FaceAppearanceTests.morning.seconds + 43_200)
        FaceAppearance(
            time: .current(evening), complication: Complication(content: FaceAppearanceTests.items), style: style,
            clock: .twelveHours
        ).draw(into: &canvas.framebuffer)
        try GoldenImage.expect(canvas, "face-\(style.name)-twelve-hours")
    }

    @Test(arguments: [
        ShownSigns(isBatteryLow: true), ShownSigns(isPairable: true), ShownSigns(isBatteryLow: true, isPairable: true),
    ])
    func `a sign is whole on every face, and covers nothing`(_ signs: ShownSigns) {
        var added: Set<Int> = []
        for style in [FaceStyle.modular, .simple, .bigDigits] {
            for time in [FaceTime.unset, .current(FaceAppearanceTests.morning), FaceAppearanceTests.later(135)] {
                let complication = Complication(content: FaceAppearanceTests.items)
                var face = FaceAppearance(time: time, complication: complication, style: style)
                let (plain, signed) = (Canvas(), Canvas())
                face.draw(into: &plain.framebuffer)
                face.signs = signs
                face.draw(into: &signed.framebuffer)
                let pairs = Array(zip(plain.bytes, signed.bytes))
                #expect(pairs.allSatisfy { $0 & $1 == $0 })
                added.insert(pairs.reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount })
            }
        }
        #expect(added.count == 1 && !added.contains(0), "the same pixels on each: \(added)")
    }

    @Test func `nothing of a redacted entry shows`() {
        let morning = FaceTime.current(FaceAppearanceTests.morning)
        for style in [FaceStyle.modular, .simple, .bigDigits] {
            let one = FaceAppearanceTests.drawn(
                morning, .items(remaining: 3, outOf: 9, next: Canvas.title("Secret")), .redacted, style)
            let other = FaceAppearanceTests.drawn(
                morning, .items(remaining: 8, outOf: 9, next: Canvas.title("Other")), .redacted, style)
            #expect(one.bytes == other.bytes)
        }
    }

    @Test func `an update is drawn like the whole face`() {
        var random = SplitMix64(seed: 20_261_126)
        func face(_ number: UInt32) -> FaceAppearance {
            let base = FaceAppearanceTests.morning.seconds
            let time = LocalTime(
                seconds: base + any(of: [0, 60, 3_600, 7_200, 11_000, 43_200, 86_400]))
            let content = any(of: [
                FaceAppearanceTests.items, .items(remaining: 11, outOf: 20, next: Canvas.title("Milk")),
                .text(Canvas.title("Market at eight")), .lastTrip(secondsAgo: number), .date(time), .placeholder,
            ])
            return FaceAppearance(
                time: any(of: [
                    .current(time), .current(time), .current(time), .unset, .travelled(minutes: 90, time: time),
                ]),
                complication: Complication(
                    content: content, privacy: number.isMultiple(of: 9) ? .redacted : .shown),
                style: [FaceStyle.modular, .simple, .bigDigits][Int(number / 40 % 3)],
                clock: number / 20 % 2 == 0 ? .twelveHours : .twentyFourHours)
        }
        func any<Element>(of elements: [Element]) -> Element {
            elements[Int.random(in: elements.indices, using: &random)]
        }
        let kept = Canvas()
        var before = face(0)
        var drawn = before.update(from: nil, into: &kept.framebuffer)
        for number in 1..<480 as Range<UInt32> {
            let next = face(number)
            drawn = next.update(from: drawn, into: &kept.framebuffer)
            let whole = Canvas()
            next.draw(into: &whole.framebuffer)
            let isSame = kept.bytes == whole.bytes
            #expect(isSame, "\(number): \(before) -> \(next)")
            before = next
        }
    }

    @Test func `a minute and an item send the lines that they change`() {
        let morning = FaceAppearanceTests.morning
        for style in [FaceStyle.modular, .simple, .bigDigits] {
            let canvas = Canvas()
            let before = FaceAppearance(
                time: .current(morning), complication: Complication(content: FaceAppearanceTests.items), style: style)
            var next = before
            var drawn = before.update(from: nil, into: &canvas.framebuffer)
            while canvas.framebuffer.dirty.removeFirst(from: 0) != nil {}
            next.time = .current(LocalTime(seconds: morning.seconds + 60))
            drawn = next.update(from: drawn, into: &canvas.framebuffer)
            #expect((1...64).contains(canvas.framebuffer.dirty.count), "\(style)")
            while canvas.framebuffer.dirty.removeFirst(from: 0) != nil {}
            var later = next
            later.complication.content = .items(remaining: 11, outOf: 20, next: Canvas.title("Milk"))
            _ = later.update(from: drawn, into: &canvas.framebuffer)
            #expect((1...92).contains(canvas.framebuffer.dirty.count), "\(style)")
        }
    }
}
