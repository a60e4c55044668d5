import Foundation

/// An HTTP or HTTPS address of the form `https://host:port/path`. It has no user, query or fragment.
package struct WebAddress: Hashable, Sendable {
    package let scheme: String
    /// The host in lowercase. A port follows unless it is the scheme's usual one.
    package let host: String
    /// The path in the form that `canonical` gives. It begins with a slash.
    package let path: String

    package var text: String { "\(scheme)://\(host)\(path)" }

    package var origin: String { "\(scheme)://\(host)" }

    private init(scheme: String, host: String, path: String) {
        self.scheme = scheme
        self.host = host
        self.path = path
    }

    /// Reads an address that a person typed. An address without a scheme is `https`.
    ///
    /// - Throws: `.address` if the text is not an address, or if it is an `http` address of another machine. With `http`,
    ///   others could read the password.
    package init(_ text: String) throws(CalDAVError) {
        let whole = text.contains("://") ? text : "https://\(text)"
        guard let address = WebAddress(absolute: whole) else {
            throw .address(text: text, reason: "write it as https://host/path")
        }
        guard address.scheme == "https" || address.isLoopback else {
            throw .address(text: text, reason: "use https, because others can read the password with http")
        }
        self = address
    }

    private init?(absolute text: String) {
        let bytes = text.utf8
        guard bytes.count <= 2_000, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let colon = text.range(of: "://")
        else { return nil }
        let scheme = text[..<colon.lowerBound].lowercased()
        guard scheme == "https" || scheme == "http" else { return nil }
        let rest = text[colon.upperBound...].prefix { $0 != "?" && $0 != "#" }
        let host = rest.prefix { $0 != "/" }
        guard !host.isEmpty, !host.contains("@"), !host.contains("\\") else { return nil }
        let path = rest.dropFirst(host.count)
        let canonical = WebAddress.canonical(path.isEmpty ? "/" : String(path))
        self.init(scheme: scheme, host: WebAddress.withoutUsualPort(host.lowercased(), scheme), path: canonical)
    }

    private static func withoutUsualPort(_ host: String, _ scheme: String) -> String {
        let usual = scheme == "https" ? ":443" : ":80"
        return host.hasSuffix(usual) ? String(host.dropLast(usual.count)) : host
    }

    package var isLoopback: Bool {
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        return name == "localhost" || name == "127.0.0.1" || name == "[::1]"
    }

    /// Resolves a link in an answer that this address gave; nil if the link is invalid.
    package func resolving(_ link: String) -> WebAddress? {
        if link.contains("://") { return WebAddress(absolute: link) }
        if link.hasPrefix("//") { return WebAddress(absolute: "\(scheme):\(link)") }
        let path = link.prefix { $0 != "?" && $0 != "#" }
        if path.hasPrefix("/") { return with(path: String(path)) }
        guard !path.isEmpty else { return nil }
        let directory = self.path.lastIndex(of: "/").map { self.path[...$0] } ?? "/"
        return with(path: String(directory) + path)
    }

    package func with(path: String) -> WebAddress {
        WebAddress(scheme: scheme, host: host, path: WebAddress.canonical(path))
    }

    /// Rewrites the percent escapes of a path, so that equal paths have equal bytes. Servers and clients escape different
    /// characters.
    package static func canonical(_ path: String) -> String {
        var result: [UInt8] = []
        var bytes = Array(path.utf8)[...]
        while let byte = bytes.popFirst() {
            var value = byte
            if byte == UInt8(ascii: "%"), bytes.count >= 2,
                let code = UInt8(String(decoding: bytes.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.removeFirst(2)
                value = code
                // An escaped slash does not separate two parts of a path.
                if code == UInt8(ascii: "/") {
                    result += Array("%2F".utf8)
                    continue
                }
            }
            if isPlain(value) { result.append(value) } else { result += escape(value) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case _: "-._~/!$'()*+,;=:@".utf8.contains(byte)
        }
    }

    private static func escape(_ byte: UInt8) -> [UInt8] {
        let digits = String(byte, radix: 16, uppercase: true)
        return Array("%\(digits.count < 2 ? "0" : "")\(digits)".utf8)
    }
}

extension WebAddress {
    private static let longestSlug = 40

    /// Makes an address for a new collection inside the collection at this address. The last part of the new path has the ASCII
    /// letters and digits of `name`, and then `random` in base 36.
    package func collection(named name: String, random: UInt64) -> WebAddress {
        var slug = ""
        for scalar in name.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9": slug.unicodeScalars.append(scalar)
            case _ where scalar.properties.generalCategory == .nonspacingMark: break
            case _: if !slug.isEmpty, !slug.hasSuffix("-") { slug.append("-") }
            }
        }
        let short = slug.prefix(WebAddress.longestSlug)
        let readable = short.hasSuffix("-") ? short.dropLast() : short
        let home = path.hasSuffix("/") ? path : path + "/"
        return with(path: "\(home)\(readable.isEmpty ? "list" : readable)-\(String(random, radix: 36))/")
    }
}
