import Testing

@testable import StyleRules

@Suite struct OneFunctionOfANameTests {
    private func found(_ path: String, _ text: String) -> [String] {
        guard let script = Script(path: path, text: text) else { return ["no script"] }
        return violations(of: [OneFunctionOfAName()], in: [], scripts: [script]).map(\.description)
    }

    @Test(arguments: ["Tests/run", "Tests/EndToEnd/lab.test"])
    func theSecondOfTwoIsReported(_ path: String) {
        #expect(
            found(path, "#!/bin/bash\ntest_a() {\n}\ntest_b() {\n}\ntest_a() {\n}\n")
                == [
                    "\(path):6: one-function-of-a-name: test_a is a function at line 2 already; the shell forgets that one"
                ])
    }

    @Test func twoNamesAreFine() {
        #expect(found("Tests/run", "#!/bin/bash\none() {\n    one() {\n}\n}\ntwo() {\n}\n") == [])
    }

    @Test(arguments: ["a.c", "README.md"])
    func otherFilesAreNoScripts(_ path: String) { #expect(found(path, "#\na() {\n}\na() {\n}\n") == ["no script"]) }
}
