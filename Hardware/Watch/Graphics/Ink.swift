/// What a pixel is: the panel has one bit.
public enum Ink: UInt8, Sendable, BitwiseCopyable {
    /// Dark: the background. A clear bit.
    case black = 0
    /// Lit: a set bit.
    case white = 1
}
