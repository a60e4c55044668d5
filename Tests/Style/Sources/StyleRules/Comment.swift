import SwiftSyntax

/// A comment and where it stands.
struct Comment {
    /// Whom the comment is for.
    enum Kind {
        /// `//`: for who reads the code.
        case ordinary
        /// `///`: for who calls it.
        case documentation
    }

    let kind: Kind
    let text: String
    /// The line on which the comment begins.
    let line: Int
    /// The line of the code that follows the comment.
    let declarationLine: Int
}

extension SourceFile {
    /// The comments of the file, in order. What a string literal holds is none.
    var comments: [Comment] {
        tree.tokens(viewMode: .sourceAccurate).flatMap { token in
            let code = locations.location(for: token.positionAfterSkippingLeadingTrivia).line
            let end = locations.location(for: token.endPositionBeforeTrailingTrivia)
            let before = comments(of: token.leadingTrivia, from: token.position, codeLine: code)
            return before
                + comments(of: token.trailingTrivia, from: token.endPositionBeforeTrailingTrivia, codeLine: end.line)
        }
    }

    private func comments(of trivia: Trivia, from start: AbsolutePosition, codeLine: Int) -> [Comment] {
        var position = start
        var found: [Comment] = []
        for piece in trivia {
            let line = locations.location(for: position).line
            position += piece.sourceLength
            switch piece {
            case .lineComment(let text), .blockComment(let text):
                found.append(Comment(kind: .ordinary, text: text, line: line, declarationLine: codeLine))
            case .docLineComment(let text), .docBlockComment(let text):
                found.append(Comment(kind: .documentation, text: text, line: line, declarationLine: codeLine))
            default:  // style: foreign enum
                break
            }
        }
        return found
    }
}
