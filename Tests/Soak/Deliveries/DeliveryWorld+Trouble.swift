import WatchLink
import Wormhole

/// What goes wrong.
extension DeliveryWorld {
    func disturb(_ what: DeliveryHappening) {
        switch what {
        case .cut:
            guard !wires.isEmpty else { return }
            for wire in wires { wire.cut() }
            happened(.linkCut, "the link is cut")
        case .abandon(let end):
            guard let wire = wires.last, wire.isUp else { return }
            wire.abandon(end)
            happened(.linkHalfOpen, "the \(end) loses the link, and the \(end.other) does not notice")
        case .deafen(let end):
            guard let wire = wires.last, wire.isUp else { return }
            wire.deafen(end)
            happened(.linkDeaf, "nothing reaches the \(end) any more")
        case .part(let milliseconds):
            for wire in wires { wire.cut() }
            partedUntil = now + .milliseconds(UInt32(milliseconds))
            happened(.linkAway, "the ends are out of reach for \(milliseconds) ms")
        case .delay(let milliseconds):
            delay = .milliseconds(UInt32(milliseconds))
            happened(.linkSlow, "a datagram takes \(milliseconds) ms")
        case .kill, .killAtFile, .restart, .failDisk, .fillFiles: breakEnd(what)
        case .setDay(let days):
            day.move(by: days)
            happened(.dayChange, "the day is another, \(days) later")
        case .queue, .complicate, .withdraw, .change, .clear, .notify, .ask, .send, .cancelSending, .cancelReceiving:
            break
        }
        settle()
    }

    private func happened(_ fault: DeliveryFault, _ text: @autoclosure () -> String) {
        count(fault)
        tell(text())
    }

    private func breakEnd(_ what: DeliveryHappening) {
        switch what {
        case .kill(let end, let writes, let milliseconds, let loss):
            guard let run = side(end).run else { return }
            side(end).outage = (loss, milliseconds)
            if let writes { run.process.fate = .killed(after: writes) } else { run.process.kill() }
        case .killAtFile(let end, let calls, let milliseconds, let loss):
            guard let run = side(end).run else { return }
            side(end).outage = (loss, milliseconds)
            run.files.kill(after: calls)
        case .restart(let end, let milliseconds):
            guard side(end).run != nil else { return }
            stop(side(end))
            side(end).starts = now + .milliseconds(UInt32(milliseconds))
            count(.endRestart)
        case .failDisk(let end, let writes, let count, let full):
            let trouble: DiskProcess.Trouble = full == .full ? .full : .failing
            side(end).run?.process.fate = .failing(trouble, after: writes, count: count)
        case .fillFiles(let end, let calls, let count):
            side(end).run?.files.fill(after: calls, count: count)
            fullEnds.insert(end)
            intents.excusesFiles(to: end)
        case .cut, .abandon, .deafen, .part, .delay, .setDay, .queue, .complicate, .withdraw, .change, .clear, .notify,
            .ask, .send, .cancelSending, .cancelReceiving:
            break
        }
    }

    /// Ends every fault.
    func heal() {
        tell("the faults are over")
        partedUntil = nil
        delay = .milliseconds(5)
        for end in WormholeEnd.allCases {
            guard let run = side(end).run else { continue }
            run.process.fate = .none
            run.files.heal()
        }
    }
}
