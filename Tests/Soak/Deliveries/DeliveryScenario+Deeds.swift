import WatchLink
import Wormhole

/// What the programs do, and what goes wrong.
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

    /// Runs something in the program of an end, which may be killed meanwhile; nil if it has no program, or waits for something.
    private func perform<Value: Sendable>(
        _ end: LinkEnd, _ body: @escaping @Sendable (EndHandler) async throws(WormholeError) -> Value
    ) -> Result<Value, WormholeError>? {
        guard let program = side(end).program?.handler else { return nil }
        let result: Result<Value, WormholeError>? = executor.result {
            do throws(WormholeError) { return .success(try await body(program)) } catch { return .failure(error) }
        }
        return result
    }

    private func queue(_ end: LinkEnd, _ delivery: Delivery) {
        guard side(end).program != nil else { return }
        let number = newNumber()
        let day = side(end).wallClock.day
        let result = perform(end) { program throws(WormholeError) in
            try await program.wormhole.pass(number, under: EndHandler.Names.queue, delivery: delivery)
        }
        var message = Intents.Message(number: number, from: end, certainty: .unknown)
        if delivery == .complication { message.complication = Intents.Complication(day: day, charge: nil) }
        if case .success(let handle?) = result, let copy = handle.copies.values.first {
            message.certainty = .taken
            message.stored = copy.number
            message.complication?.charge = copy.charge
        }
        // The watch was never here, so there is no queue.
        if case .failure(.unknownPeer) = result { return }
        intents.means(message)
        tell("the \(end) passes message \(number) by \(delivery): \(message.certainty)")
        settle()
    }

    private func withdraw(_ end: LinkEnd) {
        let result = perform(end) { program throws(WormholeError) -> MessageNumber? in
            guard let oldest = try await program.wormhole.outstanding().first else { return nil }
            do throws(WormholeError) { try await program.wormhole.cancel(oldest.number) } catch {
                // It was too late. What came before any other error is unknown.
                if case .notCancelled = error { return nil }
            }
            return oldest.number
        }
        guard case .success(let number?) = result else { return }
        intents.withdraws(number, end)
        tell("the \(end) takes back its message \(number)")
        settle()
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
        let result = perform(end) { program throws(WormholeError) in
            try await program.wormhole.pass(number, under: name, delivery: .latest)
        }
        var value = Intents.Value(number: number, name: name.text, from: end, certainty: .unknown)
        if case .success = result { value.certainty = .taken }
        intents.means(value)
        tell("the \(end) passes the value \(number) of \(name): \(value.certainty)")
    }

    private func clear(_ end: LinkEnd, _ kind: DeliveryEvent.ValueName) {
        guard side(end).program != nil else { return }
        let name = name(kind, of: end)
        let result = perform(end) { program throws(WormholeError) in try await program.wormhole.clear(name) }
        var value = Intents.Value(number: nil, name: name.text, from: end, certainty: .unknown)
        if case .success = result { value.certainty = .taken }
        intents.means(value)
        tell("the \(end) clears \(name): \(value.certainty)")
    }

    func notify(_ end: LinkEnd) {
        guard side(end).program != nil else { return }
        intents.notifies(end)
        _ = perform(end) { program throws(WormholeError) in
            try await program.wormhole.pass(Int?.none, under: EndHandler.Names.tick)
        }
        tell("the \(end) posts a notification")
    }

    func ask(_ end: LinkEnd, _ kind: DeliveryEvent.QuestionName, answer: Int, limit: Int, reach: Int) {
        guard let program = side(end).program?.handler else { return }
        let number = newNumber()
        let name: MessageName =
            switch kind {
            case .echo: EndHandler.Names.echo
            case .fails: EndHandler.Names.fails
            case .nobody: EndHandler.Names.nobody
            }
        let (limit, reach) = (Microseconds(milliseconds: limit), Microseconds(milliseconds: reach))
        let isAlone = reach == .zero && !wires.contains { $0.channel(of: end).isOpen }
        intents.means(
            Intents.Question(
                number: number, from: end, name: kind, asked: now, deadline: now + reach + limit,
                hasLink: !isAlone))
        tell("the \(end) asks question \(number), \(kind)")
        Task.detached {
            do throws(WormholeError) {
                let peer = try await program.peer
                let reply = try await program.wormhole.ask(
                    EndHandler.Question(number: number, answer: answer), under: name, for: Int.self, of: peer,
                    within: limit, reaching: reach == .zero ? .now : .within(reach))
                program.recorder.sees(.replied(number, with: reply))
            } catch {
                program.recorder.sees(.unanswered(number, error))
            }
        }
        settle()
    }

    private func send(_ end: LinkEnd, bytes: Int) {
        guard side(end).program != nil else { return }
        let number = newNumber()
        var generator = SplitMix64(seed: plan.seed &+ UInt64(number) &* 1_000_003)
        let content = (0..<bytes).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        let name = EndHandler.label(ofFile: number)
        let path = side(end).folder.add(content, as: name)
        let result = perform(end) { program throws(WormholeError) in
            let transfer = try await program.wormhole.send(
                fileAt: path, as: try FileLabel(name), to: try await program.peer, encodedMetadata: nil)
            program.follow(transfer)
        }
        if case .failure(.unknownPeer) = result { return }
        var file = Intents.File(number: number, from: end, bytes: content, certainty: .unknown)
        if case .success = result { file.certainty = .taken }
        intents.means(file)
        if fullEnds.contains(end.other) { intents.excusesFiles(to: end.other) }
        tell("the \(end) sends file \(number) of \(bytes) bytes: \(file.certainty)")
        settle()
    }

    private func cancelSending(_ end: LinkEnd) {
        let result = perform(end) { program throws(WormholeError) -> String? in
            guard let transfer = try await program.wormhole.filesUnderWay().first else { return nil }
            await transfer.cancel()
            return transfer.label.text
        }
        // If it was killed meanwhile, any of its files may have been the one.
        let label: String? = if case .success(let label) = result { label } else { nil }
        guard let label else { return }
        intents.excuses(file: EndHandler.number(ofFile: label), .cancelledBySender)
        tell("the \(end) cancels \(label)")
        settle()
    }

    private func cancelReceiving(_ end: LinkEnd) {
        guard let file = side(end).program?.handler.arriving.file else { return }
        intents.excuses(file: EndHandler.number(ofFile: file.label.text), .cancelledByReceiver)
        tell("the \(end) does not want \(file.label)")
        _ = perform(end) { _ throws(WormholeError) in await file.cancel() }
        settle()
    }
}

extension EndHandler {
    /// The other end. A phone that no watch has ever connected to has an identity in its place that is never there.
    var peer: PeerIdentity {
        get async throws(WormholeError) {
            guard case .phone = end else { return .phone }
            return try await store.peers().first ?? PeerIdentity(rawValue: 1)
        }
    }
}
