import HostSystem

/// Finds the word that somebody may have meant.
enum SimilarWord {
    /// The word of `known` from which `word` differs least, nil where it differs from all by more than a third of its letters
    /// or by more than two. Two letters that have changed places count as one difference.
    static func to(_ word: String, among known: [String]) -> String? {
        let letters = Array(word.lowercased().prefix(32))
        let most = min(2, max(1, letters.count / 3))
        return known.map { (word: $0, distance: EditDistance.between(letters, $0)) }
            .filter { $0.distance <= most }.min { $0.distance < $1.distance }?.word
    }

    /// The end of a sentence that asks for it, empty where there is none.
    static func question(_ word: String, among known: [String]) -> String {
        to(word, among: known).map { ", did you mean \"\($0)\"?" } ?? ""
    }
}
