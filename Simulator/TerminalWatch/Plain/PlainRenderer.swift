import DeviceModel

/// The watch as lines of text, told by its own state and never by its pixels: for pipes, dumb terminals and screen readers.
///
/// Only lines that have changed are said again; a new screen is said in full.
public struct PlainRenderer {
    private var shown: [String] = []
    private var screen: ScreenDescription.Screen?

    /// A renderer that has said nothing yet.
    public init() {}

    /// The lines to say now that the screen is as `description` tells: without escape sequences and line ends.
    public mutating func news(in description: ScreenDescription) -> [String] {
        let lines = description.lines
        defer {
            shown = lines
            screen = description.screen
        }
        guard screen == description.screen else { return lines }
        return lines.enumerated().filter { $0.offset >= shown.count || shown[$0.offset] != $0.element }.map(\.element)
    }
}
