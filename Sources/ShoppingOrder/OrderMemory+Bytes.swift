import WatchLink

/// The memory as bytes that say whether they are damaged: a version, the parts, and the CRC-32 of all that.
///
/// Numbers are in base 128, lowest digits first, with the highest bit of each byte but the last set. Signed ones are doubled,
/// and negative ones complemented. A list begins with its count.
extension OrderMemory {
    /// The version that is written, and the only one that is read: a cache of another one is made anew.
    private static let version: UInt64 = 1

    package var bytes: [UInt8] {
        var writer = NumberWriter()
        writer.number(OrderMemory.version)
        writer.list(learned.titles) { $0.text($1) }
        writer.list(learned.order) { $0.number(UInt64($1)) }
        writer.list(learned.trips) { writer, trip in
            writer.signed(trip.start)
            writer.list(trip.items) { $0.number(UInt64($1)) }
        }
        writer.number(UInt64(learned.learned))
        writer.signed(latest)
        writer.list(trip.span.map { [$0.lowerBound, $0.upperBound] } ?? []) { $0.signed($1) }
        writer.signed(trip.begin)
        writer.list(trip.checkOffs) { $0.checkOff($1) }
        let check = CRC32.checksum(of: writer.bytes.span)
        return writer.bytes + (0..<4).map { UInt8(truncatingIfNeeded: check >> (8 * $0)) }
    }

    /// - Returns: nil where the bytes are damaged, or of another version.
    package init?(bytes: [UInt8]) {
        guard bytes.count > 4 else { return nil }
        let content = bytes.dropLast(4)
        let check = bytes.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard CRC32.checksum(of: Array(content).span) == check else { return nil }
        var reader = NumberReader(bytes: content)
        do throws(NumberReader.Damage) {
            guard try reader.number() == OrderMemory.version else { return nil }
            let titles = try reader.list { reader throws(NumberReader.Damage) in try reader.text() }
            let order = try reader.list { reader throws(NumberReader.Damage) in try reader.index() }
            let trips = try reader.list { reader throws(NumberReader.Damage) in
                let start = try reader.signed()
                let items = try reader.list { reader throws(NumberReader.Damage) in try reader.index() }
                return LearnedOrder.Trip(start: start, items: items)
            }
            let count = UInt32(truncatingIfNeeded: try reader.number())
            let latest = try reader.signed()
            let span = try reader.list { reader throws(NumberReader.Damage) in try reader.signed() }
            let begin = try reader.signed()
            let checkOffs = try reader.list { reader throws(NumberReader.Damage) in try reader.checkOff() }
            guard reader.isAtEnd, span.isEmpty || (span.count == 2 && span[0] <= span[1]),
                let learned = LearnedOrder(titles: titles, order: order, trips: trips, learned: count),
                let trip = RunningTrip(
                    checkOffs: checkOffs, span: span.isEmpty ? nil : span[0]...span[1], begin: begin)
            else { return nil }
            self.init(learned: learned, trip: trip, latest: latest)
        } catch {
            return nil
        }
    }
}

extension NumberWriter {
    fileprivate mutating func checkOff(_ checkOff: CheckOff) {
        signed(checkOff.number)
        number(UInt64(checkOff.item))
        text(checkOff.title)
        signed(checkOff.arrival)
        switch checkOff.source {
        case .phone: list([Int64]()) { $0.signed($1) }
        case .watch(let tap):
            let numbers = [Int64(bitPattern: tap.watch), Int64(tap.run), Int64(tap.sequence)]
            list(numbers + (tap.time.map { [$0] } ?? [])) { $0.signed($1) }
        }
    }
}

extension NumberReader {
    fileprivate mutating func checkOff() throws(Damage) -> CheckOff {
        let number = try signed()
        let item = UInt32(truncatingIfNeeded: try self.number())
        let title = try text()
        let arrival = try signed()
        let tap = try list { reader throws(Damage) in try reader.signed() }
        let source: CheckOff.Source
        switch tap.count {
        case 0: source = .phone
        case 3, 4:
            source = .watch(
                CheckOff.Tap(
                    watch: UInt64(bitPattern: tap[0]), run: UInt32(truncatingIfNeeded: tap[1]),
                    sequence: UInt32(truncatingIfNeeded: tap[2]), time: tap.count == 4 ? tap[3] : nil))
        default: throw Damage()
        }
        return CheckOff(number: number, item: item, title: title, arrival: arrival, source: source)
    }
}
