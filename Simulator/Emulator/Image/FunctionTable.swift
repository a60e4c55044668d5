/// The functions of a program, by their addresses.
package struct FunctionTable: Equatable, Sendable {
    package struct Function: Equatable, Sendable {
        package var name: String
        package var start: UInt32
        /// In bytes; 0 means up to the next function.
        package var size: UInt32
    }

    /// A function's place in the table; nil for code without a symbol.
    package typealias Number = Int?

    /// By address, each address once.
    package let functions: [Function]

    package init(_ functions: [Function]) {
        var unique: [Function] = []
        for function in functions.sorted(by: { ($0.start, $0.name) < ($1.start, $1.name) })
        where unique.last?.start != function.start {
            unique.append(function)
        }
        self.functions = unique
    }

    /// The function at an address, and the addresses of its code.
    func place(of address: UInt32) -> (number: Number, code: Range<UInt32>) {
        let behind = firstIndex(above: address)
        let end = behind < functions.count ? functions[behind].start : .max
        guard behind > 0 else { return (nil, 0..<end) }
        let function = functions[behind - 1]
        let last = function.size == 0 ? end : min(end, function.start + function.size)
        return address < last ? (behind - 1, function.start..<last) : (nil, last..<end)
    }

    /// The source name of the function at an address.
    package func title(at address: UInt32) -> String { title(place(of: address).number) }

    package func title(_ number: Number) -> String {
        number.map { functions[$0].title } ?? "code without a name"
    }

    /// The first address of a function, by its symbol or its source name.
    ///
    /// - Throws: `.noFunction`.
    package func start(of name: String) throws(EmulatorError) -> UInt32 {
        guard let function = functions.first(where: { $0.name == name || $0.title == name }) else {
            throw .noFunction(name)
        }
        return function.start
    }

    private func firstIndex(above address: UInt32) -> Int {
        var (low, high) = (0, functions.count)
        while low < high {
            let middle = (low + high) / 2
            if functions[middle].start <= address { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The demangler of the runtime (swift/Demangling/Demangle.h). It writes into `buffer` and returns it, or nil if the name is not
/// mangled.
@_silgen_name("swift_demangle")
private func demangle(
    _ name: UnsafePointer<CChar>?, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

extension FunctionTable.Function {
    /// The name in Swift source; the symbol for other code.
    package var title: String {
        var size = 2_048
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
            let bytes = Array(name.utf8CString)
            guard demangle(bytes, bytes.count - 1, buffer.baseAddress, &size, 0) != nil else { return name }
            return buffer.baseAddress.map { FunctionName(String(cString: $0)).short } ?? name
        }
    }
}

/// A demangled name, shortened for call stacks: without specialisations, modules of extensions, constraints of generic parameters
/// and the result type.
struct FunctionName {
    private let whole: String

    init(_ demangled: String) {
        whole = demangled
    }

    var short: String {
        var name = whole[...]
        // "generic specialization <...> of ", also several times and of other kinds.
        while let end = FunctionName.specialization(name) { name = name[end...] }
        var text = String(name)
        while let start = text.firstRange(of: "(extension in "),
            let end = text[start.upperBound...].firstRange(of: "):")
        {
            text.removeSubrange(start.lowerBound..<end.upperBound)
        }
        text = FunctionName.withoutConstraints(text)
        if let arrow = text.firstRange(of: ") -> ") { text.removeSubrange(text.index(after: arrow.lowerBound)...) }
        return text.replacing("Swift.", with: "")
    }

    /// Where the specialised function's name begins; nil if the name is no specialisation.
    private static func specialization(_ name: Substring) -> Substring.Index? {
        let words = name.prefix { $0 != "<" }
        guard words.hasSuffix("specialization "), let end = closing(name, from: words.endIndex),
            name[name.index(after: end)...].hasPrefix(" of ")
        else { return nil }
        return name.index(end, offsetBy: 5)
    }

    /// The bracket that closes the one at `start`. That of an arrow does not count.
    private static func closing(_ text: Substring, from start: Substring.Index) -> Substring.Index? {
        var depth = 0
        var before: Character = " "
        var place = start
        while place < text.endIndex {
            let character = text[place]
            if character == "<" { depth += 1 }
            if character == ">", before != "-" { depth -= 1 }
            if depth == 0 { return place }
            before = character
            place = text.index(after: place)
        }
        return nil
    }

    /// Without the lists of generic parameters that have constraints.
    private static func withoutConstraints(_ text: String) -> String {
        var text = text
        var place = text.startIndex
        while let start = text[place...].firstIndex(of: "<"), let end = closing(text[...], from: start) {
            if text[start...end].contains(" where ") {
                text.removeSubrange(start...end)
                place = start
            } else {
                place = text.index(after: start)
            }
            if place >= text.endIndex { break }
        }
        return text
    }
}
