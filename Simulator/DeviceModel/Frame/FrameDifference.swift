import HostSystem
import Watch

/// Where two pictures of the panel differ.
struct FrameDifference {
    private let expected: PanelFrame
    private let actual: PanelFrame
    /// The pixels that differ.
    let count: Int
    /// The columns that hold all of them.
    let columns: ClosedRange<Int>
    /// The lines that hold all of them.
    let lines: ClosedRange<Int>

    /// Nil where they are equal.
    init?(from expected: PanelFrame, to actual: PanelFrame) {
        guard expected != actual else { return nil }
        var (xs, ys): ([Int], [Int]) = ([], [])
        for y in 0..<PanelGeometry.height where expected.line(y) != actual.line(y) {
            for x in 0..<PanelGeometry.width where expected.isLit(x: x, y: y) != actual.isLit(x: x, y: y) {
                xs.append(x)
                ys.append(y)
            }
        }
        guard let left = xs.min(), let right = xs.max(), let top = ys.first, let bottom = ys.last else { return nil }
        (self.expected, self.actual) = (expected, actual)
        count = xs.count
        columns = left...right
        lines = top...bottom
    }

    /// A PNG file in which a pixel of the panel is four across and down: as they are where they agree, in grey; red where
    /// the panel is dark and should not be, green where it is lit and should not be.
    func portableNetworkGraphics() throws(DeviceModelError) -> [UInt8] {
        let scale = 4
        let size = PictureSize(width: PanelGeometry.width * scale, height: PanelGeometry.height * scale)
        let agreements = (0..<PanelGeometry.height).flatMap { y in
            (0..<PanelGeometry.width).map { x in agreement(x: x, y: y).rawValue }
        }
        let pixels = Enlargement.pixels(agreements, width: PanelGeometry.width, scale: scale)
        let palette = Agreement.allCases.map(\.colour)
        return try DeviceModelError.encoding { () throws(PictureError) in
            try PortableNetworkGraphics.file(colours: palette, pixels: pixels, of: size)
        }
    }

    private enum Agreement: UInt8, CaseIterable {
        case dark, lit, missing, extra

        var colour: Colour {
            switch self {
            case .dark: Colour(red: 0, green: 0, blue: 0)
            case .lit: Colour(red: 96, green: 96, blue: 96)
            case .missing: Colour(red: 255, green: 64, blue: 64)
            case .extra: Colour(red: 64, green: 255, blue: 64)
            }
        }
    }

    private func agreement(x: Int, y: Int) -> Agreement {
        switch (expected.isLit(x: x, y: y), actual.isLit(x: x, y: y)) {
        case (false, false): .dark
        case (true, true): .lit
        case (true, false): .missing
        case (false, true): .extra
        }
    }
}

extension FrameDifference: CustomStringConvertible {
    /// How many pixels differ, and where.
    var description: String {
        "\(CountText(count, "pixel")) that \(count == 1 ? "differs" : "differ"), "
            + "x \(columns.lowerBound) to \(columns.upperBound), y \(lines.lowerBound) to \(lines.upperBound)"
    }
}
