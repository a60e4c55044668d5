import HostSystem
import Testing

@Suite struct EditDistanceTests {
    @Test(arguments: [
        ("wacth", "watch", 1), ("ad", "add", 1), ("", "lab", 3), ("lab", "lab", 0), ("xyz", "lab", 3),
        ("servee", "serve", 1),
    ])
    func `letters that are wrong, missing, too many or changed count`(word: String, name: String, errors: Int) {
        #expect(EditDistance.between(word, name) == errors)
    }
}
