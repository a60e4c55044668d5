import HostSystem
import SystemPackage

/// Every error of Bluetooth. The description is one line that says what to do.
public enum BluetoothError: Error, Hashable, Sendable {
    /// A call of the operating system failed: the name of the C function, and the reason.
    case system(call: String, Errno)
    /// The machine has no Bluetooth adapter, or none of this name.
    case noAdapter(name: String?)
    /// The adapter is switched off.
    case adapterDown(name: String)
    /// The adapter is blocked by rfkill.
    case adapterBlocked(name: String)
    /// The system bus cannot be reached; the text says why.
    case noBus(String)
    /// bluetoothd does not run.
    case noDaemon
    /// The system refuses this user access to bluetoothd.
    case notAllowed
    /// The text is not an address of a device.
    case malformedAddress(String)
    /// The device is not nearby, or does not answer.
    case outOfReach(BluetoothAddress)
    /// The device is not paired with this machine.
    case notPaired(BluetoothAddress)
    /// The device answers, and serves no channel with this number.
    case notListening(BluetoothAddress, psm: UInt16)
    /// The link ended while the channel was being opened.
    case cutOff(BluetoothAddress)
    /// The device accepts only datagrams of up to `bytes`, which is less than the link needs.
    case tooNarrow(BluetoothAddress, bytes: Int)
    /// The channel or the listener is closed, or the task that was opening it was cancelled.
    case ended
    /// The channel is not encrypted with authenticated keys; `level` is its security level.
    case insecure(BluetoothAddress, level: Int)
    /// The two sides no longer have the same keys: one has forgotten the other.
    case bondLost(BluetoothAddress)
    /// Pairing failed; the text says why.
    case pairingFailed(BluetoothAddress, String)
    /// The device wanted to pair in another way than by comparing digits.
    case notCompared(BluetoothAddress, PairingMethod)
    /// The device is not a Tapline watch, or the program of the watch does not run there.
    case noService(BluetoothAddress)
    /// The device is paired with this machine already.
    case alreadyPaired(BluetoothAddress)
    /// This process may not change the connection parameters of a link.
    case parametersKept
    /// Bluetooth did not answer in time.
    case timedOut
    /// The task that asked was cancelled.
    case cancelled
    /// BlueZ refused: the name and the message of the D-Bus error.
    case refused(String, String)
    /// An answer of BlueZ is not as documented; the text says where.
    case unexpectedAnswer(String)
}

extension BluetoothError {
    /// Whether a listener has refused one peer, and can accept the next.
    package var isRefusal: Bool {
        switch self {
        case .insecure, .tooNarrow: true
        case .system, .noAdapter, .adapterDown, .adapterBlocked, .noBus, .noDaemon, .notAllowed, .malformedAddress,
            .outOfReach, .notPaired, .notListening, .cutOff, .ended, .bondLost, .pairingFailed, .notCompared,
            .noService, .refused,
            .unexpectedAnswer, .alreadyPaired, .parametersKept, .timedOut, .cancelled:
            false
        }
    }
}

extension BluetoothError: CustomStringConvertible {
    /// One line for a person to read.
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
            "\(address) wants to pair \(method), so it could be any device: pair only where both show six digits"
        case .noService(let address):
            "\(address) does not offer the service of a Tapline watch: is the watch's program running there?"
        case .alreadyPaired(let address):
            "\(address) is already paired: run `tapline unpair \(address)` to pair it again"
        case .parametersKept:
            "the kernel's connection parameters are kept: run as root, or give tapline CAP_NET_RAW (sudo setcap)"
        case .timedOut: "Bluetooth did not answer in time: try again, or sudo systemctl restart bluetooth"
        case .cancelled: "cancelled"
        case .refused(let name, let reason): "BlueZ refused: \(reason.isEmpty ? name : reason)"
        case .unexpectedAnswer(let place): "BlueZ gave an unexpected answer: \(place)"
        }
    }
}
