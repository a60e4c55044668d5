import HostSystem

/// A TCP port on the loopback address, through which a debugger controls a machine. Before its first instruction, the machine
/// waits for a debugger.
package final class DebuggerPort {
    enum News: String {
        case connected = "a debugger has connected"
        case left = "the debugger has gone"
        case refused = "another debugger was refused, because one is connected"
        case ended = "the debugger has ended the run"
    }

    private let server: LoopbackServer
    private var run = DebuggedRun()

    /// - Parameter port: the port's number; 0 for a port that the system chooses.
    package init(port: UInt16) throws(HostSystemError) { server = try LoopbackServer(port: port) }

    deinit { if run.isRunning { server.send(run.stopped(.exited(status: 0))) } }

    package var port: UInt16 { server.port }
    package var holds: Bool { !run.isRunning }

    func serve(_ machine: inout Machine, waiting milliseconds: CInt) -> News? {
        switch server.receive(waiting: milliseconds) {
        case .nothing: return nil
        case .refused: return .refused
        case .connected:
            run = DebuggedRun()
            return .connected
        case .left:
            run.leave(&machine)
            return .left
        case .received(let bytes):
            let (reply, demand) = run.receive(bytes, &machine)
            server.send(reply)
            guard demand == .detach || demand == .end else { return nil }
            server.drop()
            return demand == .end ? .ended : .left
        }
    }

    func run(_ machine: inout Machine, until cycle: UInt64) -> Machine.Stop? {
        guard server.hasClient else { return machine.run(until: cycle) }
        let (reply, end) = run.run(&machine, until: cycle)
        server.send(reply)
        return end
    }

    /// Tells the debugger that a fault has stopped the machine. Returns false if no debugger is connected.
    func showFault() -> Bool {
        guard server.hasClient else { return false }
        server.send(run.stopped(.fault))
        return true
    }
}
