/// Gives rows ascending ranks. Keeps present ranks if possible, because the phone sends each changed rank to every watch.
package enum RowRanks {
    /// The distance between the ranks of new rows at the end of a list. It leaves free ranks for rows that are added
    /// between them later.
    package static let step: UInt32 = 1_024

    /// Finds ranks for rows that are already in the wanted order.
    ///
    /// - Parameter ranks: the present rank of each row; nil for a new row.
    /// - Returns: unique, ascending ranks; nil if there are more rows than ranks.
    package static func ranks(_ ranks: [UInt32?]) -> [UInt32]? {
        filled(longestAscending(ranks)) ?? anew(ranks.count)
    }

    /// Keeps the ranks of the longest ascending subsequence, and makes the other ranks nil.
    private static func longestAscending(_ ranks: [UInt32?]) -> [UInt32?] {
        // `ends[n]` is the last row of an ascending subsequence of n + 1 rows. Of all such subsequences, it has the lowest
        // last rank.
        // `before[row]` is the previous row in the longest ascending subsequence that ends with `row`.
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: ranks.count)
        for (index, rank) in ranks.enumerated() {
            // No row could come before a row with rank 0.
            guard let rank, rank > 0 else { continue }
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if (ranks[ends[middle]] ?? 0) < rank { low = middle + 1 } else { high = middle }
            }
            before[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var result = [UInt32?](repeating: nil, count: ranks.count)
        var next = ends.last
        while let index = next {
            result[index] = ranks[index]
            next = before[index]
        }
        return result
    }

    /// Replaces each nil with a rank. New ranks are at equal distances between the kept ones. Returns nil if there are too
    /// few free ranks between two kept ranks, or after the last.
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
            // After the last row, new rows get the usual distance.
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
