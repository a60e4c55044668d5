/// What a program asks of the endpoint of its side, over the control socket. A connection is one command: what it begins ends
/// with it.
package enum SharedRequest: Codable, Hashable, Sendable {
    /// A message to pass. The replies are `passed` and then a `fate` for each step of each copy.
    package struct Passing: Codable, Hashable, Sendable {
        package let name: MessageName
        /// One CBOR data item; nil for a notification.
        package let payload: [UInt8]?
        package let delivery: Delivery
        /// The identity of the recipient, its beginning, or its name; nil for everyone.
        package let recipient: String?
        /// How long a queued message waits for the first peer, where none is known yet, and a notification for one that can be reached,
        /// in milliseconds.
        package let patience: UInt32

        package init(
            name: MessageName, payload: [UInt8]?, delivery: Delivery, recipient: String? = nil, patience: UInt32 = 0
        ) {
            self.name = name
            self.payload = payload
            self.delivery = delivery
            self.recipient = recipient
            self.patience = patience
        }
    }

    /// A question. The reply is a `value`.
    package struct Question: Codable, Hashable, Sendable {
        package let name: MessageName
        package let payload: [UInt8]
        /// As of a message; nil for the only peer.
        package let recipient: String?
        /// How long to wait for the peer, and then for its answer, in milliseconds.
        package let reach: UInt32
        package let patience: UInt32

        package init(
            name: MessageName, payload: [UInt8], recipient: String? = nil, reach: UInt32, patience: UInt32
        ) {
            self.name = name
            self.payload = payload
            self.recipient = recipient
            self.reach = reach
            self.patience = patience
        }
    }

    /// A file to send. The replies are a `file`, then a `progress` whenever that changes, and a `fate` for each step.
    package struct Sending: Codable, Hashable, Sendable {
        /// From the root, because the endpoint may have another working directory.
        package let path: String
        /// What the receiver calls it.
        package let label: String
        /// As of a question.
        package let recipient: String?
        /// One CBOR data item; nil for nothing.
        package let metadata: [UInt8]?
        /// How long to wait for the peer, where none is named, in milliseconds.
        package let patience: UInt32
        package let owner: FileOwner

        package init(
            path: String, label: String, recipient: String?, metadata: [UInt8]?, patience: UInt32,
            owner: FileOwner = .sender
        ) {
            self.path = path
            self.label = label
            self.recipient = recipient
            self.metadata = metadata
            self.patience = patience
            self.owner = owner
        }
    }

    case pass(Passing)
    case send(Sending)
    /// A file that is on its way, by its number. The replies are those of `send`.
    case followFile(UInt64)
    /// The replies are a `file`, and a `fate` as of a message.
    case fateOfFile(UInt64, following: Following)
    case cancelFile(UInt64)
    /// Files are received into a directory, at most this number; nil for any. The replies are `file` and `progress` of those that arrive, and `received`.
    case receive(directory: String, atMost: Int?)
    /// How many complication messages are left today: a `budget` for each peer.
    case budget
    /// The reply is a `value`.
    case read(MessageName)
    /// A `named` for each name with a value.
    case names
    /// Nil for every name.
    case clear(MessageName?)
    /// The replies are `heard`, and `kept` until `taken`.
    case listen(NamePattern)
    /// A message of the inbox has been dealt with.
    case taken(UInt64)
    case ask(Question)
    /// The replies are `asked`, each of which wants an `answered`.
    case answer(MessageName)
    /// The answer to a question: one CBOR data item; nil where there is none.
    case answered(UInt64, [UInt8]?)
    /// An `outstanding` for each message, and a `file` for each file.
    case outstanding
    /// The reply is a `fate`, and with `following` one for each step until the final one.
    case fate(MessageNumber, following: Following)
    case cancel(MessageNumber)
    /// A `peer` for each.
    case peers

    /// Whether somebody wants to know the present fate, or each until the final one.
    package enum Following: Codable, Hashable, Sendable {
        case now
        case toTheEnd
    }
}
