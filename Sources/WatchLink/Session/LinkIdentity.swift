/// Who this side is.
public struct LinkIdentity: Equatable, Sendable, BitwiseCopyable {
    /// The role played.
    public var role: LinkRole
    /// The device: random, not 0, the same for the device's life.
    public var identity: UInt64
    /// The epoch of the streams that this side sends, never 0. A side that loses or renumbers its streams draws a new
    /// one.
    public var epoch: UInt32
    /// The name of the device, empty for none.
    public var name: LinkName

    /// An identity. Traps for identity 0, which no device has, and for epoch 0, which stands for none.
    public init(role: LinkRole, identity: UInt64, epoch: UInt32, name: LinkName = LinkName()) {
        precondition(identity != 0, "no device has identity 0")
        precondition(epoch != 0, "epoch 0 stands for no epoch")
        self.role = role
        self.identity = identity
        self.epoch = epoch
        self.name = name
    }
}
