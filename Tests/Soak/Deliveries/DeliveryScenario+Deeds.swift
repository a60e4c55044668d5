import WatchLink
import Wormhole

extension DeliveryScenario {
    func happen(_ event: DeliveryEvent) {
        switch event {
        case .queue(let end, let count): for _ in 0..<count { queue(end, .queued) }
        case .complicate(let end, let count): for _ in 0..<count { queue(end, .complication) }
        case .withdraw(let end): withdraw(end)
        case .change(let end, let name, let count): for _ in 0..<count { change(end, name) }
        case .clear(let end, let name): clear(end, name)
        case .notify(let end): notify(end)
        case .ask(let end, let count, let name, let answer, let limit, let reach):
            for _ in 0..<count { ask(end, name, answer: answer, limit: limit, reach: reach) }
        case .send(let end, let bytes): send(end, bytes: bytes)
        case .cancelSending(let end): cancelSending(end)
        case .cancelReceiving(let end): cancelReceiving(end)
        case .cut:
            guard !wires.isEmpty else { break }
            for wire in wires { wire.cut() }
            happened(.cut, "the link is cut")
        case .abandon(let end):
            guard let wire = wires.last, wire.isUp else { break }
            wire.abandon(end)
            happened(.halfOpen, "the \(end) loses the link, and the \(end.other) does not notice")
        case .deafen(let end):
            guard let wire = wires.last, wire.isUp else { break }
            wire.deafen(end)
            happened(.deaf, "nothing reaches the \(end) any more")
        case .part(let milliseconds): part(for: milliseconds)
        case .delay(let milliseconds):
            delay = Microseconds(milliseconds: milliseconds)
            happened(.slow, "a datagram takes \(milliseconds) ms")
        case .computer(let end, let fault): suffer(fault, side(end))
        case .fillFiles(let end, let calls, let count):
            side(end).program?.process.fileFate = .failing(.full, after: calls, count: count)
            fullEnds.insert(end)
            intents.excusesFiles(to: end)
        case .setDay(let days):
            for side in computers { side.wallClock.shift(by: days * 86_400) }
            happened(.clockJump, "the day is another, \(days) later")
        }
        settle()
        judgeVisible()
    }

    /// Calls the endpoint of an end. Returns nil if the program of the end does not run.
    private func perform<Value>(
        _ end: LinkEnd, _ body: @escaping (EndpointMachine) throws(WormholeError) -> Value
    ) -> Result<Value, WormholeError>? {
        side(end).program?.endpoint.call(body)
    }

    /// Passes `number` as a message, or a notification if `number` is nil.
    private func pass(
        _ number: Int?, under name: MessageName, _ delivery: Delivery, from end: LinkEnd
    ) -> Result<MessageHandle?, WormholeError>? {
        perform(end) { machine throws(WormholeError) in
            var payload: [UInt8]?
            if let number { payload = try MessageEncoder().encode(number) }
            return try machine.pass(encoded: payload, under: name, delivery: delivery, to: .everyone)
        }
    }

    private func queue(_ end: LinkEnd, _ delivery: Delivery) {
        guard side(end).program != nil else { return }
        let number = newNumber()
        let day = side(end).wallClock.day
        let result = pass(number, under: EndProgram.Names.queue, delivery, from: end)
        var message = Intents.Message(number: number, from: end, certainty: .unknown)
        if delivery == .complication { message.complication = Intents.Complication(day: day, charge: nil) }
        if case .success(let handle?) = result, let copy = handle.copies.values.first {
            message.certainty = .taken
            message.stored = copy.number
            message.complication?.charge = copy.charge
        }
        // The two ends have never connected, so there is no queue.
        if case .failure(.unknownPeer) = result { return }
        intents.means(message)
        tell("the \(end) passes message \(number) by \(delivery): \(message.certainty)")
        settle()
    }

    private func withdraw(_ end: LinkEnd) {
        var number: MessageNumber?
        let result = perform(end) { machine throws(WormholeError) in
            number = try machine.outstanding().first?.number
            guard let oldest = number else { return }
            do throws(WormholeError) { try machine.cancel(oldest) } catch {
                // `notCancelled` means that it was too late. After any other error, the result is unknown.
                if case .notCancelled = error { number = nil }
            }
        }
        guard let number, mayBeDone(result, by: end) else { return }
        intents.withdraws(number, end)
        tell("the \(end) takes back its message \(number)")
        settle()
    }

    /// Returns whether the call succeeded, or the program was killed during the call.
    private func mayBeDone(_ result: Result<Void, WormholeError>?, by end: LinkEnd) -> Bool {
        switch result {
        case .success: true
        case .failure, nil: side(end).program?.process.isRunning != true
        }
    }

    private func name(_ name: DeliveryEvent.ValueName, of end: LinkEnd) -> MessageName {
        switch (name, end) {
        case (.own, .phone): "own.phone"
        case (.own, .watch): "own.watch"
        case (.shared, _): "shared"
        }
    }

    private func change(_ end: LinkEnd, _ kind: DeliveryEvent.ValueName) {
        guard side(end).program != nil else { return }
        let name = name(kind, of: end)
        let number = newNumber()
        let result = pass(number, under: name, .latest, from: end)
        var value = Intents.Value(number: number, name: name.text, from: end, certainty: .unknown)
        if case .success = result { value.certainty = .taken }
        intents.means(value)
        tell("the \(end) passes the value \(number) of \(name): \(value.certainty)")
    }

    private func clear(_ end: LinkEnd, _ kind: DeliveryEvent.ValueName) {
        guard side(end).program != nil else { return }
        let name = name(kind, of: end)
        let result = perform(end) { machine throws(WormholeError) in try machine.clear(name) }
        var value = Intents.Value(number: nil, name: name.text, from: end, certainty: .unknown)
        if case .success = result { value.certainty = .taken }
        intents.means(value)
        tell("the \(end) clears \(name): \(value.certainty)")
    }

    func notify(_ end: LinkEnd) {
        guard side(end).program != nil else { return }
        intents.notifies(end)
        _ = pass(nil, under: EndProgram.Names.tick, .latest, from: end)
        tell("the \(end) posts a notification")
    }

    func ask(_ end: LinkEnd, _ kind: DeliveryEvent.QuestionName, answer: Int, limit: Int, reach: Int) {
        guard let program = side(end).program else { return }
        let number = newNumber()
        let name: MessageName =
            switch kind {
            case .echo: EndProgram.Names.echo
            case .fails: EndProgram.Names.fails
            case .nobody: EndProgram.Names.nobody
            }
        let (limit, reach) = (Microseconds(milliseconds: limit), Microseconds(milliseconds: reach))
        let isAlone = reach == .zero && !wires.contains { $0.channel(of: end).isOpen }
        intents.means(
            Intents.Question(
                number: number, from: end, name: kind, asked: now, deadline: now + reach + limit,
                hasLink: !isAlone))
        tell("the \(end) asks question \(number), \(kind)")
        program.ask(
            EndProgram.Question(number: number, answer: answer), under: name, within: limit, reaching: reach)
        settle()
    }

    private func send(_ end: LinkEnd, bytes: Int) {
        guard side(end).program != nil else { return }
        let number = newNumber()
        var generator = SplitMix64(seed: plan.seed &+ UInt64(number) &* 1_000_003)
        let content = (0..<bytes).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        let name = EndProgram.label(ofFile: number)
        let path = side(end).folder.add(content, as: name)
        let result = side(end).program.flatMap { program in
            perform(end) { [peer = program.peer, files = program.process.fileSystem] machine throws(WormholeError) in
                try machine.checkFiles(to: peer)
                let (length, hash) = try files.summary(of: path, upTo: .max)
                return try machine.send(
                    fileAt: path, as: try FileLabel(name), to: peer, length: length, hash: hash, metadata: nil)
            }
        }
        if case .success(let transfer) = result { side(end).program?.follow(transfer) }
        if case .failure(.unknownPeer) = result { return }
        var file = Intents.File(number: number, from: end, bytes: content, certainty: .unknown)
        if case .success = result { file.certainty = .taken }
        intents.means(file)
        if fullEnds.contains(end.other) { intents.excusesFiles(to: end.other) }
        tell("the \(end) sends file \(number) of \(bytes) bytes: \(file.certainty)")
        settle()
    }

    private func cancelSending(_ end: LinkEnd) {
        var label: String?
        let result = perform(end) { machine throws(WormholeError) in
            guard let transfer = try machine.filesUnderWay().first else { return }
            label = transfer.label.text
            try machine.cancelSending(transfer.number)
        }
        guard let label, mayBeDone(result, by: end) else { return }
        intents.excuses(file: EndProgram.number(ofFile: label), .cancelledBySender)
        tell("the \(end) cancels \(label)")
        settle()
    }

    private func cancelReceiving(_ end: LinkEnd) {
        guard let program = side(end).program, let file = program.newestFile else { return }
        intents.excuses(file: EndProgram.number(ofFile: file.label.text), .cancelledByReceiver)
        tell("the \(end) does not want \(file.label)")
        program.refuse(file)
        settle()
    }
}
