import WatchLink

/// A message for a watch, as a host stores it until the watch has it.
package struct FeedMessage: Equatable, Sendable {
    /// What it is called on the link, which also says how it is delivered.
    package enum Name: CaseIterable, Sendable {
        /// `ListMessage`, queued.
        case list
        /// `TitleMessage`, a latest value.
        case title
        /// `ComplicationMessage`, a latest value.
        case complication

        /// The name as text.
        package var text: String {
            switch self {
            case .list: "\(ListMessage.name)"
            case .title: "\(TitleMessage.name)"
            case .complication: "\(ComplicationMessage.name)"
            }
        }
    }

    /// What it is called.
    package var name: Name
    /// Its value: one CBOR data item.
    package var payload: [UInt8]

    /// The bytes of its body: the name as CBOR text, and the payload.
    package var bodySize: Int {
        let length = name.text.utf8.count
        return CBORWriter.headSize(UInt32(length)) + length + payload.count
    }

    /// A message whose payload `write` writes, in at most `size` bytes.
    init(_ name: Name, size: Int, _ write: (inout CBORWriter) throws(CBORError) -> Void) throws(CBORError) {
        var bytes = [UInt8](repeating: 0, count: size)
        var writer = CBORWriter(bytes.mutableSpan)
        try write(&writer)
        let count = writer.count
        self.name = name
        payload = Array(bytes[..<count])
    }
}
