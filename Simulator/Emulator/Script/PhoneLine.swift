import DeviceModel
import HostSystem
import WatchLink

/// A phone at the other end of a machine's serial line.
package struct PhoneLine {
    private let port: any RadioPort
    private let clock: SimulatedClock
    /// The phone whose list the script can change. Nil if the phone runs in another process.
    let phone: (any ScriptPhone)?
    private var bridge = RadioBridge()

    /// - Parameter clock: the phone's clock. If the clock is virtual, the machine advances the clock. If the clock is real, the
    ///   machine waits until the clock has caught up.
    package init(_ port: any RadioPort, _ clock: SimulatedClock, phone: (any ScriptPhone)? = nil) {
        (self.port, self.clock, self.phone) = (port, clock, phone)
    }

    /// The cycle of the next event on the phone's virtual clock. `.max` if no event is scheduled, or if the clock is real.
    var due: UInt64 {
        guard case .virtual(let clock) = clock, let next = clock.nextEvent else { return .max }
        return next.microseconds * 64
    }

    mutating func exchange(with machine: inout Machine) {
        let cycle = machine.now
        let now = Instant(microseconds: cycle / 64)
        switch clock {
        case .virtual(let clock): clock.advance(to: now)
        case .real(let clock):
            while clock.outside < now {
                var nothing: [PolledDescriptor] = []
                let rest = (now - clock.outside).count
                PolledDescriptor.wait(for: &nothing, microseconds: PolledDescriptor.wholeMilliseconds(rest))
            }
        }
        let bytes = bridge.service(hearing: machine.part.takeSerial(), at: now, port)
        if !bytes.isEmpty { machine.part.receiveSerial(bytes, at: cycle) }
    }
}
