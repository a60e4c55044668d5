import Foundation
import SeededNumbers
import WatchLink

/// The command that drives a firmware image in its emulator and reads what the linker made of it.
@main enum FirmwareHarness {
    static func main() {
        var arguments = Array(CommandLine.arguments.dropFirst())
        guard let name = arguments.first, let image = arguments.dropFirst().first, name != "--help", name != "-h" else {
            print(help)
            exit(arguments.first.map { ["--help", "-h"].contains($0) } == true ? 0 : 2)
        }
        guard let chosen = HarnessCase.all.first(where: { $0.name == name }) else {
            complain("no case '\(name)'; FirmwareHarness --help names them", status: 2)
        }
        arguments.removeFirst(2)
        guard chosen.arguments.contains(arguments.count) else {
            complain("it is called as FirmwareHarness \(name) IMAGE \(chosen.takes)", status: 2)
        }
        do {
            let setting = try HarnessSetting(image: image, arguments: arguments)
            try chosen.run(setting)
        } catch {
            complain("\(name): \(error) (TAPLINE_SEED=\(HarnessSetting.seed))", status: 1)
        }
    }

    private static func complain(_ what: String, status: CInt) -> Never {
        FileHandle.standardError.write(Data("error: \(what)\n".utf8))
        exit(status)
    }

    private static var help: String {
        let lines = HarnessCase.all.map { each in
            "    " + each.usage.padding(toLength: max(26, each.usage.count + 2), withPad: " ", startingAt: 0)
                + each.summary
        }
        return """
            Drives a firmware image in QEMU over its serial lines: FirmwareHarness CASE IMAGE [ARGUMENT...]

            \(lines.joined(separator: "\n"))

            A failure is a line on standard error and exit status 1. It ends with the seed of the random cases;
            TAPLINE_SEED repeats one.
            """
    }
}
