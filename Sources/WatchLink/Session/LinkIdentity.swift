/// Who a side is.
public struct LinkIdentity: Equatable, Sendable, BitwiseCopyable {
    /// Which side of the link it is.
    public var role: LinkRole
    /// The device: a random number, not 0, the same for the device's life.
    public var identity: UInt64
    /// The epoch of the streams that this side sends, not 0. A side that loses or renumbers its streams draws a new
    /// one.
    public var epoch: UInt32
    /// The name of the device, which may be empty.
    public var name: LinkName

    /// Traps for identity 0 and for epoch 0, which the wire uses for no device and no epoch.
    public init(role: LinkRole, identity: UInt64, epoch: UInt32, name: LinkName = LinkName()) {
        precondition(identity != 0, "no device has identity 0")
        precondition(epoch != 0, "no stream has epoch 0")
        self.role = role
        self.identity = identity
        self.epoch = epoch
        self.name = name
    }
}
