import Glibc
import HostSystem
import SystemPackage

extension BluetoothError {
    /// A failed call of the operating system.
    init(_ error: HostSystemError) { self = .system(call: error.call, error.reason) }

    /// The failure of the C function that was called last.
    static func lastCall(_ name: String) -> BluetoothError { .system(call: name, Errno(rawValue: errno)) }

    /// What an error of the bus means, whoever it is about. What BlueZ itself says is `.refused`, for whoever called to
    /// make sense of.
    init(_ fault: BusFault) {
        switch fault.name {
        // NoReply is what the bus says for a program that has ended without an answer.
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
