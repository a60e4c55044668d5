import DeviceModel
import MachineWatch
import Watch
import WatchLink

/// Tries a handler of an image with everything that it declares: each name with samples of values, each button of its sheet, questions
/// that are answered, refused and not answered, and files; and counts what the watch executes for each.
struct MessageTrial {
    private let handler: LabImage.Handler
    private let bench: MachineBench

    /// How long the watch has for a message. It is virtual time; a handler that takes longer goes on in the next message's.
    private static let pause = Microseconds.milliseconds(120)
    private static let patience = Microseconds.seconds(10)
    /// The buttons of a sheet, each 48 pixels wide.
    private static let buttons = 0..<3

    /// A watch in sync with its phone.
    init(_ image: LabImage, handler place: Int, under conditions: Conditions) throws(TapLatencyError) {
        handler = image.handlers[place]
        do throws(DeviceModelError) {
            bench = try MachineBench(
                image, .own(handler: place), phone: conditions.phone, profile: conditions.profile,
                seed: conditions.seed, flash: .usual)
        } catch {
            throw .board("\(error)")
        }
        bench.connect()
    }

    /// What was executed each time, by `MessageTitle`.
    var executed: [String: [ExecutedCode]] { bench.watch.lookInside { $0.messageCode.runs } }

    /// The most bytes of its stack that the watch has used.
    var stackBytes: Int { bench.work.stackBytes ?? 0 }

    /// Tries everything.
    ///
    /// - Throws: what did not come to its end, and why.
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

    /// Has a program on the phone use a name, where the phone is its sender.
    private func send(_ name: LabImage.Name) throws(TapLatencyError) {
        for sample in MessageSamples.values(upTo: name.size) {
            switch name.use {
            case .valueFromPhone: try onPhone { $0.pass(latest: name.text, sample) }
            case .queueFromPhone: try onPhone { $0.pass(queued: name.text, sample) }
            case .questionFromPhone: try onPhone { $0.ask(name.text, sample, patience: 100) }
            case .valueToPhone, .queueToPhone, .questionToPhone: return
            }
        }
        if name.use == .valueFromPhone { try onPhone { $0.pass(latest: name.text, []) } }
    }

    private func onPhone(_ change: (SimulatedPhone) -> Void) throws(TapLatencyError) {
        bench.onPhone(change)
        try wait(MessageTrial.pause)
    }

    private func sendFiles() throws(TapLatencyError) {
        for (number, content) in MessageSamples.files(upTo: handler.largestFile).enumerated() {
            let transfer = UInt64(number + 1)
            bench.send(PhoneFile(label: "sample", content: content, transfer: transfer))
            let end = bench.clock.now + MessageTrial.patience
            while bench.clock.now < end, bench.fileStates[transfer] != .stored { try wait(MessageTrial.pause) }
            try wait(MessageTrial.pause)
        }
    }

    /// Touches each button of the handler's sheet, which the wearer opens where it has one.
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
        // No answer arrives in time. The link lives.
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
        // And where there is none.
        try pressButtons()
    }

    private func wait(_ length: Microseconds) throws(TapLatencyError) {
        bench.run(for: length)
        guard case .failed(let reason) = bench.snapshot.phase else { return }
        let running = bench.watch.lookInside { $0.messageCode.running }
        guard let running else { throw .notExecuted(stage: nil, reason) }
        throw .messageNotExecuted(running, reason)
    }
}
