import DeviceModel
import Foundation

/// Pictures by kitty's graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol): PNG files in base 64. Each row of cells is a
/// picture of its own, whose number is that of the row, so that a change sends no more than the rows that it is in.
enum KittyPicture {
    /// The most characters of a file in one escape sequence.
    private static let piece = 4_096
    /// The number of the first row's picture: away from the numbers that programs tend to begin with.
    private static let firstNumber = 7_001

    /// What shows the rows of an image; the cursor is put to each place with `move`, and stays there.
    static func text(_ image: PanelImage, rows: Range<Int>, move: (CellPoint) -> String) -> String {
        var text = ""
        for row in rows {
            let lines = image.lines(ofRows: row..<row + 1)
            let file: [UInt8]
            do throws(PictureError) {
                file = try PortableNetworkGraphics.file(
                    blackAndWhite: image.pixels(ofRow: row, lines: lines),
                    of: PictureSize(width: image.width, height: lines))
            } catch {
                preconditionFailure("there is a byte for each pixel and room for the file: \(error)")
            }
            text += move(CellPoint(column: image.place.origin.column, row: image.place.origin.row + row))
            text += transmission(of: file, number: firstNumber + row)
        }
        return text
    }

    /// What takes the pictures of an image away.
    static func removal(of image: PanelImage) -> String {
        image.rows.map { "\u{1B}_Ga=d,d=I,i=\(firstNumber + $0),q=2\u{1B}\\" }.joined()
    }

    /// a=T: send and show; f=100: a PNG file; C=1: the cursor stays; q=2: no answer.
    private static func transmission(of file: [UInt8], number: Int) -> String {
        var rest = Data(file).base64EncodedString()[...]
        var keys = "a=T,f=100,i=\(number),C=1,q=2"
        var text = ""
        repeat {
            let part = rest.prefix(piece)
            rest = rest.dropFirst(piece)
            text += "\u{1B}_G\(keys),m=\(rest.isEmpty ? 0 : 1);\(part)\u{1B}\\"
            keys = "q=2"
        } while !rest.isEmpty
        return text
    }
}
