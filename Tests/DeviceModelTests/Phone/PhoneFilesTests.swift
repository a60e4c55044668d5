import TestDoubles
import Testing
import Watch
import WatchLink

@testable import DeviceModel

/// A phone with a file on its way to a watch that takes them.
@Suite struct PhoneFilesTests {
    private func content(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }

    private func file(_ count: Int, label: String = "photo.pbm", transfer: UInt64 = 7) -> PhoneFile {
        PhoneFile(label: label, content: content(count), transfer: transfer)
    }

    private func connected() -> (SimulatedPhone, ReceivingWatch) {
        let phone = SimulatedPhone(items: 3)
        let watch = ReceivingWatch(phone)
        watch.connect()
        return (phone, watch)
    }

    private func send(_ file: PhoneFile, _ phone: SimulatedPhone, _ watch: ReceivingWatch) {
        phone.change { $0.send(file) }
        watch.exchange()
    }

    @Test func `two chunks go beyond what the watch has written, and messages all the same`() {
        let (phone, watch) = connected()
        send(file(65_536), phone, watch)
        watch.pass(.seconds(150))
        #expect(watch.steps == [.offer])
        watch.say(1, .resume(from: 0))
        #expect(watch.steps.dropFirst() == [.chunk(at: 0), .chunk(at: 497)])
        #expect(phone.files == [7: .sending(upTo: 0)])
        phone.change { $0.pass(queued: "note", [1]) }
        watch.say(1, .progress(to: 2 * 497))
        #expect(watch.kinds.suffix(3) == [.queued, .file, .file])
        #expect(phone.files == [7: .sending(upTo: 2 * 497)])
    }

    @Test func `files of more than one way take turns, four at a time`() {
        let (phone, watch) = connected()
        for transfer in 1...5 as ClosedRange<UInt64> { phone.change { $0.send(file(2_000, transfer: transfer)) } }
        watch.exchange()
        #expect(watch.steps == [.offer, .offer, .offer, .offer])
        for number in 1...2 as ClosedRange<UInt32> { watch.say(number, .resume(from: 1_500)) }
        for number in 1...2 as ClosedRange<UInt32> { watch.say(number, .progress(to: 2_000)) }
        watch.say(1, .done)
        #expect(phone.files[1] == .stored && phone.files[5] == .offered)
        #expect(watch.offers == 5)
    }

    // MARK: Links

    @Test func `a new link goes on with what the watch has`() {
        let (phone, watch) = connected()
        send(file(10_000), phone, watch)
        watch.say(1, .resume(from: 0))
        watch.cut()
        #expect(phone.files == [7: .waiting])
        watch.connect()
        #expect(watch.heard.last?.header == FileHeader(number: 1, step: .offer))
        watch.say(1, .resume(from: 3_000))
        #expect(watch.steps.suffix(2).first == .chunk(at: 3_000))
        watch.say(1, .progress(to: 3_994))
        watch.cut()
        watch.connect()
        watch.say(1, .resume(from: 10_000))
        watch.say(1, .done)
        #expect(phone.files == [7: .stored])
        watch.cut()
        watch.connect()
        #expect(watch.offers == 3)
    }

    @Test func `a new link offers the file first that the watch has a part of`() throws {
        let (phone, watch) = connected()
        phone.change {
            $0.send(file(10_000, label: "first", transfer: 1))
            $0.send(file(10_000, label: "second", transfer: 2))
        }
        watch.exchange()
        watch.say(1, .resume(from: 0))
        watch.say(2, .refusal(.busy))
        watch.cut()
        watch.connect()
        let offered = try watch.heard.suffix(2).map { try FileOffer($0.frame.span).transfer }
        #expect(offered == [1, 2])
    }

    @Test func `a watch that has kept what is wrong may ask for all of it once`() {
        let (phone, watch) = connected()
        send(file(100), phone, watch)
        watch.say(1, .resume(from: 60))
        watch.say(1, .resume(from: 0))
        #expect(watch.steps == [.offer, .chunk(at: 60), .chunk(at: 0)])
        watch.say(1, .resume(from: 0))
        #expect(watch.goodbye?.fault == .brokenTransfer && phone.files == [7: .broken])
    }

    // MARK: Busy watches

    @Test func `a watch that is busy with others is offered it after pauses that grow`() {
        let (phone, watch) = connected()
        watch.isBusy = true
        send(file(100), phone, watch)
        watch.pass(.seconds(92))
        let times = watch.heard.map { ($0.time - .start).count / 1_000_000 }
        #expect(times == [0, 1, 3, 7, 15, 31, 61, 91])
        #expect(phone.files == [7: .waiting])
        watch.cut()
        watch.connect()
        watch.pass(.milliseconds(1_000))
        #expect(watch.offers == 10)
        watch.isBusy = false
        watch.pass(.seconds(2))
        #expect(phone.files == [7: .offered])
    }

    // MARK: Ends

    @Test func `a file that is cancelled under way is taken back, and the others go on`() {
        let (phone, watch) = connected()
        send(file(10_000), phone, watch)
        watch.say(1, .resume(from: 0))
        phone.change { $0.cancelFile(transfer: 7) }
        watch.exchange()
        #expect(watch.heard.last?.header == FileHeader(number: 1, step: .cancel(.cancelled)))
        #expect(phone.files == [7: .cancelled])
        // What was on its way means nothing.
        watch.say(1, .progress(to: 497))
        #expect(watch.goodbye == nil)
        send(file(5, label: "next", transfer: 8), phone, watch)
        watch.say(2, .resume(from: 5))
        watch.say(2, .done)
        phone.change { $0.cancelFile(transfer: 8) }
        #expect(phone.files == [7: .cancelled, 8: .stored])
    }

    @Test(arguments: [FileStep.done, .progress(to: 1), .resume(from: 101)])
    func `a step that the watch cannot say ends the link, and the file`(step: FileStep) {
        let (phone, watch) = connected()
        send(file(100), phone, watch)
        watch.say(1, step)
        #expect(watch.goodbye?.fault == .brokenTransfer && phone.files == [7: .broken])
        watch.connect()
        #expect(watch.offers == 1)
    }

    @Test func `a step of a file that was never offered ends the link, and a goodbye of the watch the file`() throws {
        let (phone, watch) = connected()
        watch.say(1, .done)
        #expect(watch.goodbye?.fault == .brokenTransfer)
        watch.connect()
        send(file(100), phone, watch)
        let goodbye = Goodbye(.protocolFault, fault: .brokenTransfer)
        watch.say(
            try [UInt8](capacity: 128) { writer throws(CBORError) in
                try ControlFrame.goodbye(goodbye).encode(into: &writer)
            })
        #expect(phone.files == [7: .broken])
    }

    // MARK: What a watch sends

    @Test func `a file of the watch's is refused, because the phone receives no files`() throws {
        let (_, watch) = connected()
        let (label, hash, nothing) = (Array("log".utf8), file(10).hash, [UInt8]())
        let map = try [UInt8](capacity: 128) { writer throws(CBORError) in
            try FileOffer(
                label: label.span, length: 10, hash: hash.span, metadata: nothing.span, transfer: 5
            ).encode(into: &writer)
        }
        watch.say(1, .offer, map)
        #expect(watch.heard.map(\.header) == [FileHeader(number: 1, step: .refusal(.noReceiver))])
        watch.say(1, .chunk(at: 0), [1])
        #expect(watch.goodbye == nil)
        watch.say(2, .offer, [0xA0])
        #expect(watch.goodbye?.fault == .malformedFrame)
    }

    @Test func `an unknown step is not supported`() {
        let (_, watch) = connected()
        watch.say([0x15, 0, 0, 0, 0, 1, 7])
        #expect(watch.goodbye?.fault == .unsupported)
    }
}
