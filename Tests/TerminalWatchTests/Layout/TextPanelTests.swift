import DeviceModel
import Testing
import Watch

@testable import TerminalWatch

struct TextPanelTests {
    private func text(_ description: ScreenDescription, columns: Int = 36, linesPerRow: Int = 3) -> [String] {
        let panel = TextPanel.render(description, columns: columns, linesPerRow: linesPerRow)
        return (0..<panel.size.rows).map { panel.text(row: $0) }
    }

    private func list(first: Int = 0) throws -> ScreenDescription {
        var description = try FakeWatch().snapshot.description
        description.firstVisibleRow = first
        return description
    }

    @Test func `a row stands on the lines of its pixels`() throws {
        for lines in 1...3 {
            let text = text(try list(), linesPerRow: lines)
            #expect(text.count == 7 * lines)
            for position in 0..<6 {
                let strip = text[(position + 1) * lines..<(position + 2) * lines]
                #expect(strip.contains { $0.contains("\(position + 1) \(FakeWatch.groceries[position])") })
            }
            #expect(text[..<lines].contains { $0.contains("Groceries") && $0.contains("10 ●") })
        }
    }

    @Test func `past items have the number of all, where it is known, and the mark`() throws {
        var description = try list()
        description.screen = .past
        description.remaining = 128
        description.more = 3
        let all = text(description)
        #expect(all[..<3].contains { $0.contains("Add again") && $0.contains("10 ●") })
        #expect(all[3].hasSuffix("┃") && !all[20].hasSuffix("┃") && !all[20].hasSuffix("▼"))
        description.firstVisibleRow = 4
        #expect(text(description)[20].hasSuffix("┃"))
        description.rows = Array(description.rows.prefix(6))
        description.firstVisibleRow = 0
        let some = text(description)
        #expect(some[..<3].contains { $0.contains("Add again") && $0.contains("●") && !$0.contains("6") })
        #expect(!some.contains { $0.hasSuffix("┃") })
    }

    @Test func `the mark at the right says which part of the list is shown, and that the list has more`() throws {
        var description = try list()
        let top = text(description)
        #expect(top[3].hasSuffix("┃") && !top[20].hasSuffix("┃"))
        description.firstVisibleRow = 4
        let bottom = text(description)
        #expect(!bottom[3].hasSuffix("┃") && bottom[20].hasSuffix("┃"))
        description.more = 1
        #expect(text(description)[20].hasSuffix("▼"))
    }

    @Test func `a struck row has a tick`() throws {
        var description = try list()
        description.rows[2].state = .struck
        #expect(text(description).contains { $0.contains("✓ Eggs") })
    }

    @Test func `every screen says what its pixels say`() throws {
        var description = try list()
        description.screen = .fullTitle
        description.fullTitle = "A bottle of olive oil, the one from the small shop at the corner"
        let title = text(description).joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(title == description.fullTitle)
        description.screen = .status
        description.link = .reachable
        description.waitingMessages = 3
        for part in ["Phone", "Connected", "3 to send"] { #expect(text(description).contains { $0.contains(part) }) }
        #expect(text(description).contains { $0.contains("Hold side on face:") })
        description.signs = ShownSigns(isBatteryLow: true, isPairable: true)
        for part in ["battery low", "Now"] { #expect(text(description).contains { $0.contains(part) }) }
        description.screen = .face
        for part in ["battery low", "phones may pair"] { #expect(text(description).contains { $0.contains(part) }) }
        description.screen = .pairing
        description.pairingDigits = "004711"
        for part in ["Same digits?", "004711", "yes", "no"] {
            #expect(text(description).contains { $0.contains(part) })
        }
        description.screen = .sheet
        description.sheet = ScreenDescription.Sheet(title: "Timer", text: "00:12", buttons: ["Start", "Lap", "Clear"])
        for part in ["Timer", "00:12", "[Start]", "[Lap]", "[Clear]"] {
            #expect(text(description).contains { $0.contains(part) })
        }
        description.screen = .list
        (description.rows, description.placeholder) = ([], .noListYet)
        #expect(text(description).contains { $0.contains("No list yet") })
        description.screen = .past
        for part in ["Add again", "No past items", "from the phone"] {
            #expect(text(description).contains { $0.contains(part) })
        }
    }

    @Test func `a face that has travelled shows the other time and the entry of then`() throws {
        var description = try list()
        description.screen = .face
        description.time = "09:30"
        description.complication = ScreenDescription.Complication(text: "Milk", remaining: 10)
        #expect(text(description).contains { $0.contains("09:30") })
        description.travel = ScreenDescription.Travel(
            minutes: 150, time: "12:00", complication: ScreenDescription.Complication(text: "Lunch", remaining: 4))
        let travelled = text(description)
        for part in ["12:00", "2 h 30 min ahead", "Lunch", "4 left"] {
            #expect(travelled.contains { $0.contains(part) }, "\(part)")
        }
        #expect(!travelled.joined().contains("09:30"))
        description.travel = nil
        description.complication = ScreenDescription.Complication(text: "Shop closes")
        #expect(!text(description).joined().contains("left"), "the face has no number then")
    }
}
