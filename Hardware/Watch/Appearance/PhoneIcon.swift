/// A phone whose screen shows the link: lit when reachable, dark with dots while connecting, dark and struck out when
/// down.
struct PhoneIcon: BitwiseCopyable {
    var link: LinkIndicator

    /// Draws it 7 x 12 pixels small.
    func draw(at origin: Point, ink: Ink, into framebuffer: inout Framebuffer) {
        let x = origin.x
        let y = origin.y
        let ground: Ink = ink == .white ? .black : .white
        framebuffer.fillRounded(Rect(x: x, y: y, width: 7, height: 12), radius: 1, ink)
        switch link {
        case .reachable:
            framebuffer.fill(Rect(x: x + 2, y: y + 9, width: 3, height: 1), ground)
        case .connecting:
            framebuffer.fill(Rect(x: x + 1, y: y + 2, width: 5, height: 8), ground)
            for dot in 0..<3 {
                framebuffer.fill(Rect(x: x + 1 + dot * 2, y: y + 5, width: 1, height: 2), ink)
            }
        case .down:
            framebuffer.fill(Rect(x: x + 1, y: y + 2, width: 5, height: 8), ground)
            for step in 0..<5 {
                framebuffer.fill(Rect(x: x + 5 - step, y: y + 3 + step, width: 1, height: 2), ink)
            }
        }
    }

    /// Draws it 36 x 60 pixels large, white on black.
    func drawLarge(at origin: Point, into framebuffer: inout Framebuffer) {
        let x = origin.x
        let y = origin.y
        framebuffer.fillRounded(Rect(x: x, y: y, width: 36, height: 60), radius: 7)
        switch link {
        case .reachable:
            framebuffer.drawTick(at: Point(x: x + 6, y: y + 16), size: 8, thickness: 7, .black)
        case .connecting:
            drawDarkScreen(x: x, y: y, into: &framebuffer)
            for dot in 0..<3 {
                framebuffer.fillDisc(at: Point(x: x + 7 + dot * 8, y: y + 25), diameter: 6)
            }
        case .down:
            drawDarkScreen(x: x, y: y, into: &framebuffer)
            // A white stroke from corner to corner, with dark edges that set it off from the phone.
            drawSlash(x: x - 8, y: y - 2, thickness: 15, .black, into: &framebuffer)
            drawSlash(x: x - 8, y: y + 2, thickness: 7, .white, into: &framebuffer)
        }
        framebuffer.fillRounded(Rect(x: x + 13, y: y + 52, width: 10, height: 3), radius: 1, .black)
    }

    private func drawDarkScreen(x: Int, y: Int, into framebuffer: inout Framebuffer) {
        framebuffer.fillRounded(Rect(x: x + 3, y: y + 5, width: 30, height: 43), radius: 3, .black)
    }

    private func drawSlash(x: Int, y: Int, thickness: Int, _ ink: Ink, into framebuffer: inout Framebuffer) {
        for column in 0..<52 {
            framebuffer.verticalLine(x: x + column, from: y + column, to: y + column + thickness, ink)
        }
    }
}

/// The state of the link to the phone, as the screen shows it.
public enum LinkIndicator: UInt8, Sendable, BitwiseCopyable {
    /// No phone: messages wait on the watch.
    case down = 0
    /// A channel is open and the handshake is not complete.
    case connecting = 1
    /// Messages can be sent.
    case reachable = 2
}
