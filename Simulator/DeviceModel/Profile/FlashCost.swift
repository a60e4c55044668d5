import Watch
import WatchLink

/// What the flash chip takes.
package struct FlashCost: Sendable, Equatable {
    /// A length that a datasheet gives twice.
    package struct Length: Sendable, Equatable {
        package var typical: Microseconds
        /// What it may take at most: of a chip at the end of its life, cold, at the lowest supply.
        package var maximum: Microseconds
    }

    /// What programming takes from the last bit of the order on: a first byte and each that follows, at most a page's time.
    package struct Program: Sendable, Equatable {
        package var firstByte: Length
        /// Nanoseconds of each further byte.
        package var nextByteNanoseconds: (typical: Int, maximum: Int)
        package var page: Length

        package static func == (left: Program, right: Program) -> Bool {
            left.firstByte == right.firstByte && left.nextByteNanoseconds == right.nextByteNanoseconds
                && left.page == right.page
        }
    }

    /// The interruption of an erase for a read or a program.
    package struct EraseSuspend: Sendable, Equatable {
        /// The time from the order until another sector can be read or programmed.
        package var latency: Microseconds
        /// The shortest time from one resumption to the next suspension.
        package var betweenSuspends: Microseconds
    }

    /// Bits a second on the chip's bus; nil for a bus that takes no time.
    package var busHertz: Int?
    /// Programming bytes within one page.
    package var program: Program
    package var sectorErase: Length
    package var eraseSuspend: EraseSuspend

    /// Bytes of the order before what is read or programmed: a command and an address of three bytes.
    private static let orderBytes = 4

    /// An order and this number of bytes over the bus, in whole microseconds, rounded up.
    package func transfer(bytes: Int) -> Microseconds {
        guard let busHertz else { return .zero }
        let bits = UInt64(FlashCost.orderBytes + bytes) * 8
        return Microseconds((bits * 1_000_000 + UInt64(busHertz) - 1) / UInt64(busHertz))
    }
}

extension FlashCost.Program {
    /// The time of this number of bytes within one page, in whole microseconds, rounded up.
    package func time(bytes: Int, at pace: FlashPace) -> Microseconds {
        let nanoseconds =
            switch pace {
            case .typical: nextByteNanoseconds.typical
            case .maximum: nextByteNanoseconds.maximum
            }
        let more = Microseconds(UInt64((max(0, bytes - 1) * nanoseconds + 999) / 1_000))
        return min(firstByte.at(pace) + more, page.at(pace))
    }
}

extension FlashCost.Length {
    package func at(_ pace: FlashPace) -> Microseconds {
        switch pace {
        case .typical: typical
        case .maximum: maximum
        }
    }
}
