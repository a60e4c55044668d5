/// The functions of a program, by their addresses.
package struct FunctionTable: Equatable, Sendable {
    package struct Function: Equatable, Sendable {
        package var name: String
        package var start: UInt32
        /// In bytes; 0 where the symbol does not say, which means up to the next one.
        package var size: UInt32
    }

    /// A function by its place in the table, or what is in none.
    package struct Number: Hashable, Sendable {
        let value: Int

        /// Code that no symbol names.
        static let none = Number(value: -1)
    }

    /// In the order of their addresses, each address once.
    package let functions: [Function]

    package init(_ functions: [Function]) {
        var unique: [Function] = []
        for function in functions.sorted(by: { ($0.start, $0.name) < ($1.start, $1.name) })
        where unique.last?.start != function.start {
            unique.append(function)
        }
        self.functions = unique
    }

    /// The function whose code is at an address, and the addresses of that code.
    func place(of address: UInt32) -> (number: Number, code: Range<UInt32>) {
        let behind = firstIndex(above: address)
        let end = behind < functions.count ? functions[behind].start : .max
        guard behind > 0 else { return (.none, 0..<end) }
        let function = functions[behind - 1]
        let last = function.size == 0 ? end : min(end, function.start + function.size)
        return address < last ? (Number(value: behind - 1), function.start..<last) : (.none, last..<end)
    }

    /// The name in the source of the function whose code is at an address.
    package func title(at address: UInt32) -> String { title(place(of: address).number) }

    package func title(_ number: Number) -> String {
        functions.indices.contains(number.value) ? functions[number.value].title : "code without a name"
    }

    /// The first address of a function, by its symbol or its name in the source.
    ///
    /// - Throws: `.noFunction`.
    package func start(of name: String) throws(MachineCodeError) -> UInt32 {
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
