@testable import StyleRules

/// What `rule` says about a file with this text, as `line: rule`.
func reports(
    _ rule: some Rule, _ text: String, at path: String = "Simulator/DeviceModel/Sample.swift",
    beside others: [SourceFile] = []
) -> [String] {
    let file = SourceFile(path: path, text: text)
    return rule.violations(in: file, of: Project([file] + others)).map { "\($0.line): \($0.rule)" }
}
