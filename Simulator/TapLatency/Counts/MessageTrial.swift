import DeviceModel
import Emulator
import Watch
import WatchLink

/// Makes a handler do its work for each message, file and button, so that the emulator can count the work. The phone sends
/// sample values and files, and the wearer presses each button of the handler's sheet. The phone answers the handler's
/// questions, refuses them, or answers too late. The last questions get no answer, because the link breaks.
struct MessageTrial {
    private let handler: LabImage.Handler
    private let bench: MachineBench

    /// How long the virtual clock runs after each message. A handler that takes longer continues during the next message.
    private static let pause = Microseconds.milliseconds(120)
    private static let fileTimeout = Microseconds.seconds(10)
    /// The buttons of a sheet. Each is 48 pixels wide.
    private static let buttons = 0..<3

    init(_ image: LabImage, handler place: Int, under conditions: Conditions) throws(TapLatencyError) {
        handler = image.handlers[place]
        do throws(DeviceModelError) {
            bench = try MachineBench(
                image, .own(handler: place), phone: conditions.phone, profile: conditions.profile,
                seed: conditions.seed)
        } catch {
            throw .board("\(error)")
        }
        bench.connect()
    }

    var executed: [String: [ExecutedCode]] { bench.watch.inspect { $0.messageCode.runs } }

    var stackBytes: Int { bench.work.stackBytes ?? 0 }

    func run() throws(TapLatencyError) {
        for name in handler.names { try send(name) }
        try sendFiles()
        let questions = handler.names.filter { $0.use == .questionToPhone }
        for sample in MessageSamples.values(upTo: questions.map(\.size).max() ?? 1) {
            for question in questions { bench.phone.answer(question.text) { _ in sample } }
            try pressButtons()
        }
        for question in questions { bench.phone.answer(question.text) { _ in nil } }
        try pressButtons()
        try ask(whenThePhoneIsLate: questions)
        try ask(whenTheLinkBreaks: questions)
    }

    private func send(_ name: LabImage.Name) throws(TapLatencyError) {
        for sample in MessageSamples.values(upTo: name.size) {
            switch name.use {
            case .valueFromPhone: try onPhone { $0.pass(latest: name.text, sample) }
            case .queueFromPhone: try onPhone { $0.pass(queued: name.text, sample) }
            case .questionFromPhone: try onPhone { $0.ask(name.text, sample, timeout: 100) }
            case .valueToPhone, .queueToPhone, .questionToPhone: return
            }
        }
        if name.use == .valueFromPhone { try onPhone { $0.pass(latest: name.text, []) } }
    }

    private func onPhone(_ change: (InMemoryPhone) -> Void) throws(TapLatencyError) {
        bench.onPhone(change)
        try wait(MessageTrial.pause)
    }

    private func sendFiles() throws(TapLatencyError) {
        for (number, content) in MessageSamples.files(upTo: handler.largestFile).enumerated() {
            let transfer = UInt64(number + 1)
            bench.send(PhoneFile(label: "sample", content: content, transfer: transfer))
            let end = bench.clock.now + MessageTrial.fileTimeout
            while bench.clock.now < end, bench.fileStates[transfer] != .stored { try wait(MessageTrial.pause) }
            try wait(MessageTrial.pause)
        }
    }

    private func pressButtons() throws(TapLatencyError) {
        for button in MessageTrial.buttons {
            guard openSheet() else { return }
            bench.tap(x: Int16(24 + 48 * button), y: 150)
            try wait(MessageTrial.pause)
        }
    }

    private func openSheet() -> Bool {
        if bench.screen.screen != .sheet { bench.send(.hold(.crown)) }
        return bench.screen.sheet?.buttons.isEmpty == false
    }

    private func ask(whenThePhoneIsLate questions: [LabImage.Name]) throws(TapLatencyError) {
        guard !questions.isEmpty else { return }
        // With this delay, each answer arrives after the timeout of its question, but the link stays up.
        bench.faults.jitter = .seconds(4)
        try pressButtons()
        try wait(.seconds(5))
        bench.faults.jitter = .zero
        try wait(.seconds(5))
    }

    private func ask(whenTheLinkBreaks questions: [LabImage.Name]) throws(TapLatencyError) {
        for button in questions.isEmpty ? 0..<0 : MessageTrial.buttons {
            bench.connect()
            guard openSheet() else { return }
            bench.tap(x: Int16(24 + 48 * button), y: 150)
            bench.disconnect()
            try wait(MessageTrial.pause)
        }
        // Presses the buttons again without a link.
        try pressButtons()
    }

    private func wait(_ length: Microseconds) throws(TapLatencyError) {
        bench.run(for: length)
        guard case .failed(let reason) = bench.snapshot.phase else { return }
        let running = bench.watch.inspect { $0.messageCode.running }
        guard let running else { throw .notExecuted(stage: nil, reason) }
        throw .messageNotExecuted(running, reason)
    }
}

/// Sample values and files for a trial. The image gives the maximum size of each message, but not the type of its value. So
/// the samples have many types.
enum MessageSamples {
    /// Returns CBOR values (RFC 8949) of many types, each at most `size` bytes long. The last two are a byte string and a text
    /// of exactly `size` bytes.
    static func values(upTo size: Int) -> [[UInt8]] {
        let values: [[UInt8]] = [
            [0x00], [0x01], [0x0A], [0x18, 0x3D], [0x18, 0xFF], [0x19, 0x03, 0xE8], [0x1A, 0x00, 0x0F, 0x42, 0x40],
            [0x1A, 0xFF, 0xFF, 0xFF, 0xFF], [0x1B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x20],
            [0x3A, 0x7F, 0xFF, 0xFF, 0xFF], [0xF4], [0xF5], [0xF6], [0x40], [0x60], [0x61, 0x61], [0x80],
            [0x83, 0x01, 0x02, 0x03], [0xA0], [0xFB, 0x40, 0x09, 0x21, 0xFB, 0x54, 0x44, 0x2D, 0x18],
        ]
        return values.filter { $0.count <= size } + [filled(major: 2, size), filled(major: 3, size)]
    }

    /// Returns a CBOR text (major type 3) or byte string (major type 2) of `size` bytes, including its head. `size` is 1 to
    /// 256.
    private static func filled(major: UInt8, _ size: Int) -> [UInt8] {
        let head: [UInt8] = size <= 24 ? [major << 5 | UInt8(size - 1)] : [major << 5 | 24, UInt8(size - 2)]
        return head + [UInt8](repeating: 0x61, count: size - head.count)
    }

    /// Returns a file of one byte, a picture if `size` has room for one, and a file of `size` bytes. Empty if `size` is 0.
    static func files(upTo size: Int) -> [[UInt8]] {
        guard size > 0 else { return [] }
        return [[0x00]] + (picture(upTo: size).map { [$0] } ?? [])
            + [[UInt8](repeating: 0xA5, count: size)]
    }

    /// Returns a chequered picture in the PBM format (P4), as wide as the panel. The picture is as high as the panel, or lower
    /// to fit into `size` bytes. Nil if not even one line fits.
    private static func picture(upTo size: Int) -> [UInt8]? {
        let bytesPerLine = 18
        let height = min(168, (size - "P4\n144 168\n".utf8.count) / bytesPerLine)
        guard height > 0 else { return nil }
        let pixels = (0..<height * bytesPerLine).map { UInt8($0 / bytesPerLine % 2 == 0 ? 0x55 : 0xAA) }
        return Array("P4\n144 \(height)\n".utf8) + pixels
    }
}
