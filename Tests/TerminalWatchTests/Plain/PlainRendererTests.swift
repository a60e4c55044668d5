import DeviceModel
import Testing

@testable import TerminalWatch

struct PlainRendererTests {
    private var list: ScreenDescription {
        var description = ScreenDescription()
        description.screen = .list
        description.title = "Groceries"
        description.remaining = 3
        description.rows = ["Milk", "Bread", "Eggs"].enumerated().map {
            ScreenDescription.Row(id: UInt32($0.offset), title: $0.element)
        }
        return description
    }

    @Test func `a screen is said in full the first time`() {
        var renderer = PlainRenderer()
        #expect(renderer.news(in: list) == list.lines)
    }

    @Test func `what has not changed is not said again`() {
        var renderer = PlainRenderer()
        _ = renderer.news(in: list)
        #expect(renderer.news(in: list).isEmpty)
        var changed = list
        changed.rows[1].state = .struck
        changed.remaining = 2
        let news = renderer.news(in: changed)
        #expect(news.count == 2)
        #expect(news.contains { $0.contains("Bread") })
        #expect(!news.contains { $0.contains("Milk") })
    }

    @Test func `another screen is said in full`() {
        var renderer = PlainRenderer()
        _ = renderer.news(in: list)
        var face = list
        face.screen = .face
        #expect(renderer.news(in: face) == face.lines)
    }

    @Test func `nothing that is said holds an escape sequence`() {
        var description = list
        description.rows[0].title = "\u{1B}[31mMilk\u{7}\r\n"
        var renderer = PlainRenderer()
        let scalars = renderer.news(in: description).flatMap(\.unicodeScalars)
        #expect(scalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    }
}
