import Foundation
import Testing

@testable import Emulator

struct RegisterPageTests {
    private enum Treatment {
        case modelled
        case constant
        /// The emulator records the first access. In strict mode, each access is a bus fault.
        case refused
    }

    private static func treatments() -> [(name: String, treatment: Treatment)] {
        let named = RegisterNames.registers.map { register -> (name: String, treatment: Treatment) in
            var bench = PartBench()
            _ = bench.read(register.address)
            let isRead = bench.part.unmodelled.isEmpty
            if isRead, RegisterNames.isStub(register.address) { return (register.name, .constant) }
            bench.write(0, register.address)
            return (register.name, isRead || bench.part.unmodelled.count < 2 ? .modelled : .refused)
        }
        return named + RegisterNames.stubs.sorted().map { (RegisterNames.name(of: $0), .constant) }
            + RegisterNames.blocks.filter(\.registers.isEmpty).map { (String($0.name), .refused) }
    }

    /// The table at the end of REGISTERS.md. Each row is for a peripheral, or for several that are alike. The emulator
    /// refuses all registers without a name in `RegisterNames`, and the table leaves them out.
    private static var table: String {
        var instances: [(name: String, modelled: Int, constant: [String], refused: [String])] = []
        for (name, treatment) in treatments() {
            let parts = name.split(maxSplits: 1) { ".+".contains($0) }
            if !instances.contains(where: { $0.name == parts[0] }) { instances.append((String(parts[0]), 0, [], [])) }
            guard let index = instances.firstIndex(where: { $0.name == parts[0] }) else { continue }
            let register = parts.count > 1 ? "`\(parts[1])`" : "all"
            switch treatment {
            case .modelled: instances[index].modelled += 1
            case .constant: instances[index].constant.append(register)
            case .refused: instances[index].refused.append(register)
            }
        }
        var rows: [(cells: String, names: [String])] = []
        for (name, modelled, constant, refused) in instances {
            let cells = "\(modelled) | \(constant.joined(separator: ", ")) | \(refused.joined(separator: ", ")) |"
            if let last = rows.last, last.cells == cells, last.names[0].dropLast() == name.dropLast() || modelled == 0 {
                rows[rows.count - 1].names.append(name)
            } else {
                rows.append((cells, [name]))
            }
        }
        return "| peripheral | modelled | constant | refused |\n|---|---|---|---|\n"
            + rows.map { "| \($0.names.joined(separator: ", ")) | \($0.cells)\n" }.joined()
    }

    @Test
    func `The page says how each register is treated`() throws {
        var top = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { top.deleteLastPathComponent() }
        let page = try String(contentsOf: top.appendingPathComponent("Simulator/REGISTERS.md"), encoding: .utf8)
        #expect(page.hasSuffix(Self.table), "Simulator/REGISTERS.md ends with:\n\(Self.table)")
    }
}
