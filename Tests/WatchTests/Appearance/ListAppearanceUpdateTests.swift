import Testing
import WatchLink

@testable import Watch

@Suite struct ListAppearanceUpdateTests {
    /// A list on a canvas that is only ever updated, beside one that is drawn anew.
    private struct Subject {
        var list = ListAppearance(remaining: 0)
        var rows: SampleRows
        let canvas: Canvas
        var panel = RecordingPanel()

        init(_ rows: SampleRows) {
            self.rows = rows
            canvas = list.drawn(rows)
            show()
        }

        mutating func show() {
            canvas.framebuffer.markAllDirty()
            canvas.framebuffer.flush(to: &panel)
        }

        mutating func update(after edit: RowEdit, first: Int) {
            let previous = list.firstVisible
            list.firstVisible = first
            list.update(after: edit, from: previous, rows, into: &canvas.framebuffer)
            list.drawIndicator(rowCount: rows.rowCount, into: &canvas.framebuffer)
            canvas.framebuffer.flush(to: &panel)
        }

        /// Whether framebuffer and panel look as if everything had been drawn.
        var isAsDrawn: Bool {
            canvas.bytes == list.drawn(rows).bytes && panel.bytes == canvas.bytes
        }
    }

    @Test(arguments: 0..<6) func removingAVisibleRowMovesTheRowsBelow(index: Int) {
        var subject = Subject(.groceries(11))
        subject.rows.rows.remove(at: index)
        subject.list.update(after: .removed(at: index), from: 0, subject.rows, into: &subject.canvas.framebuffer)
        subject.list.drawIndicator(rowCount: subject.rows.rowCount, into: &subject.canvas.framebuffer)
        #expect(subject.canvas.bytes == subject.list.drawn(subject.rows).bytes)
        // Rows above keep their lines, but for the scroll indicator, whose thumb grows.
        let text = subject.canvas.dirtyLines.filter { $0 < RowGeometry.rowTop(index) }
        #expect(text.count <= 40)
    }

    @Test func removingARowOfAShortListTouchesNoLineAboveIt() {
        var subject = Subject(.groceries(5))
        subject.rows.rows.remove(at: 2)
        subject.list.update(after: .removed(at: 2), from: 0, subject.rows, into: &subject.canvas.framebuffer)
        subject.list.drawIndicator(rowCount: subject.rows.rowCount, into: &subject.canvas.framebuffer)
        #expect(subject.canvas.dirtyLines.allSatisfy { $0 >= RowGeometry.rowTop(2) })
        #expect(subject.canvas.bytes == subject.list.drawn(subject.rows).bytes)
    }

    @Test func removingTheLastRowsOfAScrolledListMovesTheRowsAboveDown() {
        var subject = Subject(.groceries(8))
        subject.update(after: .scrolled, first: 2)
        #expect(subject.isAsDrawn)
        subject.rows.rows.removeLast()
        subject.update(after: .removed(at: 7), first: 1)
        #expect(subject.isAsDrawn)
        subject.rows.rows.remove(at: 3)
        subject.update(after: .removed(at: 3), first: 0)
        #expect(subject.isAsDrawn)
    }

    @Test func theLastItemGivesWayToThePlaceholderAndBack() {
        var subject = Subject(.groceries(1))
        subject.rows.rows = []
        subject.update(after: .removed(at: 0), first: 0)
        #expect(subject.isAsDrawn)
        subject.rows = .groceries(1)
        subject.update(after: .inserted(at: 0), first: 0)
        #expect(subject.isAsDrawn)
    }

    @Test func anySequenceOfEditsLooksLikeDrawingEverything() {
        var random = CanvasRandom()
        for _ in 0..<40 {
            var subject = Subject(.groceries(random.int(0...20)))
            for _ in 0..<60 {
                let count = subject.rows.rowCount
                var edit = RowEdit.scrolled
                switch random.int(0...3) {
                case 0 where count > 0:
                    let index = random.int(0...count - 1)
                    subject.rows.rows.remove(at: index)
                    edit = .removed(at: index)
                case 1 where count < 30:
                    let index = random.int(0...count)
                    let title = Canvas.title(bytes: random.text(upTo: 30))
                    subject.rows.rows.insert(
                        ListRow(title: title, state: random.int(0...3) == 0 ? .struck : .waiting), at: index)
                    edit = .inserted(at: index)
                case _:
                    break
                }
                let last = max(0, subject.rows.rowCount - 1)
                let near = min(last, max(0, subject.list.firstVisible + random.int(-2...2)))
                subject.list.more = UInt32(random.int(0...3))
                subject.update(after: edit, first: random.int(0...4) == 0 ? random.int(0...last) : near)
                #expect(subject.isAsDrawn, random.replay)
            }
        }
    }
}
