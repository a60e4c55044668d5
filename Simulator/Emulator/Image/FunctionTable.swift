package struct FunctionTable: Equatable, Sendable {
    package struct Function: Equatable, Sendable {
        package var name: String
        package var start: UInt32
        /// Size in bytes. 0 means that the function extends to the next one.
        package var size: UInt32
    }

    /// Index of a function in the table. Nil for code without a symbol.
    package typealias Number = Int?

    /// The functions in the order of their addresses. No two have the same address.
    package let functions: [Function]

    package init(_ functions: [Function]) {
        var unique: [Function] = []
        for function in functions.sorted(by: { ($0.start, $0.name) < ($1.start, $1.name) })
        where unique.last?.start != function.start {
            unique.append(function)
        }
        self.functions = unique
    }

    func place(of address: UInt32) -> (number: Number, code: Range<UInt32>) {
        let behind = firstIndex(above: address)
        let end = behind < functions.count ? functions[behind].start : .max
        guard behind > 0 else { return (nil, 0..<end) }
        let function = functions[behind - 1]
        let last = function.size == 0 ? end : min(end, function.start + function.size)
        return address < last ? (behind - 1, function.start..<last) : (nil, last..<end)
    }

    package func title(at address: UInt32) -> String { title(place(of: address).number) }

    package func title(_ number: Number) -> String {
        number.map { functions[$0].title } ?? "code without a name"
    }

    /// Finds the address at which a function begins.
    ///
    /// - Parameter name: the function's address (such as 0x1a2), its symbol, or its name in the source code. The source name
    ///   may omit parameters, template arguments, and the enclosing types and modules.
    /// - Throws: `.noFunction` if no function has this name, `.severalFunctions` if several have it.
    package func start(of name: String) throws(EmulatorError) -> UInt32 {
        let names = functions.map { FunctionName.forms(of: $0) }
        for form in 0..<FunctionName.formCount {
            let found = functions.indices.filter { names[$0][form] == name }
            guard found.count > 1 else {
                if let only = found.first { return functions[only].start }
                continue
            }
            throw .severalFunctions(name, found.map { "\(functions[$0].title) at \(hexadecimal(functions[$0].start))" })
        }
        let asked = Array(name.lowercased().utf8)
        let near = functions.indices.compactMap { (index: Int) -> (index: Int, distance: Int)? in
            let bare = Array((names[index].last ?? "").lowercased().utf8.prefix(80))
            // The number of letters to remove or insert to turn one name into the other.
            let distance = bare.difference(from: asked).count
            let isNear = distance * 3 <= bare.count + asked.count || names[index].contains { $0.contains(name) }
            return isNear ? (index, distance) : nil
        }
        throw .noFunction(
            name, near: near.sorted { $0.distance < $1.distance }.prefix(3).map { functions[$0.index].title })
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

/// The demangler of the Swift runtime (swift/Demangling/Demangle.h). It returns a C string that the caller must free, or nil if
/// the name is not mangled.
@_silgen_name("swift_demangle")
private func demangleSwift(
    _ name: UnsafePointer<CChar>?, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

/// The demangler of the C++ runtime (cxxabi.h). It returns a C string that the caller must free, or nil if the name is not
/// mangled.
@_silgen_name("__cxa_demangle")
private func demangleCPlusPlus(
    _ name: UnsafePointer<CChar>?, _ buffer: UnsafeMutablePointer<CChar>?, _ size: UnsafeMutablePointer<Int>?,
    _ status: UnsafeMutablePointer<CInt>?
) -> UnsafeMutablePointer<CChar>?

extension FunctionTable.Function {
    /// The demangled name of a Swift or C++ function. For any other function, the symbol.
    package var title: String {
        // The C++ demangler would misread a C function's name as the code of a type. Therefore the prefix is checked first.
        let isCPlusPlus = name.hasPrefix("_Z")
        let demangled =
            isCPlusPlus ? demangleCPlusPlus(name, nil, nil, nil) : demangleSwift(name, name.utf8.count, nil, nil, 0)
        guard let demangled else { return name }
        // Both demanglers allocate with malloc, and Swift's `deallocate` calls free on Linux.
        defer { demangled.deallocate() }
        return isCPlusPlus ? String(cString: demangled) : FunctionName(String(cString: demangled)).short
    }
}

/// A demangled Swift name. `short` is a form for call stacks, which omits specialisations, the modules of extensions, generic
/// constraints, the result type and the prefix `Swift.`.
struct FunctionName {
    private let whole: String

    init(_ demangled: String) {
        whole = demangled
    }

    static let formCount = 6

    /// Lists the names by which a user can ask for the function. The first name is the function's address. Only the address is
    /// certain to be unique.
    static func forms(of function: FunctionTable.Function) -> [String] {
        let title = function.title
        let unparametrised = title.replacing("(anonymous namespace)::", with: "").prefix { $0 != "(" }
        var depth = 0
        let plain = unparametrised.filter { character in
            if character == "<" { depth += 1 }
            defer { if character == ">" { depth -= 1 } }
            return depth == 0
        }
        // Removes the suffix of a compiler-made clone, such as ".constprop.0", from a symbol.
        let bare =
            title == function.name
            ? plain.prefix { $0 != "." } : plain.split { ".: ".contains($0) }.last ?? plain[...]
        return [hexadecimal(function.start), function.name, title, String(unparametrised), plain, String(bare)]
    }

    var short: String {
        var name = whole[...]
        // Removes "generic specialization <...> of " and other prefixes of this form, which may occur several times.
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

    private static func specialization(_ name: Substring) -> Substring.Index? {
        let words = name.prefix { $0 != "<" }
        guard words.hasSuffix("specialization "), let end = closing(name, from: words.endIndex),
            name[name.index(after: end)...].hasPrefix(" of ")
        else { return nil }
        return name.index(end, offsetBy: 5)
    }

    /// Finds the `>` that closes the `<` at `start`. The `>` of an arrow (`->`) does not count. Returns nil if the `<` is never
    /// closed.
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

    /// Removes each list of generic parameters (`<…>`) that contains a `where` clause.
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
