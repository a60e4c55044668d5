/// Why a comparison has ended.
enum LockstepError: Error, Equatable {
    /// The emulator does not do what it is asked for.
    case emulator(String)
    /// The two processors differ: in which program, where, and in what.
    case difference(program: String, after: Int, at: String, String)
    /// A program, an image or an argument is not what it is to be.
    case unusable(String)
}

extension LockstepError: CustomStringConvertible {
    var description: String {
        switch self {
        case .emulator(let what): "QEMU: \(what)"
        case .difference(let program, let count, let place, let what):
            "\(program), after \(count) instructions, the last of them \(place): \(what)"
        case .unusable(let what): what
        }
    }
}
