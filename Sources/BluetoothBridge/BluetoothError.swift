import Glibc
import HostSystem
import SystemPackage
import Wormhole

/// An error of the Bluetooth bridge. Its description is one line that tells the user what to do.
public enum BluetoothError: Error, Hashable, Sendable {
    /// A call to the operating system failed. `call` names the C function or the HCI command.
    case system(call: String, Errno)
    /// The machine has no Bluetooth adapter with this name or address. If `name` is nil, it has no adapter.
    case noAdapter(name: String?)
    case adapterDown(name: String)
    case adapterBlocked(name: String)
    /// This process cannot reach the D-Bus system bus. The text says why.
    case noBus(String)
    case noDaemon
    /// The system refuses this user access to bluetoothd.
    case notAllowed
    case malformedAddress(String)
    case outOfReach(BluetoothAddress)
    case notPaired(BluetoothAddress)
    /// The device answers, but refuses a channel on this PSM, usually because no program serves it.
    case notListening(BluetoothAddress, psm: UInt16)
    /// The link ended while the channel was being opened.
    case cutOff(BluetoothAddress)
    /// The channel carries datagrams of at most `bytes` bytes, fewer than `LinkLimits.smallestSDU`.
    case tooNarrow(BluetoothAddress, bytes: Int)
    /// The channel or the listener is closed, or the task that waited for a channel was cancelled.
    case ended
    /// The channel does not have security level 4 with a key of 16 bytes. `level` is its security level, at most 3; a shorter
    /// key counts as level 3.
    case insecure(BluetoothAddress, level: Int)
    /// The two sides no longer have the same keys, because one has forgotten the other.
    case bondLost(BluetoothAddress)
    case pairingFailed(BluetoothAddress, String)
    /// The device wanted to pair by this method instead of comparing digits.
    case notCompared(BluetoothAddress, PairingMethod)
    /// The device is not a Tapline watch, or does not run the watch's program.
    case noService(BluetoothAddress)
    case alreadyPaired(BluetoothAddress)
    /// The system does not let this process change the connection parameters of a link.
    case parametersKept
    case timedOut
    case cancelled
    /// BlueZ refused a call. The values are the name and the message of its D-Bus error.
    case refused(String, String)
    /// BlueZ gave an answer that its documentation rules out. The text says which answer.
    case unexpectedAnswer(String)
}

extension BluetoothError {
    /// Whether a listener refused one peer, and can still accept others.
    package var isRefusal: Bool {
        if case .insecure = self { return true }
        if case .tooNarrow = self { return true }
        return false
    }
}

extension BluetoothError: CustomStringConvertible {
    /// One line for the user.
    public var description: String {
        switch self {
        case .system(let call, let reason): reason.explanation(of: call)
        case .noAdapter(nil): "no Bluetooth adapter: plug one in"
        case .noAdapter(let name?): "no Bluetooth adapter \(name): `tapline pair --list` shows the adapters"
        case .adapterDown(let name): "the adapter \(name) is off: bluetoothctl power on"
        case .adapterBlocked(let name): "the adapter \(name) is blocked: sudo rfkill unblock bluetooth"
        case .noBus(let reason): "the system bus cannot be reached (\(reason)): is dbus-daemon running?"
        case .noDaemon: "bluetoothd is not running: sudo systemctl start bluetooth"
        case .notAllowed:
            "the system does not let you use Bluetooth: sudo usermod -aG bluetooth $USER, then log in again"
        case .malformedAddress(let text): "\"\(text)\" is not an address: an address looks like 00:1B:DC:07:32:EF"
        case .outOfReach(let address): "\(address) does not answer: is it nearby and switched on?"
        case .notPaired(let address): "\(address) is not paired: tapline pair \(address)"
        case .notListening(let address, let psm):
            "\(address) refuses channel \(psm): is the watch's program running there?"
        case .cutOff(let address):
            "\(address) ended the connection: try again; if that fails, run `tapline unpair \(address)` and pair again"
        case .tooNarrow(let address, let bytes):
            "\(address) accepts datagrams of \(CountText(bytes, "byte")) at most, which is too short: is it a Tapline watch?"
        case .ended: "closed"
        case .insecure(let address, let level):
            "\(address) has security level \(level), level 4 is needed: run `tapline unpair \(address)` and pair again"
        case .bondLost(let address):
            "\(address) has forgotten this machine: run `tapline unpair \(address)` and pair again"
        case .pairingFailed(let address, let reason): "pairing with \(address) failed: \(reason)"
        case .notCompared(let address, let method):
            "\(address) wants to pair \(method), so it could be any device: pair only when both show six digits"
        case .noService(let address):
            "\(address) does not offer the service of a Tapline watch: is the watch's program running there?"
        case .alreadyPaired(let address):
            "\(address) is already paired: run `tapline unpair \(address)` to pair it again"
        case .parametersKept:
            "the system does not let tapline change connection parameters: run as root, or give tapline CAP_NET_RAW (sudo setcap)"
        case .timedOut: "Bluetooth did not answer in time: try again, or sudo systemctl restart bluetooth"
        case .cancelled: "cancelled"
        case .refused(let name, let reason): "BlueZ refused: \(reason.isEmpty ? name : reason)"
        case .unexpectedAnswer(let place): "BlueZ gave an unexpected answer: \(place)"
        }
    }
}

extension BluetoothError {
    init(_ error: HostSystemError) { self = .system(call: error.call, error.reason) }

    /// Converts a D-Bus error. BlueZ's own errors become `.refused`, because their meaning depends on the call.
    init(_ fault: BusFault) {
        switch fault.name {
        // The bus answers NoReply if a program ends without an answer.
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
            "org.freedesktop.DBus.Error.NoReply":
            self = .noDaemon
        case "org.freedesktop.DBus.Error.AccessDenied", "org.freedesktop.DBus.Error.AuthFailed": self = .notAllowed
        case "org.freedesktop.DBus.Error.Timeout", "org.freedesktop.DBus.Error.TimedOut": self = .timedOut
        case "org.freedesktop.DBus.Error.Disconnected", "org.freedesktop.DBus.Error.NoServer":
            self = .noBus(fault.message)
        default: self = .refused(fault.name, fault.message)
        }
    }
}

extension BluetoothError {
    /// Converts the error number with which the kernel failed to open a channel.
    ///
    /// The kernel derives this number from the controller's status (`bt_to_errno` in net/bluetooth/lib.c), or from the L2CAP
    /// response of the peer (`l2cap_le_connect_rsp` in l2cap_core.c).
    init(connectingTo peer: BluetoothAddress, psm: UInt16, _ reason: Errno) {
        self =
            switch reason {
            // No such PSM; no resources for another channel; a refusal without a reason.
            case .connectionRefused: .notListening(peer, psm: psm)
            // 0x05 authentication failed, 0x18 pairing not allowed: the device has no keys for this machine, or weak ones.
            // 0x06: the device reports that it has lost the keys.
            case .permissionDenied, .keyMissing: .bondLost(peer)
            // 0x04 page timeout, 0x08 supervision timeout, 0x10 not accepted in time. The kernel has no number of its own for
            // 0x3e, connection never established.
            case .hostIsDown, .timedOut, .noFunction: .outOfReach(peer)
            // 0x13 to 0x16: either side has ended the link, for example because pairing failed.
            case .connectionReset, .connectionAbort: .cutOff(peer)
            case let reason: .system(call: "connect", reason)
            }
    }

    init(_ error: WormholeError) {
        if case .system(let call, _, let reason) = error {
            self = .system(call: call, reason)
        } else {
            self = error == .closed ? .ended : .unexpectedAnswer(error.description)
        }
    }
}

extension WormholeError {
    init(_ error: BluetoothError) {
        self = error == .ended ? .closed : .transport(error.description)
    }
}

extension Errno {
    /// EBADE, to which the kernel maps the controller's 0x06, "PIN or key missing".
    static let keyMissing = Errno(rawValue: EBADE)
}

extension BluetoothError {
    /// What a call to BlueZ concerns. The meaning of BlueZ's errors depends on it.
    enum Subject: Hashable, Sendable {
        case adapter(String)
        case device(BluetoothAddress, adapter: String)

        var adapter: String {
            switch self {
            case .adapter(let name), .device(_, let name): name
            }
        }
    }

    /// Whether a repeated call may succeed, because BlueZ was busy, or had not yet created a D-Bus object or one of the
    /// object's interfaces.
    var isPassing: Bool {
        guard case .refused(let name, let message) = self else { return false }
        // Two of BlueZ's own attempts to connect collided.
        if name == "org.bluez.Error.Failed", message == "le-connection-abort-by-local" { return true }
        return [
            "org.bluez.Error.Busy", "org.bluez.Error.InProgress", "org.freedesktop.DBus.Error.UnknownObject",
            "org.freedesktop.DBus.Error.UnknownMethod", "org.freedesktop.DBus.Error.UnknownInterface",
        ].contains(name)
    }

    /// Converts `.refused` to a more precise error, if there is one for a call about `subject`. Returns other errors unchanged.
    func about(_ subject: Subject) -> BluetoothError {
        guard case .refused(let name, let message) = self else { return self }
        switch name {
        case "org.bluez.Error.NotReady": return .adapterDown(name: subject.adapter)
        case "org.bluez.Error.Blocked": return .adapterBlocked(name: subject.adapter)
        // bluetoothd answers UnknownMethod if it never had the object, or no longer has it.
        case "org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.UnknownMethod":
            guard case .device(let address, _) = subject else { return .noAdapter(name: subject.adapter) }
            return .outOfReach(address)
        default: break
        }
        guard case .device(let address, _) = subject else { return self }
        switch name {
        case "org.bluez.Error.AlreadyExists": return .alreadyPaired(address)
        case "org.bluez.Error.DoesNotExist", "org.bluez.Error.NotConnected", "org.bluez.Error.ConnectionAttemptFailed",
            "org.bluez.Error.NotAvailable":
            return .outOfReach(address)
        case "org.bluez.Error.AuthenticationFailed":
            return .pairingFailed(address, "one side rejected the digits, or they differ")
        case "org.bluez.Error.AuthenticationCanceled": return .pairingFailed(address, "it was cancelled")
        case "org.bluez.Error.AuthenticationRejected": return .pairingFailed(address, "the other side refused")
        case "org.bluez.Error.AuthenticationTimeout": return .pairingFailed(address, "a side did not answer in time")
        // Connect answers `Failed` with a reason: le-connection-abort-by-local, le-connection-canceled and others.
        case "org.bluez.Error.Failed" where message.hasPrefix("le-connection"): return .outOfReach(address)
        default: return self
        }
    }
}
