import Foundation
import Testing

@testable import tapline

/// The commands as somebody types them, one process each.
@Suite(.timeLimit(.minutes(60))) struct PhoneCommandsTests {
    let tool: PhoneTool

    init() throws {
        tool = try PhoneTool()
    }

    private func json(_ result: PhoneTool.Result) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    }

    @Test func `what is added is listed`() async throws {
        let added = try await tool.run("add", "Milk", "Rye  bread")
        #expect(added.status == 0)
        #expect(added.lines == ["Added \"Milk\" to Shopping", "Added \"Rye bread\" to Shopping"])
        let list = try await tool.run("list")
        #expect(list.output == "Shopping: 2 left\n1  [ ] Milk\n2  [ ] Rye bread\n")
    }

    @Test func `items are checked, put back and removed by number, id and title`() async throws {
        _ = try await tool.run("add", "Milk", "Eggs", "Rye")
        #expect(try await tool.run("check", "2", "ry").lines == ["Checked off \"Eggs\"", "Checked off \"Rye\""])
        #expect(try await tool.run("list").lines == ["Shopping: 1 left", "1  [ ] Milk"])
        #expect(try await tool.run("list", "--all").lines.suffix(2) == ["2  [x] Eggs", "3  [x] Rye"])
        #expect(try await tool.run("check", "eggs").lines == ["Was already checked off: \"Eggs\""])
        #expect(try await tool.run("uncheck", "3").lines == ["Put back \"Rye\""])
        let items = try #require(try json(try await tool.run("list", "--json"))["items"] as? [[String: Any]])
        let id = try #require(items[0]["id"] as? Int)
        #expect(try await tool.run("remove", "\(id)").lines == ["Removed \"Milk\""])
        #expect(try await tool.run("list").lines == ["Shopping: 1 left", "1  [ ] Rye"])
        let history = try await tool.run("history", "--last", "2")
        #expect(history.lines.count == 2)
        #expect(history.lines[0].hasSuffix("unchecked Rye  (command)"))
        #expect(history.lines[1].hasSuffix("removed   Milk  (command)"))
    }

    @Test func `what is added, imported and renamed is in the history`() async throws {
        _ = try await tool.run("add", "Milk")
        _ = try await tool.run("import", "-", input: "Eggs\n")
        #expect(try await tool.run("rename", "milk", "Oat  milk").lines == ["Renamed \"Milk\" to \"Oat milk\""])
        #expect(try await tool.run("rename", "1", "Oat milk").lines == ["Was already called \"Oat milk\""])
        #expect(try await tool.run("rename", "1", " ").error == "Error: a title needs at least one visible character\n")
        #expect(try await tool.run("rename", "9", "x").status == 1)
        let history = try await tool.run("history").lines
        #expect(history.count == 3)
        for (line, end) in zip(
            history,
            ["added     Milk  (command)", "added     Eggs  (import)", "renamed   Oat milk, was \"Milk\"  (command)"])
        {
            #expect(line.hasSuffix(end))
        }
        let renamed = try await tool.run("history", "--event", "renamed", "--json").output
        let entries = try #require(try JSONSerialization.jsonObject(with: Data(renamed.utf8)) as? [[String: Any]])
        #expect(entries.count == 1)
        #expect(entries.first?["formerTitle"] as? String == "Milk")
    }

    @Test func `a change of amount and note is in the history, with what was before`() async throws {
        _ = try await tool.run("add", "Milk", "--note", "oat")
        _ = try await tool.run("describe", "milk", "--amount", "2 l", "--note", "")
        let history = try await tool.run("history", "--event", "described")
        #expect(history.lines.count == 1)
        #expect(history.output.hasSuffix("  described Milk, 2 l, was \"Milk (oat)\"  (command)\n"))
        let described = try await tool.run("history", "--event", "described", "--json").output
        let entries = try #require(try JSONSerialization.jsonObject(with: Data(described.utf8)) as? [[String: Any]])
        let entry = try #require(entries.first)
        #expect(entry["title"] as? String == "Milk" && entry["amount"] as? String == "2 l")
        #expect(entry["formerNote"] as? String == "oat" && entry["note"] == nil && entry["formerAmount"] == nil)
    }

    @Test func `notes for the face are added, shown and removed`() async throws {
        _ = try await tool.run("lists", "--activate", "Shopping")
        #expect(try await tool.run("complication").output == "The face shows the date\n")
        _ = try await tool.run("add", "Milk")
        let added = try await tool.run("complication", "add", "Market day", "--for", "2h")
        #expect(added.lines.first?.hasPrefix("Added note 1: \"Market day\", from ") == true)
        #expect(added.lines.first?.hasSuffix(", relevance 150") == true)
        let shown = try await tool.run("complication").lines
        #expect(shown.count == 4)
        #expect(
            shown[1].hasSuffix("        150  Market day")
                && shown[2].hasSuffix("-                       100  1 left, next \"Milk\""))
        let face = try json(try await tool.run("complication", "list", "--json"))
        #expect((face["timeLine"] as? [[String: Any]])?.map { $0["note"] as? Int } == [1, nil])
        #expect((face["notes"] as? [[String: Any]])?.first?["push"] as? String == "wanted")
        #expect(try await tool.run("complication", "remove", "1").lines == ["Removed note 1: \"Market day\""])
        #expect(try await tool.run("complication", "remove", "--all").lines == ["There was no note"])
    }

    @Test(arguments: [
        (["a", "--until", "2020-01-01 10:00"], "the note would be over already: give an --until in the future"),
        (
            ["a", "--at", "2090-01-02 10:00", "--until", "2090-01-02 09:00"],
            "the note would end before it begins: give a later --until, or an earlier --at"
        ),
        ([String(repeating: "ü", count: 25)], "the note has 50 bytes, and a watch shows 48: shorten it"),
        (["\u{1B}\u{7}"], "a note needs at least one visible character"),
        (["a", "--at", "25:00"], "--at takes a time such as 18:30 or \"2026-11-28 18:30\", not \"25:00\""),
        (["a", "--until", "x"], "--until takes a time such as 18:30 or \"2026-11-28 18:30\", not \"x\""),
        (["a", "--for", "0s"], "--for takes a time above 0, such as 2h"),
        (["a", "--at", "2200-01-01 10:00"], "a watch's calendar ends in 2106: give an earlier time"),
    ])
    func `a note that cannot be kept is one line and status 1`(arguments: [String], message: String) async throws {
        let result = try await tool.launch(
            ["phone", "complication", "add"] + arguments + ["--database", tool.database, "--sockets", tool.sockets])
        #expect(result.status == 1)
        #expect(result.error == "Error: \(message)\n")
    }

    @Test func `what is meant by several is an error that names them`() async throws {
        _ = try await tool.run("add", "Milk", "Milk", "--again")
        let result = try await tool.run("check", "milk")
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.error.hasPrefix("Error: \"milk\" could be 1 \"Milk\" (id "))
        #expect(result.error.split(separator: "\n").count == 1)
    }

    @Test func `a list of a database that is not there is an error, and creates nothing`() async throws {
        let missing = "\(tool.directory)/none/phone.sqlite"
        let result = try await tool.run("list", database: missing)
        #expect(result.status == 1 && result.output.isEmpty)
        #expect(result.error.hasPrefix("Error: \(missing) cannot be opened (there is none; `tapline phone add`"))
        #expect(!FileManager.default.fileExists(atPath: "\(tool.directory)/none"))
    }

    @Test func `an item that is not there changes none of the others`() async throws {
        _ = try await tool.run("add", "Milk")
        #expect(try await tool.run("check", "milk", "nothing").status == 1)
        #expect(try await tool.run("list").lines.count == 2)
    }

    @Test func `a Markdown list goes in and out again`() async throws {
        let text = "# Anything\n\n- [ ] Milk\n- [x] Bread\n"
        let imported = try await tool.run("import", "-", "--list", "Weekend", input: text)
        #expect(imported.output == "Imported 2 items into Weekend, 1 of them checked off already\n")
        let exported = try await tool.run("export", "--list", "Weekend")
        #expect(exported.output == "# Weekend\n\n- [ ] Milk\n- [x] Bread\n")
        #expect(try await tool.run("export", "--list", "Weekend", "--plain").output == "Milk\n")
        let again = try await tool.run("import", "--json", "-", input: exported.output)
        let report = try json(again)
        #expect(report["imported"] as? Int == 2 && report["checked"] as? Int == 1)
        #expect(report["skippedLines"] as? Int == 2 && report["list"] as? String == "Shopping")
    }

    @Test func `lists are made, shown and put on the watches`() async throws {
        _ = try await tool.run("add", "--list", "Hardware", "Screws")
        #expect(
            try await tool.run("lists").lines == [
                "* Shopping: 0 left, 0 checked off", "  Hardware: 1 left, 0 checked off",
            ])
        #expect(try await tool.run("lists", "--activate", "Hardware").lines.last?.hasPrefix("* Hardware") == true)
        #expect(try await tool.run("list").lines == ["Hardware: 1 left", "1  [ ] Screws"])
        let unknown = try await tool.run("list", "--list", "Nope")
        #expect(unknown.status == 1)
        #expect(unknown.error == "Error: there is no list \"Nope\": the lists are \"Shopping\", \"Hardware\"\n")
    }

    @Test(arguments: [
        ["add"], ["import"], ["export", "--plain", "--json"], ["list", "--nonsense"], ["nonsense"],
        ["history", "--last", "-1"], ["history", "--event", "eaten"], ["rename", "milk"], ["complication", "add"],
        ["complication", "add", "a", "--for", "2x"],
        ["complication", "add", "a", "--for", "1h", "--until", "20:00"],
        ["complication", "add", "a", "--relevance", "256"],
        ["complication", "remove"], ["complication", "remove", "1", "--all"],
    ])
    func `a wrong use is status 64`(arguments: [String]) async throws {
        let result = try await tool.launch(["phone"] + arguments)
        #expect(result.status == 64)
        #expect(result.error.hasPrefix("Error: "))
    }

    @Test func `a file that is no database is one line and status 1`() async throws {
        let path = "\(tool.directory)/letter"
        try Data("Dear Anna".utf8).write(to: URL(filePath: path))
        for command in ["list", "history", "lists", "export", "serve"] {
            let result = try await tool.run(command, database: path)
            #expect(result.status == 1)
            #expect(
                result.error
                    == "Error: \(path) is not a Tapline database or is damaged: move it away or restore a copy\n")
        }
    }

    @Test func `a file that cannot be imported is one line and status 1`() async throws {
        let result = try await tool.run("import", "/nowhere/list")
        #expect(result.status == 1)
        #expect(result.error == "Error: /nowhere/list: cannot be read (No such file or directory)\n")
    }

    @Test(.enabled(if: PhoneTool.unprivileged != nil))
    func `a database that cannot be written is read, and a change is one line and status 1`() async throws {
        let prefix = try #require(PhoneTool.unprivileged)
        let directory = "\(tool.directory)/read-only"
        let path = "\(directory)/phone.sqlite"
        #expect(try await tool.run("add", "Milk", database: path).status == 0)
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool.directory)
        try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
        try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: directory)
        defer { try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory) }
        let added = try await tool.launch(["phone", "add", "Eggs", "--database", path], through: prefix)
        #expect(added.status == 1)
        #expect(
            added.error
                == "Error: \(path) cannot be written: give yourself write permission on it and on its directory\n")
        let listed = try await tool.launch(["phone", "list", "--database", path], through: prefix)
        #expect(listed.status == 0)
        #expect(listed.output == "Shopping: 1 left\n1  [ ] Milk\n")
    }

    @Test(arguments: [">/dev/full", ">&-"])
    func `what cannot be printed is one line and status 1`(output: String) async throws {
        #expect(try await tool.run("add", "Milk").status == 0)
        for command in ["export", "list", "check"] {
            let result = try await tool.launch(
                ["phone", command, "--database", tool.database],
                through: ["/bin/sh", "-c", "exec \"$@\" \(output)", "sh"])
            #expect(result.status == 1, "\(command)")
            #expect(result.error.hasPrefix("Error: cannot write to the standard output: "), "\(command)")
        }
    }

    @Test func `a title of nothing is refused and nothing is added`() async throws {
        #expect(try await tool.run("add", "Milk", " ").status == 1)
        #expect(!FileManager.default.fileExists(atPath: tool.database))
    }

    @Test func `a title cannot move the cursor of a terminal`() async throws {
        _ = try await tool.run("add", "\u{1B}[2J\u{9B}31mMilk\u{7}")
        #expect(try await tool.run("list").lines.last == "1  [ ] [2J31mMilk")
    }

    @Test func `many commands at once all get their turn`() async throws {
        try await withThrowingTaskGroup(of: Int32.self) { group in
            for number in 0..<6 {
                group.addTask { [tool] in try await tool.run("add", "item \(number)").status }
            }
            for try await status in group { #expect(status == 0) }
        }
        #expect(try await tool.run("list").lines.count == 7)
    }
}

@Suite struct PhonePlacesTests {
    private func places(_ environment: [String: String]) -> Places {
        Places(environment: environment, home: "/home/anna", user: 1_000)
    }

    @Test func `the places are the usual ones of the user`() {
        #expect(places([:]).database == "/home/anna/.local/share/tapline/phone.sqlite")
        #expect(places([:]).flash == "/home/anna/.local/share/tapline/watch.flash")
        #expect(places([:]).sockets == "/tmp/tapline-1000")
    }

    @Test func `HOME moves them, as it does for the doctor`() {
        #expect(places(["HOME": "/home/karl"]).data == "/home/karl/.local/share/tapline")
        #expect(places(["HOME": "/home/karl", "XDG_DATA_HOME": "/data"]).data == "/data/tapline")
    }

    @Test func `the XDG variables move them`() {
        #expect(places(["XDG_DATA_HOME": "/data"]).database == "/data/tapline/phone.sqlite")
        #expect(places(["XDG_DATA_HOME": "/data//"]).data == "/data/tapline")
        #expect(places(["XDG_RUNTIME_DIR": "/run/user/1000"]).sockets == "/run/user/1000/tapline")
    }

    @Test(arguments: ["", "relative/path", "~"])
    func `a variable that is no absolute path does not count`(value: String) {
        #expect(places(["HOME": value, "XDG_DATA_HOME": value, "XDG_RUNTIME_DIR": value]) == places([:]))
    }
}
