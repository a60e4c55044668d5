import CCortexM
import Watch
import WatchLink

extension MPS2Board {
    /// Notes that the runtime has worked. When it is idle again, the bench gets a report.
    mutating func noteWork() {
        switch pacing {
        case .free: pacing = .free(.due)
        case .stepping, .held: break
        }
    }

    var isHeld: Bool {
        switch pacing {
        case .free, .stepping: false
        case .held: true
        }
    }

    mutating func idle(until deadline: Instant?) {
        let wakeUp = earliest(deadline, earliest(flash.readyAt, radio.deadline))
        switch pacing {
        case .free(let report):
            if case .due = report { reportIdle(until: wakeUp) }
            pacing = .free(.reported)
            sleep(until: wakeUp)
        case .stepping:
            clock.hold()
            reportIdle(until: wakeUp)
            pacing = .held
            waitForBench()
        case .held:
            waitForBench()
        }
    }

    /// Waits for an interrupt, at most until `deadline`.
    private mutating func sleep(until deadline: Instant?) {
        // The timer wraps after 171 s, and the clock must be read before that.
        let longest: UInt64 = 100_000_000
        let length = min(longest, deadline.map { ($0 - now).count } ?? longest)
        guard length > 0 else { return }
        Timer.alarm.fire(after: length.lowWord &* Timer.ticksPerMicrosecond)
        let isHolding = radio.isHolding
        sleep(if: { (isHolding || ReceiveRing.radio.isEmpty) && ReceiveRing.bench.isEmpty })
        Timer.alarm.silence()
    }

    /// Waits until the bench lets the clock continue, or asks for something.
    private mutating func waitForBench() {
        while true {
            switch bench.listen(at: .start) {
            case .goOn(let instant, let radioBytes):
                waitForRadio(bytes: radioBytes)
                bench.stampInputs(instant)
                pacing = .stepping
                clock.goOn(from: instant)
                return
            case .request: return
            case .nothing: sleep(if: { ReceiveRing.bench.isEmpty })
            }
        }
    }

    /// Waits until this number of bytes has come in on the radio, or until the buffers are full. The clock stands meanwhile, so
    /// that equal runs receive the same bytes at the same time.
    private mutating func waitForRadio(bytes: UInt32) {
        func isLacking() -> Bool { ReceiveRing.radio.received < bytes && !ReceiveRing.radio.isFull }
        while isLacking() {
            sleep(if: isLacking)
            radio.service(at: now)
        }
        radio.service(at: now)
    }

    /// Sleeps until an interrupt, if `isNeeded` returns true. Interrupts are masked between the call and the sleep, so that
    /// none is missed.
    private func sleep(if isNeeded: () -> Bool) {
        mask_interrupts()
        if isNeeded() { wait_for_interrupt() }
        unmask_interrupts()
    }

    private mutating func reportIdle(until deadline: Instant?) {
        bench.sendNotes()
        let now = clock.read()
        bench.send(
            .idle(
                BenchIdle(
                    inputs: bench.handled, deadline: deadline, now: now, panelBytes: panel.sentBytes,
                    radioBytes: radio.sentBytes, ticks: Timer.clock.ticks)))
    }

    private func earliest(_ left: Instant?, _ right: Instant?) -> Instant? {
        guard let left else { return right }
        guard let right else { return left }
        return min(left, right)
    }
}
