import Foundation

/// Copies of an image in which a function begins with other machine code.
enum PlantedCode {
    /// Writes a copy of `image` to `copy` in which the function whose name contains `name` begins with `code`.
    ///
    /// - Returns: the function's address.
    @discardableResult
    static func write(_ code: [UInt8], over name: String, of image: String, to copy: String) throws -> UInt32 {
        try write(over: name, of: image, to: copy) { _ in code }
    }

    /// The same with machine code that depends on its address.
    @discardableResult
    static func write(
        over name: String, of image: String, to copy: String, code: (UInt32) -> [UInt8]
    ) throws -> UInt32 {
        var data = try Data(contentsOf: URL(filePath: image))
        let elf = try ELFImage([UInt8](data))
        guard let function = elf.symbols.first(where: { $0.kind == .function && $0.name.contains(name) }),
            let section = elf.sections.first(where: { $0.name == ".text" })
        else { throw HarnessFailure("the image has no function \(name)") }
        let code = code(function.address)
        let place = Int(function.address - section.address) + section.offset
        guard place + code.count <= section.offset + section.size else {
            throw HarnessFailure("\(code.count) bytes of code have no room behind the start of \(name)")
        }
        data.replaceSubrange(place..<place + code.count, with: code)
        try data.write(to: URL(filePath: copy))
        return function.address
    }
}
