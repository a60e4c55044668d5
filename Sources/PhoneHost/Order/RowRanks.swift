/// Gives rows ranks that ascend, and changes as few as it can: each rank that changes is sent to every watch.
package enum RowRanks {
    /// The distance between the ranks of rows that have room.
    package static let step: UInt32 = 1_024

    /// The ranks of rows in their wanted order.
    ///
    /// - Parameter ranks: what each row has now; nil for a new one.
    /// - Returns: the new ranks: ascending, each once. Nil where there are more rows than ranks.
    package static func ranks(_ ranks: [UInt32?]) -> [UInt32]? {
        filled(kept(ranks)) ?? anew(ranks.count)
    }

    /// The ranks without those that have to change: the longest series that ascends is kept.
    private static func kept(_ ranks: [UInt32?]) -> [UInt32?] {
        // The last row of the series of each length that ends with the lowest rank, and the row before each row.
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: ranks.count)
        for (index, rank) in ranks.enumerated() {
            // Rank 0 leaves no room in front of it.
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

    /// The ranks with those that are missing, at equal distances in their gaps; nil where a gap is too narrow.
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
            // Behind the last one there is as much room as is wanted.
            let upper = index < ranks.count ? UInt64(ranks[index] ?? 0) : lower + (missing + 1) * UInt64(step)
            guard upper > lower + missing, index < ranks.count || lower + missing * UInt64(step) <= UInt64(UInt32.max)
            else { return nil }
            let room = upper - lower
            for place in 1...missing { result.append(UInt32(lower + room * place / (missing + 1))) }
        }
        return result
    }

    /// Ranks for rows of which none keeps its own.
    private static func anew(_ count: Int) -> [UInt32]? {
        guard count < UInt32.max else { return nil }
        let step = min(step, UInt32.max / UInt32(max(count, 1)))
        return (0..<count).map { UInt32($0 + 1) * step }
    }
}
