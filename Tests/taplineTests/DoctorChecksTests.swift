import CommandSupport
import TerminalWatch
import Testing

@testable import tapline

@Suite struct DoctorChecksTests {
    let sockets = "/run/user/1000/tapline"
    let data = "/home/ann/.local/share/tapline"

    @Test(arguments: [
        (DirectoryAccess.writable(owner: 1000, mode: 0o700), nil),
        (.absent(nearest: "/run/user/1000", isWritable: true), nil),
        (.writable(owner: 1000, mode: 0o755), "chmod 700 /run/user/1000/tapline"),
        (.writable(owner: 1001, mode: 0o700), "sudo rm -r /run/user/1000/tapline"),
        (.readOnly(owner: 0), "sudo rm -r /run/user/1000/tapline"),
        (.notDirectory, "rm /run/user/1000/tapline"),
        (.absent(nearest: "/run", isWritable: false), "export XDG_RUNTIME_DIR=$(mktemp -d)"),
    ])
    func `the sockets directory is the user's alone`(_ access: DirectoryAccess, _ remedy: String?) {
        var machine = MadeUpMachine.complete
        machine.access[sockets] = access
        #expect(DoctorChecks.sockets(on: machine).remedy == remedy)
    }

    @Test func `without a runtime directory the sockets are in the directory of the user in tmp`() {
        var machine = MadeUpMachine.complete
        machine.variables["XDG_RUNTIME_DIR"] = nil
        machine.access["/tmp/tapline-1000"] = .writable(owner: 1000, mode: 0o700)
        #expect(DoctorChecks.sockets(on: machine).detail == "/tmp/tapline-1000")
    }

    @Test(arguments: [
        (DirectoryAccess.writable(owner: 1000, mode: 0o755), nil),
        (.absent(nearest: "/home/ann", isWritable: true), nil),
        (.readOnly(owner: 0), "sudo chown -R 1000 /home/ann/.local/share/tapline"),
        (.notDirectory, "rm /home/ann/.local/share/tapline"),
        (.absent(nearest: "/", isWritable: false), "export XDG_DATA_HOME=$(mktemp -d)"),
    ])
    func `the data directory can be written to`(_ access: DirectoryAccess, _ remedy: String?) {
        var machine = MadeUpMachine.complete
        machine.access[data] = access
        #expect(DoctorChecks.data(on: machine).remedy == remedy)
    }

    @Test(arguments: [
        (80, 24, "text in 80 x 24: the terminal draws no pictures, and braille takes 74 x 44"),
        (73, 50, "text in 73 x 50: the terminal draws no pictures, and braille takes 74 x 44"),
        (74, 44, "braille in 74 x 44: the terminal draws no pictures, and all of the panel fits"),
        (10, 5, "text in 10 x 5: the terminal draws no pictures, and braille takes 74 x 44"),
    ])
    func `the view is the one that shows the whole panel`(_ columns: Int, _ rows: Int, _ detail: String) {
        var machine = MadeUpMachine.complete
        machine.terminal = TerminalSize(columns: columns, rows: rows)
        #expect(DoctorChecks.view(on: machine).detail == detail)
    }

    @Test func `pixels are the view if the terminal draws them`() {
        var machine = MadeUpMachine.complete
        machine.terminal = TerminalSize(columns: 80, rows: 24)
        machine.graphics = (.some(.sixel, cell: PixelSize(width: 10, height: 20)), "the terminal draws sixels")
        let detail = DoctorChecks.view(on: machine).detail
        #expect(detail == "pixels in 80 x 24: the terminal draws sixels, so each pixel is 2 x 2")
    }

    @Test func `the view of a terminal that cannot be drawn on is plain`() {
        var machine = MadeUpMachine.complete
        machine.variables["TERM"] = "vt100"
        #expect(DoctorChecks.view(on: machine).detail.hasPrefix("plain in 120 x 50: "))
        #expect(DoctorChecks.mouse(on: machine).remedy != nil)
        #expect(DoctorChecks.terminal(on: machine).remedy == "export TERM=xterm-256color")
    }

    @Test(arguments: [
        (["LANG": "en_GB.UTF-8"], nil), (["LC_CTYPE": "C.utf8"], nil),
        (["LC_ALL": "C", "LANG": "en_GB.UTF-8"], "export LC_ALL=C.UTF-8"), ([:], "export LC_ALL=C.UTF-8"),
    ])
    func `braille needs Unicode`(_ variables: [String: String], _ remedy: String?) {
        #expect(DoctorChecks.locale(on: MadeUpMachine(variables: variables)).remedy == remedy)
    }

    @Test(arguments: ["dumb", nil]) func `a dumb terminal gets plain text`(_ name: String?) {
        var machine = MadeUpMachine.complete
        machine.variables["TERM"] = name
        #expect(DoctorChecks.terminal(on: machine).remedy == "export TERM=xterm-256color")
        #expect(DoctorChecks.mouse(on: machine).remedy != nil)
    }

    @Test func `a connection is no adapter`() {
        var machine = MadeUpMachine.complete
        #expect(DoctorChecks.adapter(on: machine).detail == "hci0")
        machine.directories["/sys/class/bluetooth"] = ["hci0:64"]
        #expect(DoctorChecks.adapter(on: machine).remedy != nil)
    }

    @Test func `a blocked radio is unblocked`() {
        var machine = MadeUpMachine.complete
        machine.files["/sys/class/rfkill/rfkill1/soft"] = "1"
        #expect(DoctorChecks.radioSwitch(on: machine).remedy == "sudo rfkill unblock bluetooth")
        machine.files["/sys/class/rfkill/rfkill1/hard"] = "1"
        #expect(DoctorChecks.radioSwitch(on: machine).remedy == "rfkill list bluetooth")
    }

    @Test func `the system bus is a socket`() {
        var machine = MadeUpMachine.complete
        #expect(DoctorChecks.systemBus(on: machine).detail == "/run/dbus/system_bus_socket")
        machine.directories["/run/dbus"] = []
        #expect(DoctorChecks.systemBus(on: machine).remedy == "sudo systemctl start dbus")
    }

    @Test func `bluetoothd's policy says which user may talk to it`() {
        var machine = MadeUpMachine.complete
        #expect(DoctorChecks.bluetoothPermission(on: machine).detail == "no policy forbids it")
        let group = "<policy group=\"bluetooth\">\n<allow send_destination=\"org.bluez\"/></policy>"
        let policy = "/etc/dbus-1/system.d/bluetooth.conf"
        machine.files[policy] = group + "<policy context=\"default\"><deny send_destination=\"org.bluez\"/></policy>"
        machine.files["/etc/group"] = "audio:x:29:\nbluetooth:x:111:\n"
        machine.files["/proc/self/status"] = "Name:\ttapline\nGroups:\t29 1000 \n"
        #expect(
            DoctorChecks.bluetoothPermission(on: machine).remedy
                == "sudo usermod -aG bluetooth $USER  # then log in again")
        machine.files["/proc/self/status"] = "Name:\ttapline\nGroups:\t29 111 1000 \n"
        #expect(DoctorChecks.bluetoothPermission(on: machine).detail == "in the group bluetooth")
        machine.files["/proc/self/status"] = nil
        machine.files[policy] = group + "<policy context=\"default\"><allow send_destination=\"org.bluez\"/></policy>"
        #expect(DoctorChecks.bluetoothPermission(on: machine).detail == "all users")
        machine.user = 0
        #expect(DoctorChecks.bluetoothPermission(on: machine).detail == "root")
    }

    @Test func `bluetoothd is started or installed`() {
        var machine = MadeUpMachine.complete
        #expect(DoctorChecks.bluetoothService(on: machine).detail == "process 77")
        machine.files["/proc/77/comm"] = "bash"
        #expect(DoctorChecks.bluetoothService(on: machine).remedy == "sudo apt-get install bluez")
        machine.directories["/usr/libexec/bluetooth"] = ["bluetoothd"]
        #expect(DoctorChecks.bluetoothService(on: machine).remedy == "sudo systemctl start bluetooth")
    }
}

struct MadeUpMachine: Machine {
    var variables: [String: String] = [:]
    var terminal: TerminalSize?
    var graphics: (TerminalGraphics, because: String) = (.none, "the terminal draws no pictures")
    var user: UInt32 = 1000
    var directories: [String: [String]] = [:]
    var files: [String: String] = [:]
    var access: [String: DirectoryAccess] = [:]
    var sqliteVersion: String?

    func variable(_ name: String) -> String? { variables[name] }
    func names(in directory: String) -> [String] { directories[directory] ?? [] }
    func text(of file: String) -> String? { files[file] }
    func directory(_ path: String) -> DirectoryAccess { access[path] ?? .absent(nearest: "/", isWritable: false) }

    static let complete = MadeUpMachine(
        variables: [
            "TERM": "xterm-256color", "LANG": "en_GB.UTF-8", "HOME": "/home/ann", "XDG_RUNTIME_DIR": "/run/user/1000",
        ],
        terminal: TerminalSize(columns: 120, rows: 50),
        directories: [
            "/run/dbus": ["system_bus_socket"],
            "/sys/class/bluetooth": ["hci0", "hci0:64"], "/sys/class/rfkill": ["rfkill0", "rfkill1"],
            "/proc": ["1", "77", "self"],
        ],
        files: [
            "/proc/1/comm": "init", "/proc/77/comm": "bluetoothd",
            "/sys/class/rfkill/rfkill0/type": "wlan", "/sys/class/rfkill/rfkill0/soft": "1",
            "/sys/class/rfkill/rfkill1/type": "bluetooth", "/sys/class/rfkill/rfkill1/soft": "0",
            "/sys/class/rfkill/rfkill1/hard": "0",
            "/proc/self/maps": "7f00-7f01 r-xp 0000 fe:01 12    /usr/lib/libtickit.so.3.0.0\n",
        ],
        access: [
            "/run/user/1000/tapline": .writable(owner: 1000, mode: 0o700),
            "/home/ann/.local/share/tapline": .writable(owner: 1000, mode: 0o755),
        ],
        sqliteVersion: "3.40.1")
}
