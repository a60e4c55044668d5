import Testing

@testable import CalDAV

/// The addresses of new collections.
@Suite struct CollectionAddressTests {
    @Test(arguments: [
        ("Food", "food"), ("Käse & Brot", "kase-brot"), ("  A--b  ", "a-b"), ("買い物", "list"), ("../x", "x"),
        (String(repeating: "ab ", count: 40), "ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-a"),
    ])
    func `a name can be read in its address`(name: String, slug: String) throws {
        for home in ["https://localhost/ann", "https://localhost/ann/"] {
            let address = try WebAddress(home).collection(named: name, random: 35)
            #expect(address.text == "https://localhost/ann/\(slug)-z/")
        }
    }
}
