/// Gives rows ascending ranks with few changes, because every changed rank is sent to every watch.
package enum RowRanks {
    /// The distance between ranks of new rows at the end. It leaves room for other rows between them.
    package static let step: UInt32 = 1_024

    /// The ranks of rows in their wanted order.
    ///
    /// - Parameter ranks: the present rank of each row; nil for a new row.
    /// - Returns: unique, ascending ranks; nil if there are more rows than ranks.
    package static func ranks(_ ranks: [UInt32?]) -> [UInt32]? {
        filled(kept(ranks)) ?? anew(ranks.count)
    }

    /// Keeps the longest ascending series of ranks, and removes the others.
    private static func kept(_ ranks: [UInt32?]) -> [UInt32?] {
        // For each length, the last row of the series that ends with the lowest rank. For each row, the row before it.
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: ranks.count)
        for (index, rank) in ranks.enumerated() {
            // Rank 0 leaves no room before it.
            guard let rank, rank > 0 else { continue }
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if (ranks[ends[middle]] ?? 0) < rank { low = middle + 1 } else { high = middle }
            }
            before[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var kept = [UInt32?](repeating: nil, count: ranks.count)
        var next = ends.last
        while let index = next {
            kept[index] = ranks[index]
            next = before[index]
        }
        return kept
    }

    /// Fills missing ranks at equal distances; nil if a gap is too narrow.
    private static func filled(_ ranks: [UInt32?]) -> [UInt32]? {
        var result: [UInt32] = []
        result.reserveCapacity(ranks.count)
        var index = 0
        while index < ranks.count {
            if let rank = ranks[index] {
                result.append(rank)
                index += 1
                continue
            }
            let first = index
            while index < ranks.count, ranks[index] == nil { index += 1 }
            let missing = UInt64(index - first)
            let lower = UInt64(result.last ?? 0)
            // After the last row there is any room.
            let upper = index < ranks.count ? UInt64(ranks[index] ?? 0) : lower + (missing + 1) * UInt64(step)
            guard upper > lower + missing, index < ranks.count || lower + missing * UInt64(step) <= UInt64(UInt32.max)
            else { return nil }
            let room = upper - lower
            for place in 1...missing { result.append(UInt32(lower + room * place / (missing + 1))) }
        }
        return result
    }

    private static func anew(_ count: Int) -> [UInt32]? {
        guard count < UInt32.max else { return nil }
        let step = min(step, UInt32.max / UInt32(max(count, 1)))
        return (0..<count).map { UInt32($0 + 1) * step }
    }
}
