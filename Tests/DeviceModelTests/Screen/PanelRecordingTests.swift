import TestDoubles
import Testing
import Watch
import WatchLink

@testable import DeviceModel

struct PanelRecordingTests {
    private let dark = PanelFrame()
    private let striped = PanelFrame.striped

    @Test(arguments: [(1, 1), (40, 1), (41, 2), (80, 2)])
    func `A picture is in it from the first tick at or after its time`(milliseconds: UInt32, tick: Int) {
        var recording = PanelRecording(of: dark, from: .start + .seconds(7))
        recording.show(striped, at: .start + .seconds(7) + .milliseconds(milliseconds))
        #expect(recording.moments.map(\.tick) == [0, tick])
        #expect(recording.frame(at: tick - 1) == dark)
        #expect(recording.frame(at: tick) == striped)
    }

    @Test func `Of two pictures within a tick the last one counts, and one as before is none`() {
        var recording = PanelRecording(of: dark, from: .start)
        recording.show(striped, at: .start + .milliseconds(5))
        recording.show(dark, at: .start + .milliseconds(9))
        recording.end(at: .start + .milliseconds(400))
        #expect(recording.moments.count == 1)
        #expect(recording.lastTick == 10)
        #expect(recording.length == .milliseconds(440))
    }

    @Test func `What comes after ten minutes is not in it`() {
        var recording = PanelRecording(of: dark, from: .start)
        recording.show(striped, at: .start + .seconds(599))
        #expect(!recording.isFull)
        recording.show(dark, at: .start + .seconds(601))
        recording.touch(x: 1, y: 1, at: .start + .seconds(601))
        #expect(recording.isFull)
        #expect(recording.moments.count == 2)
        #expect(recording.touches.isEmpty)
        #expect(recording.lastTick == 15_000)
    }

    @Test
    func `An animation shows each picture as long as it was there, and a ring around a touch for a third of a second`()
        throws
    {
        var recording = PanelRecording(of: dark, from: .start)
        recording.touch(x: 70, y: 80, at: .start + .milliseconds(100))
        recording.show(striped, at: .start + .milliseconds(1_000))
        recording.end(at: .start + .milliseconds(1_960))
        let frames = Array(recording.animation(scale: 1).frames)
        // A tick is 40 ms. The touch comes after 3 ticks, a ring grows for 8, and the stripes come after 14 more.
        #expect(frames.map(\.hundredths) == [12] + Array(repeating: 4, count: 8) + [14 * 4, 25 * 4])
        let rings = frames.map { frame in frame.pixels.count { $0 == 2 } }
        #expect(rings[0] == 0 && rings[9] == 0 && rings[10] == 0)
        #expect(zip(rings[1...8], rings[2...8]).allSatisfy { $0 < $1 })
        let lines = [UInt8](repeating: 1, count: 144) + [UInt8](repeating: 0, count: 144)
        #expect(Array(frames[10].pixels.prefix(144 * 2)) == lines)
    }

    @Test(arguments: [(0, 0), (143, 167), (-3, 170)] as [(Int16, Int16)])
    func `A ring at the edge of the panel is cut off there`(x: Int16, y: Int16) {
        var recording = PanelRecording(of: dark, from: .start)
        recording.touch(x: x, y: y, at: .start)
        recording.end(at: .start + .seconds(1))
        #expect(recording.animation(scale: 1).frames.contains { $0.pixels.contains(2) })
    }

    @Test(arguments: [(0, 1), (3, 3), (99, 16)])
    func `A scale repeats each pixel across and down, within 1 to 16`(asked: Int, taken: Int) {
        let animation = PanelRecording(of: striped, from: .start).animation(scale: asked)
        #expect(animation.size.width == 144 * taken && animation.size.height == 168 * taken)
        let pixels = animation.frames[0].pixels
        for (line, start) in stride(from: 0, to: pixels.count, by: 144 * taken).enumerated() {
            #expect(pixels[start] == (line / taken % 2 == 0 ? 1 : 0), "line \(line)")
        }
    }
}

struct PanelRecorderTests {
    private func bench() throws -> WatchBench<ShippingHandler> {
        let bench = try WatchBench.connected(items: 6)
        _ = bench.watch.wait(for: .seconds(5)) { _ in false }
        return bench
    }

    @Test func `It has what the panel showed of a tap in its time: struck through at once, gone after 250 ms`() throws {
        let bench = try bench()
        let before = bench.watch.snapshot.frame
        let recorder = bench.watch.recorder
        #expect(recorder.begin(before, at: bench.watch.now, into: "a.gif") == nil)
        bench.watch.send(.tap(row: 0))
        _ = bench.watch.wait(for: .seconds(2)) { _ in false }
        let recording = try #require(recorder.end(at: bench.watch.now)?.recording)
        #expect(recording.moments.first?.frame == before)
        #expect(recording.moments.last?.frame == bench.watch.snapshot.frame)
        #expect(recording.touches.map { [$0.tick, $0.x, $0.y] } == [[0, 72, 36]])
        #expect(recording.lastTick == 50)
        // Tick 1 shows the strike. The row disappears after 250 ms, and the update of the panel takes less than a tick.
        #expect(recording.frame(at: 1) != before)
        #expect(recording.frame(at: 6).line(36) == recording.frame(at: 1).line(36))
        #expect(recording.frame(at: 6) != bench.watch.snapshot.frame)
        #expect(recording.frame(at: 8) == bench.watch.snapshot.frame)
    }

    @Test func `One recording goes on at a time`() throws {
        let bench = try bench()
        let recorder = bench.watch.recorder
        #expect(recorder.begin(bench.watch.snapshot.frame, at: bench.watch.now, into: "a.gif") == nil)
        #expect(
            recorder.begin(bench.watch.snapshot.frame, at: bench.watch.now, into: "b.gif") == "a.gif")
        #expect(recorder.end(at: bench.watch.now)?.path == "a.gif")
    }

    @Test func `Nothing is recorded before it begins and after it has ended`() throws {
        let bench = try bench()
        let recorder = bench.watch.recorder
        #expect(!recorder.isOn)
        #expect(recorder.end(at: bench.watch.now) == nil)
        #expect(recorder.begin(bench.watch.snapshot.frame, at: bench.watch.now, into: "a.gif") == nil)
        #expect(recorder.isOn)
        _ = try #require(recorder.end(at: bench.watch.now))
        bench.watch.send(.tap(row: 0))
        _ = bench.watch.wait(for: .seconds(1)) { _ in false }
        #expect(recorder.end(at: bench.watch.now) == nil)
    }

    @Test func `Ten seconds of taps are a GIF file of less than 300 KB`() throws {
        let bench = try bench()
        let recorder = bench.watch.recorder
        #expect(recorder.begin(bench.watch.snapshot.frame, at: bench.watch.now, into: "a.gif") == nil)
        for _ in 0..<6 {
            bench.watch.send(.tap(row: 0))
            _ = bench.watch.wait(for: .milliseconds(1_600)) { _ in false }
        }
        let recording = try #require(recorder.end(at: bench.watch.now)?.recording)
        #expect(recording.length > .seconds(9))
        #expect(try recording.file(scale: 2).count < 300_000)
    }
}

extension PanelFrame {
    fileprivate static var striped: PanelFrame {
        var frame = PanelFrame()
        let line = [UInt8](repeating: 0xFF, count: PanelGeometry.bytesPerLine)
        for number in stride(from: 0, to: PanelGeometry.height, by: 2) { frame.setLine(number, to: line.span) }
        return frame
    }
}
