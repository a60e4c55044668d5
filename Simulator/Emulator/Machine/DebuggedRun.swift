/// A debugger's control of a machine. The machine runs only while the debugger lets it.
package struct DebuggedRun: Sendable {
    private enum State: Sendable {
        case stopped, running
    }

    private var session = DebuggerSession()
    private var state = State.stopped

    package var isRunning: Bool { if case .running = state { true } else { false } }

    package mutating func receive(
        _ bytes: [UInt8], _ machine: inout Machine
    ) -> (reply: [UInt8], demand: DebuggerSession.Demand) {
        var (reply, demand) = session.receive(bytes, &machine)
        machine.stops = session.breakpoints
        machine.watchpoints = Array(session.watchpoints)
        switch demand {
        case .nothing: break
        case .run: state = .running
        case .stop: if isRunning { reply += stopped(.interrupted) }
        case .step: reply += stopped(machine.step().map { reason($0, &machine) } ?? .stepped)
        case .reset: machine.reset()
        case .detach, .end: leave(&machine)
        }
        return (reply, demand)
    }

    package mutating func leave(_ machine: inout Machine) {
        machine.removeStops()
        state = .running
    }

    package mutating func stopped(_ reason: DebuggerSession.StopReason) -> [UInt8] {
        state = .stopped
        return session.stopped(reason)
    }

    /// Runs the machine up to a cycle, unless the debugger has stopped the machine. If the machine stops on the way, `reply` is
    /// the packet that reports the stop to the debugger. If the machine cannot continue after the stop, `end` is the stop.
    package mutating func run(_ machine: inout Machine, until cycle: UInt64) -> (reply: [UInt8], end: Machine.Stop?) {
        guard isRunning, let stop = machine.run(until: cycle) else { return ([], nil) }
        let reply = stopped(reason(stop, &machine))
        switch stop {
        case .breakpoint, .address, .watchpoint: return (reply, nil)
        case .exited, .resetLoop, .traced: return (reply, stop)
        }
    }

    private func reason(_ stop: Machine.Stop, _ machine: inout Machine) -> DebuggerSession.StopReason {
        switch stop {
        case .breakpoint, .address: return .breakpoint
        case .watchpoint(let address):
            // The debugger compares values, so the access has to happen first.
            let point = session.watchpoints.first { $0.addresses.contains(address) }
            _ = machine.step()
            return point.map { .watchpoint($0, address: address) } ?? .breakpoint
        case .exited(let status): return .exited(status: status)
        case .resetLoop, .traced: return .fault
        }
    }
}
