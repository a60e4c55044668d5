import Testing
import WatchLink

@testable import Watch

struct FaceAppearanceTests {
    /// Thursday, 20 November 2025, 09:01.
    private static let morning = LocalTime(seconds: 1_763_629_260)
    private static let items = ComplicationContent.items(
        remaining: 12, outOf: 20, next: Canvas.title("Wholemeal bread"))

    private static func drawn(
        _ time: FaceTime, _ content: ComplicationContent = items, _ isRedacted: Bool = false,
        _ style: FaceStyle = .modular
    ) -> Canvas {
        let canvas = Canvas()
        FaceAppearance(time: time, complication: Complication(content: content, isRedacted: isRedacted), style: style)
            .draw(into: &canvas.framebuffer)
        return canvas
    }

    private static func later(_ minutes: Int32) -> FaceTime {
        .travelled(minutes: minutes, time: LocalTime(seconds: UInt32(Int64(morning.seconds) + Int64(minutes) * 60)))
    }

    struct Picture: Sendable {
        var name: String
        var time = FaceTime.current(morning)
        var content = items
        var isRedacted = false
        var style = FaceStyle.modular
    }

    private static let market = ComplicationContent.text(Canvas.title("Market at eight"))
    private static let pictures = [
        Picture(name: "face"),
        Picture(
            name: "face-last-trip", time: .current(LocalTime(seconds: morning.seconds + 45_296)),
            content: .lastTrip(secondsAgo: 259_200)),
        Picture(name: "face-date", content: .date(morning)),
        Picture(name: "face-text", content: .text(Canvas.title("Market opens at eight"))),
        Picture(name: "face-placeholder", time: .unset, content: .placeholder),
        Picture(name: "face-redacted", isRedacted: true),
        Picture(name: "face-travel-ahead", time: later(135)),
        Picture(name: "face-travel-back", time: later(-660)),
        Picture(name: "face-simple", style: .simple),
        Picture(name: "face-simple-travel-back", time: later(-90), content: market, style: .simple),
        Picture(name: "face-big-digits", style: .bigDigits),
        Picture(name: "face-big-digits-travel-back", time: later(-90), content: market, style: .bigDigits),
        Picture(name: "face-big-digits-unset", time: .unset, content: .placeholder, style: .bigDigits),
    ]

    @Test(arguments: pictures) func `each face shows time, travel and complication`(picture: Picture) throws {
        let canvas = FaceAppearanceTests.drawn(picture.time, picture.content, picture.isRedacted, picture.style)
        try GoldenImage.expect(canvas, picture.name)
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
                morning, .items(remaining: 3, outOf: 9, next: Canvas.title("Secret")), true, style)
            let other = FaceAppearanceTests.drawn(
                morning, .items(remaining: 8, outOf: 9, next: Canvas.title("Other")), true, style)
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
                    content: content, isRedacted: number.isMultiple(of: 9)),
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
