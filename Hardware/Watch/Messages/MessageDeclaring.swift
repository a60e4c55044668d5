/// What a handler exchanges with the phone beside the list: names and files, by default none.
public protocol MessageDeclaring {
    /// Lists the names that the handler exchanges with the phone. It is called while the watch is made, more than once, and lists
    /// the same each time.
    static func declare(_ names: inout MessageNames)

    /// The most bytes of a file that the handler takes from the phone, up to 65,536; 0 for none. They come one at a time, and the
    /// newest is kept (`WatchCore.file`). It is a literal: an image whose handler takes no files has no code for them. The board
    /// needs a flash chip with sectors for files (`FlashGeometry.fileSectorCount`); a watch without takes none.
    static var largestFile: Int { get }
}

extension MessageDeclaring {
    /// No names.
    public static func declare(_ names: inout MessageNames) {}

    /// No files.
    public static var largestFile: Int { 0 }
}

/// What a caller takes that has no handler: nothing.
struct NoMessages: MessageDeclaring {}
