import CalDAV

/// What a world of accounts is built of where a test puts something wrong in the place of something right.
struct AccountParts {
    /// What becomes of a request of a phone's before it leaves, or the answer that it has without leaving.
    var request: (HTTPRequest) -> Outcome = { .sent($0) }
    /// What becomes of an answer before the phone reads it.
    var answer: (HTTPRequest, HTTPResponse) -> HTTPResponse = { $1 }
    /// What somebody changes in the database of a phone that was put back, in SQL.
    var restored = ""
    /// The randomness of a phone whose database was put back.
    var randomness = WorldParts.Randomness.new
    /// What a sync of the disks does.
    var syncing = VirtualDisk.Syncing.honest

    enum Outcome {
        case sent(HTTPRequest)
        case answered(HTTPResponse)
    }
}
