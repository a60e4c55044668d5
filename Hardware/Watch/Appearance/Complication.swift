import WatchLink

/// A complication: an entry, drawn in the shape of a family.
public struct Complication: Sendable, BitwiseCopyable {
    /// What it says.
    public var content: ComplicationContent
    /// Whether it says it.
    public var privacy: ComplicationPrivacy

    /// A complication that shows an entry.
    public init(_ content: ComplicationContent, privacy: ComplicationPrivacy = .shown) {
        self.content = content
        self.privacy = privacy
    }

    /// What may be seen: a redacted entry looks like none, but for a date, which is no secret.
    var shown: ComplicationContent {
        switch privacy {
        case .shown: return content
        case .redacted: break
        }
        switch content {
        case .date: return content
        case .placeholder, .items, .text, .lastTrip: return .placeholder
        }
    }

    /// Draws it with its top left corner at `origin`, over whatever was there.
    public func draw(_ family: ComplicationFamily, at origin: Point, into framebuffer: inout Framebuffer) {
        let size = family.size
        framebuffer.fill(
            Rect(x: origin.x, y: origin.y, width: size.x, height: size.y), .black)
        switch family {
        case .circular: drawCircular(at: origin, into: &framebuffer)
        case .corner: drawCorner(at: origin, into: &framebuffer)
        case .rectangular: drawRectangular(at: origin, into: &framebuffer)
        case .inline: drawInline(at: origin, into: &framebuffer)
        }
    }
}
