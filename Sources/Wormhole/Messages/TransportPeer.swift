/// Who is at the other end of a channel, as the operating system vouches for it: nothing here comes from the peer's own
/// words, so a peer cannot choose it. The identity in its hello can be compared with this.
public enum TransportPeer: Hashable, Sendable {
    /// A process of this machine, as the kernel recorded it when the channel was opened (`SO_PEERCRED`, unix(7)): its
    /// user, and its number, which another process may have later.
    case process(user: UInt32, number: Int32)
    /// A device with authenticated keys that this machine's adapter stores.
    ///
    /// The address is the one of its bond, such as `00:1B:DC:07:32:EF`, and `C0:1B:DC:07:32:EF/random` where the device
    /// has chosen it itself: equal for each of its channels, and different for every other bonded device.
    case bondedDevice(address: String)
    /// Nobody vouches for the other end, for example of a channel in memory.
    case unknown
}

extension TransportPeer {
    /// The number of the process, where it is one.
    var process: Int32? {
        switch self {
        case .process(_, let number): number
        case .bondedDevice, .unknown: nil
        }
    }
}

extension TransportPeer: CustomStringConvertible {
    /// Who it is, for a log: `process 4711 of user 1000`, or the address of the bond.
    public var description: String {
        switch self {
        case .process(let user, let number): "process \(number) of user \(user)"
        case .bondedDevice(let address): address
        case .unknown: "unknown"
        }
    }
}
