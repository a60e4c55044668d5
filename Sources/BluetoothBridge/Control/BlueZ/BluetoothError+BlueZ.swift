extension BluetoothError {
    /// The subject of a call, which decides the meaning of BlueZ's error.
    enum Subject: Hashable, Sendable {
        case adapter(String)
        case device(BluetoothAddress, adapter: String)

        var adapter: String {
            switch self {
            case .adapter(let name), .device(_, let name): name
            }
        }
    }

    /// Whether it passes by itself: BlueZ answers so while it sets up an adapter or a part of it.
    var isPassing: Bool {
        guard case .refused(let name, let message) = self else { return false }
        // Two of its own attempts to connect collided.
        if name == "org.bluez.Error.Failed", message == "le-connection-abort-by-local" { return true }
        return [
            "org.bluez.Error.Busy", "org.bluez.Error.InProgress", "org.freedesktop.DBus.Error.UnknownObject",
            "org.freedesktop.DBus.Error.UnknownMethod", "org.freedesktop.DBus.Error.UnknownInterface",
        ].contains(name)
    }

    /// The meaning of the error for a call about `subject`.
    func about(_ subject: Subject) -> BluetoothError {
        guard case .refused(let name, let message) = self else { return self }
        switch name {
        case "org.bluez.Error.NotReady": return .adapterDown(name: subject.adapter)
        case "org.bluez.Error.Blocked": return .adapterBlocked(name: subject.adapter)
        case "org.bluez.Error.NotAuthorized", "org.bluez.Error.NotPermitted": return .refused(name, message)
        case "org.freedesktop.DBus.Error.UnknownObject": return missing(subject)
        // The answer of bluetoothd for an object that it does not have (any more).
        case "org.freedesktop.DBus.Error.UnknownMethod": return missing(subject)
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
        case "org.bluez.Error.AuthenticationTimeout": return .pairingFailed(address, "nobody answered in time")
        // Connect answers `Failed` with a reason: le-connection-abort-by-local, le-connection-canceled and others.
        case "org.bluez.Error.Failed" where message.hasPrefix("le-connection"): return .outOfReach(address)
        default: return self
        }
    }

    private func missing(_ subject: Subject) -> BluetoothError {
        switch subject {
        case .adapter(let name): .noAdapter(name: name)
        case .device(let address, _): .outOfReach(address)
        }
    }
}
