/// Finds the word that somebody may have meant.
enum SimilarWord {
    /// The word of `known` from which `word` differs least, nil where it differs from all by more than a third of its letters
    /// or by more than two. Two letters that have changed places count as one difference.
    static func to(_ word: String, among known: [String]) -> String? {
        let letters = Array(word.lowercased().prefix(32))
        let most = min(2, max(1, letters.count / 3))
        return known.map { (word: $0, distance: distance(letters, Array($0))) }
            .filter { $0.distance <= most }.min { $0.distance < $1.distance }?.word
    }

    /// The end of a sentence that asks for it, empty where there is none.
    static func question(_ word: String, among known: [String]) -> String {
        to(word, among: known).map { ", did you mean \"\($0)\"?" } ?? ""
    }

    /// How many letters have to be inserted, left out, replaced, or exchanged with the next one.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var rows = [[Int]](repeating: [Int](repeating: 0, count: right.count + 1), count: left.count + 1)
        for i in 0...left.count { rows[i][0] = i }
        for j in 0...right.count { rows[0][j] = j }
        for i in 0..<left.count {
            for j in 0..<right.count {
                var least = rows[i][j] + (left[i] == right[j] ? 0 : 1)
                least = min(least, rows[i][j + 1] + 1, rows[i + 1][j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    least = min(least, rows[i - 1][j - 1] + 1)
                }
                rows[i + 1][j + 1] = least
            }
        }
        return rows[left.count][right.count]
    }
}
