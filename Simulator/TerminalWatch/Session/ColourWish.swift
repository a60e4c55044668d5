import Glibc

/// Whether the user wants colours.
enum ColourWish {
    case wanted
    case refused

    /// None where NO_COLOR is set and not empty (no-color.org).
    static var usual: ColourWish { getenv("NO_COLOR").map { $0.pointee != 0 } == true ? .refused : .wanted }
}
