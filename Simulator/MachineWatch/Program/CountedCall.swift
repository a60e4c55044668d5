import DeviceModel
import HostCalls
import Watch

/// A call of a program to its board, as far as it says what part of a tap has come to its end.
package struct CountedCall: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// It waits, for whatever comes next.
        case idle
        /// It takes something that the wearer has done.
        case input
        /// It takes a datagram.
        case datagram
        /// It asks for the time: a mark bears that of the last such call.
        case now
        /// Lines are sent to the panel.
        case beginLines
        case line
        case finishLines
        case mark(TapMark, tap: TapNumber)
        case stageBegan(String)
        case stageEnded(String)
        case other
    }

    package var kind: Kind
    /// What the processor has spent from the call before to this one.
    package var count: CodeCount

    package init(kind: Kind, count: CodeCount) {
        self.kind = kind
        self.count = count
    }
}

extension CountedCall.Kind {
    /// - Parameter answer: what the board has answered.
    init(_ call: LabCall, answer: UInt32) {
        switch call {
        case .idle: self = .idle
        case .board(.now): self = .now
        case .board(.nextInput) where answer != 0: self = .input
        case .board(.receiveDatagram) where answer != HostCall.nothing: self = .datagram
        case .board(.beginLines): self = .beginLines
        case .board(.writeLine): self = .line
        case .board(.finishLines): self = .finishLines
        case .board(.trace(.mark(let mark, let tap, _))): self = .mark(mark, tap: tap)
        case .board(.trace(.stageBegan(let name, _, _))): self = .stageBegan(name)
        case .board(.trace(.stageEnded(let name, _, _))): self = .stageEnded(name)
        case .settings, .started, .worked, .description, .name, .exception, .handler, .messageWork, .board:
            self = .other
        }
    }
}

/// What is kept of a program's calls.
package enum CallRecording: Sendable {
    case none
    /// All of them, in their order.
    case calls([CountedCall])

    /// The calls that were kept.
    package var calls: [CountedCall] {
        switch self {
        case .none: []
        case .calls(let calls): calls
        }
    }

    mutating func enter(_ call: LabCall, answer: UInt32, _ code: ExecutedCode) {
        guard case .calls(var calls) = self else { return }
        self = .none  // So that the array is not copied.
        calls.append(CountedCall(kind: CountedCall.Kind(call, answer: answer), count: code.count))
        self = .calls(calls)
    }
}
