import CommandSupport
import Testing

@Suite struct PlacesTests {
    private func places(_ environment: [String: String]) -> Places {
        Places(environment: environment, home: "/home/anna", user: 1_000)
    }

    @Test func `the places are the usual ones of the user`() {
        #expect(places([:]).database == "/home/anna/.local/share/tapline/phone.sqlite")
        #expect(places([:]).flash == "/home/anna/.local/share/tapline/watch.flash")
        #expect(places([:]).sockets == "/tmp/tapline-1000")
    }

    @Test func `HOME and the XDG variables move them`() {
        #expect(places(["HOME": "/home/karl"]).data == "/home/karl/.local/share/tapline")
        #expect(places(["HOME": "/home/karl", "XDG_DATA_HOME": "/data//"]).database == "/data/tapline/phone.sqlite")
        #expect(places(["XDG_RUNTIME_DIR": "/run/user/1000"]).sockets == "/run/user/1000/tapline")
    }

    @Test(arguments: ["", "relative/path", "~"])
    func `a variable that is no absolute path does not count`(value: String) {
        #expect(places(["HOME": value, "XDG_DATA_HOME": value, "XDG_RUNTIME_DIR": value]) == places([:]))
    }
}
