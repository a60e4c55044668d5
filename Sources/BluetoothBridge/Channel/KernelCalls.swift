import CBlueZ
import Glibc
import HostSystem
import SystemPackage
import Wormhole

/// The system calls for Bluetooth sockets and adapters. No other file uses the C types of these sockets and of libbluetooth.
package enum KernelCalls {
    static let mostAdapters = CInt(HCI_MAX_DEV)

    // MARK: Sockets

    /// Makes a non-blocking L2CAP socket that closes on exec.
    package static func makeSocket() throws(BluetoothError) -> CInt {
        do throws(HostSystemError) {
            return try Descriptors.packetSocket(AF_BLUETOOTH, protocolNumber: BTPROTO_L2CAP)
        } catch {
            throw failure(error.call, error.reason)
        }
    }

    /// Binds a socket to the adapter with this address. PSM 0 lets the kernel choose the PSM.
    package static func bind(_ descriptor: CInt, to adapter: BluetoothAddress, psm: UInt16) throws(BluetoothError) {
        let outcome = withSocketAddress(BluetoothPeer(adapter, .public), psm) { Glibc.bind(descriptor, $0, $1) }
        guard outcome == 0 else { throw failure("bind") }
    }

    /// Starts to connect, and does not wait. Returns nil if the socket is already connected, `.nowInProgress` if the attempt
    /// goes on, or else the error.
    package static func connect(_ descriptor: CInt, to peer: BluetoothPeer, psm: UInt16) -> Errno? {
        let outcome = withSocketAddress(peer, psm) { Glibc.connect(descriptor, $0, $1) }
        return outcome == 0 ? nil : Errno(rawValue: errno)
    }

    static func listen(_ descriptor: CInt) throws(BluetoothError) {
        guard Glibc.listen(descriptor, SOMAXCONN) == 0 else { throw failure("listen") }
    }

    /// Calls accept(2). Returns the new descriptor and the peer that connected. After a failure the descriptor is -1, and
    /// `errno` has the reason.
    package static func accept(_ descriptor: CInt) -> (descriptor: CInt, peer: BluetoothPeer) {
        var address = sockaddr_l2()
        let accepted = cbluez_accept(descriptor, &address)
        return (accepted, BluetoothPeer(address))
    }

    static func psm(of descriptor: CInt) throws(BluetoothError) -> UInt16 {
        var address = sockaddr_l2()
        var size = socklen_t(MemoryLayout<sockaddr_l2>.size)
        let outcome = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard outcome == 0 else { throw failure("getsockname") }
        return UInt16(littleEndian: address.l2_psm)
    }

    // MARK: Options

    /// Demands a security level (`BT_SECURITY`). Before `listen`, the demand is for every peer that connects. On a connected
    /// socket, it is for the present link.
    static func demand(_ level: UInt8, of descriptor: CInt) throws(BluetoothError) {
        try set(BT_SECURITY, of: descriptor, to: bt_security(level: level, key_size: 0))
    }

    /// Returns the security level and the key length of a connected channel (`BT_SECURITY`).
    static func security(of descriptor: CInt) throws(BluetoothError) -> ChannelSecurity {
        var security = bt_security()
        try get(BT_SECURITY, of: descriptor, into: &security)
        return ChannelSecurity(level: Int(security.level), keyLength: Int(security.key_size))
    }

    /// Sets the maximum size in bytes of the datagrams that this side receives (`BT_RCVMTU`). Call it after `bind`, and before
    /// `listen` or `connect`.
    package static func setLargestArriving(_ count: Int, of descriptor: CInt) throws(BluetoothError) {
        try set(BT_RCVMTU, of: descriptor, to: UInt16(clamping: count))
    }

    /// Returns the maximum datagram sizes of a connected channel in bytes. `arriving` is what this side accepts (`BT_RCVMTU`),
    /// `leaving` what the peer accepts (`BT_SNDMTU`).
    static func largestDatagrams(of descriptor: CInt) throws(BluetoothError) -> (arriving: Int, leaving: Int) {
        var arriving: UInt16 = 0
        var leaving: UInt16 = 0
        try get(BT_RCVMTU, of: descriptor, into: &arriving)
        try get(BT_SNDMTU, of: descriptor, into: &leaving)
        return (Int(arriving), Int(leaving))
    }

    /// Requests a receive buffer of 1 MiB (`SO_RCVBUF`). The kernel limits the request to net.core.rmem_max (socket(7)).
    static func widenReceiveBuffer(of descriptor: CInt) throws(BluetoothError) {
        try set(SO_RCVBUF, of: descriptor, level: SOL_SOCKET, to: CInt(1 << 20))
    }

    /// Returns the HCI handle of the connection under a channel (`L2CAP_CONNINFO`).
    static func connectionHandle(of descriptor: CInt) throws(BluetoothError) -> UInt16 {
        var info = l2cap_conninfo()
        try get(L2CAP_CONNINFO, of: descriptor, level: SOL_L2CAP, into: &info)
        return info.hci_handle
    }

    /// Returns the error that ended the channel or kept it from opening (`SO_ERROR`); nil if there is none. The kernel reports
    /// each error only once.
    package static func pendingError(of descriptor: CInt) throws(BluetoothError) -> Errno? {
        var reason: CInt = 0
        try get(SO_ERROR, of: descriptor, level: SOL_SOCKET, into: &reason)
        return reason == 0 ? nil : Errno(rawValue: reason)
    }

    // MARK: Adapters

    static func adapter(_ index: CInt) throws(BluetoothError) -> LocalAdapter? {
        var info = hci_dev_info()
        guard hci_devinfo(index, &info) == 0 else {
            switch Errno(rawValue: errno) {
            case .noSuchAddressOrDevice, .operationNotSupportedByDevice, .addressFamilyNotSupported: return nil
            case let reason: throw .system(call: "hci_devinfo", reason)
            }
        }
        let name = withUnsafeBytes(of: info.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let isUp = info.flags & (1 << UInt32(HCI_UP)) != 0
        return LocalAdapter(index: Int(index), name: name, address: BluetoothAddress(info.bdaddr), isOn: isUp)
    }

    /// Sends the controller a request for other connection parameters (`HCI_LE_Connection_Update`), and does not wait for its
    /// effect. Returns why the command could not be sent, or nil.
    static func update(connection handle: UInt16, of adapter: LocalAdapter, to wanted: ConnectionParameters) -> Errno? {
        var command = le_connection_update_cp(
            handle: handle.littleEndian, min_interval: wanted.shortestInterval.littleEndian,
            max_interval: wanted.longestInterval.littleEndian, latency: wanted.latency.littleEndian,
            supervision_timeout: wanted.supervisionTimeout.littleEndian, min_ce_length: 0, max_ce_length: 0)
        return send(&command, LE_CONN_UPDATE_CP_SIZE, OGF_LE_CTL, OCF_LE_CONN_UPDATE, to: adapter)
    }

    static func isLinked(_ adapter: LocalAdapter, to peer: BluetoothAddress) -> Bool {
        var address = bdaddr_t(peer)
        return cbluez_link_handle(CInt(adapter.index), &address) >= 0
    }

    /// Sends the controller the command to end its connection to `peer` (`HCI_Disconnect`), and does not wait for the end. This
    /// needs CAP_NET_RAW, or root. Returns why the command could not be sent, or nil.
    static func endLink(of adapter: LocalAdapter, to peer: BluetoothAddress) -> Errno? {
        var address = bdaddr_t(peer)
        let handle = cbluez_link_handle(CInt(adapter.index), &address)
        guard handle >= 0 else { return .socketNotConnected }
        // Reason 0x05, authentication failure (Core Specification 5.4, volume 1, part F, section 2.5).
        var command = disconnect_cp(handle: UInt16(truncatingIfNeeded: handle).littleEndian, reason: 0x05)
        return send(&command, DISCONNECT_CP_SIZE, OGF_LINK_CTL, OCF_DISCONNECT, to: adapter)
    }

    private static func send<Command: BitwiseCopyable>(
        _ command: inout Command, _ size: CInt, _ group: CInt, _ code: CInt, to adapter: LocalAdapter
    ) -> Errno? {
        let device = hci_open_dev(CInt(adapter.index))
        guard device >= 0 else { return Errno(rawValue: errno) }
        defer { hci_close_dev(device) }
        let outcome = hci_send_cmd(device, UInt16(group), UInt16(code), UInt8(size), &command)
        return outcome == 0 ? nil : Errno(rawValue: errno)
    }

    // MARK: Helpers

    private static func failure(_ call: String, _ reason: Errno = Errno(rawValue: errno)) -> BluetoothError {
        reason == .addressFamilyNotSupported ? .noAdapter(name: nil) : .system(call: call, reason)
    }

    private static func set<Value: BitwiseCopyable>(
        _ option: CInt, of descriptor: CInt, level: CInt = SOL_BLUETOOTH, to value: Value
    ) throws(BluetoothError) {
        var value = value
        let size = socklen_t(MemoryLayout<Value>.size)
        guard setsockopt(descriptor, level, option, &value, size) == 0 else { throw failure("setsockopt") }
    }

    private static func get<Value: BitwiseCopyable>(
        _ option: CInt, of descriptor: CInt, level: CInt = SOL_BLUETOOTH, into value: inout Value
    ) throws(BluetoothError) {
        var size = socklen_t(MemoryLayout<Value>.size)
        guard getsockopt(descriptor, level, option, &value, &size) == 0 else { throw failure("getsockopt") }
    }

    private static func withSocketAddress(
        _ device: BluetoothPeer, _ psm: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) -> CInt {
        let address = sockaddr_l2(
            l2_family: sa_family_t(AF_BLUETOOTH), l2_psm: psm.littleEndian, l2_bdaddr: bdaddr_t(device.address),
            l2_cid: 0,
            l2_bdaddr_type: device.kind.number)
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_l2>.size))
            }
        }
    }
}

extension bdaddr_t {
    /// Converts an address to the kernel's form: six bytes, the least significant first.
    init(_ address: BluetoothAddress) {
        self.init()
        withUnsafeMutableBytes(of: &b) { $0.copyBytes(from: address.bytes.reversed()) }
    }
}

extension BluetoothAddress {
    /// Converts an address from the kernel's form: six bytes, the least significant first.
    init(_ address: bdaddr_t) {
        let bytes = withUnsafeBytes(of: address.b) { Array($0.reversed()) }
        // A bdaddr_t has six bytes.
        self.init(bytes: bytes)!
    }
}

extension BluetoothPeer {
    fileprivate init(_ address: sockaddr_l2) {
        self.init(
            BluetoothAddress(address.l2_bdaddr),
            address.l2_bdaddr_type == BluetoothAddressKind.random.number ? .random : .public)
    }
}

extension BluetoothAddressKind {
    var number: UInt8 {
        switch self {
        case .public: UInt8(BDADDR_LE_PUBLIC)
        case .random: UInt8(BDADDR_LE_RANDOM)
        }
    }
}
