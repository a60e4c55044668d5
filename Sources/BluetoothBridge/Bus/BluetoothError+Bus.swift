import HostSystem

extension BluetoothError {
    /// A failed call of the operating system.
    init(_ error: HostSystemError) { self = .system(call: error.call, error.reason) }

    /// The meaning of an error of the bus. Errors of BlueZ itself are `.refused`: their meaning depends on the call.
    init(_ fault: BusFault) {
        switch fault.name {
        // The bus answers NoReply for a program that has ended without an answer.
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
