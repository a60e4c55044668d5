import DeviceModel
import Dispatch
import Foundation
import Glibc
import HostSystem
import Synchronization

/// A terminal without hardware. One descriptor is for the program, and the other descriptor is for the test. A thread
/// reads all output at once, so the program never waits for a reader.
final class Pseudoterminal: Sendable {
    private let terminal: CInt
    let program: CInt

    private let written = Mutex<[UInt8]>([])
    private let arrival = DispatchSemaphore(value: 0)
    private let end: EventDescriptor
    private let reader = DispatchSemaphore(value: 0)

    init(columns: Int, rows: Int) throws {
        var terminal: CInt = -1
        var program: CInt = -1
        guard openpty(&terminal, &program, nil, nil, nil) == 0 else { throw PseudoterminalError(number: errno) }
        self.terminal = terminal
        self.program = program
        end = try EventDescriptor()
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
        Thread { [self] in
            readAll()
            reader.signal()
        }.start()
    }

    func close() {
        end.signal()
        reader.wait()
        Glibc.close(terminal)
        Glibc.close(program)
    }

    func type(_ text: String) {
        _ = write(terminal, text, text.utf8.count)
    }

    /// Returns everything that the program has written since the last call.
    func output() -> String {
        // The mark arrives after everything that the program has written.
        let mark = "<that is all>"
        _ = write(program, mark, mark.utf8.count)
        return String(output(until: mark).dropLast(mark.count))
    }

    /// Waits until the output contains `text`, or until the program has written nothing for a minute. Returns the
    /// output since the last call.
    func output(until text: String) -> String {
        while true {
            let soFar = written.withLock { String(decoding: $0, as: UTF8.self) }
            if soFar.contains(text) || arrival.wait(timeout: .now() + 60) == .timedOut {
                written.withLock { $0 = [] }
                return soFar
            }
        }
    }

    private func readAll() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            var watched = [
                pollfd(fd: terminal, events: Int16(POLLIN), revents: 0),
                pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            poll(&watched, 2, -1)
            guard watched[1].revents == 0 else { return }
            let count = read(terminal, &buffer, buffer.count)
            if count > 0 { written.withLock { $0 += buffer[..<count] } }
            arrival.signal()
            if count <= 0 { return }
        }
    }

    var modes: [UInt32] {
        var modes = termios()
        tcgetattr(program, &modes)
        return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
    }
}

struct PseudoterminalError: Error {
    var number: CInt
}
