import TestSupport
import Testing

@testable import PhoneHost

@Suite struct SessionBusTests {
    @Test(arguments: [
        (["DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/1000/bus"], true),
        (["DBUS_SESSION_BUS_ADDRESS": ""], false),
        (["DBUS_SESSION_BUS_ADDRESS": "disabled:"], false),
        // A library would start one.
        (["DBUS_SESSION_BUS_ADDRESS": "autolaunch:"], false),
        (["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a;autolaunch:"], false),
        (["XDG_RUNTIME_DIR": "/run/user/1000"], true),
        (["XDG_RUNTIME_DIR": "/elsewhere"], false),
        (["XDG_RUNTIME_DIR": ""], false),
        (["DISPLAY": ":0"], false),
    ])
    func `A bus is where the session says so, and none is started`(_ environment: [String: String], _ isThere: Bool) {
        #expect(SessionBus.isThere(environment) { $0 == "/run/user/1000/bus" } == isThere)
    }

    @Test func `A file is no socket`() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("bus")
        try "text".write(toFile: path, atomically: true, encoding: .utf8)
        let runtime = String(path.dropLast("/bus".count))
        #expect(!SessionBus.isThere(["XDG_RUNTIME_DIR": runtime]))
    }
}
