import Testing

@testable import PhoneHost

@Suite struct MountPointsTests {
    /// Lines as proc(5) shows them: the fifth field is the place.
    private static let table = """
        36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
        40 36 98:0 /a /home/ann/my\\040lists\\134x.sqlite rw - ext3 /dev/root rw
        a line of another kind
        """

    @Test(arguments: [
        ("/mnt2", true), ("/mnt1", false), ("/home/ann/my lists\\x.sqlite", true), ("/home/ann", false), ("", false),
    ])
    func `a path is a mount point where the table says so`(path: String, isMounted: Bool) {
        #expect(MountPoints(table: MountPointsTests.table.utf8).contains(path) == isMounted)
    }

    @Test func `the place of the table itself is one`() {
        #expect(MountPoints().contains("/proc"))
    }
}
