/// How much one word differs from another.
package enum EditDistance {
    /// How many letters have to be inserted, left out, replaced, or exchanged with the next one: the distance of F. J. Damerau, 1964,
    /// restricted to changes that do not overlap.
    package static func between(_ left: some Sequence<Character>, _ right: some Sequence<Character>) -> Int {
        let (left, right) = (Array(left), Array(right))
        var rows = [Array(0...right.count)]
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                var least = min(rows[i][j] + (left[i] == right[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    least = min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
