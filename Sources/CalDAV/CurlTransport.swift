import CCurl
import Foundation
import HostSystem
import Synchronization

/// Sends HTTP requests with libcurl, one at a time. Keeps the connection open for the next request, and always checks the
/// server's certificate.
package final class CurlTransport: HTTPTransport {
    /// The maximum length of an answer's body, in bytes. A longer answer fails with `.tooLarge`.
    package static let largestAnswer = 32 << 20
    /// The maximum time to connect to the server, in seconds.
    static let connectionLimit = 10
    /// How long a transfer may stay slower than one byte per second, in seconds. The request then fails with `.silent`.
    static let silenceLimit = 20
    /// The maximum time from the start of a request to the last byte of its answer, in seconds.
    static let requestLimit = 300

    private let handle: Mutex<CurlHandle>
    private let isOpen = Atomic(true)
    private let certificate: String?

    /// - Parameter certificate: the path of a PEM file. Its certificates are trusted instead of the system's; nil trusts the
    ///   system's.
    package init(certificate: String? = nil) {
        self.certificate = certificate
        handle = Mutex(CurlHandle())
    }

    /// Makes the running request and all later requests fail with `.stopped`.
    package func stop() {
        isOpen.store(false, ordering: .relaxed)
    }

    /// Sends a request on a thread of its own, and returns the answer.
    package func send(_ request: HTTPRequest) async throws(CalDAVError) -> HTTPResponse {
        let result: Result<HTTPResponse, CalDAVError>
        do throws(HostSystemError) {
            result = try await SystemThread.result { [self] in perform(request) }
        } catch {
            throw .unreachable(reason: "\(error)")
        }
        return try result.get()
    }

    private func perform(_ request: HTTPRequest) -> Result<HTTPResponse, CalDAVError> {
        guard isOpen.load(ordering: .relaxed) else { return .failure(.stopped) }
        return handle.withLock { handle in
            handle.perform(request, certificate: certificate) { [self] in isOpen.load(ordering: .relaxed) }
        }
    }
}

private struct CurlHandle: ~Copyable, Sendable {
    /// The address of libcurl's handle; 0 if memory ran out. One thread at a time uses it.
    private let address = UInt(bitPattern: curl_easy_init())

    private var curl: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: address) }

    deinit {
        if let curl { curl_easy_cleanup(curl) }
    }

    func perform(
        _ request: HTTPRequest, certificate: String?, whileOpen isOpen: @escaping @Sendable () -> Bool
    ) -> Result<HTTPResponse, CalDAVError> {
        let answer = CurlAnswer(limit: CurlTransport.largestAnswer, isOpen: isOpen)
        guard let curl else { return .failure(.unreachable(reason: "libcurl has no memory")) }
        tapline_curl_set_text(curl, CURLOPT_URL, request.address.text)
        tapline_curl_set_text(curl, CURLOPT_PROTOCOLS_STR, "http,https")
        tapline_curl_set_text(curl, CURLOPT_ACCEPT_ENCODING, "")
        if let certificate {
            tapline_curl_set_text(curl, CURLOPT_CAINFO, certificate)
            tapline_curl_set_text(curl, CURLOPT_CAPATH, nil)
        }
        tapline_curl_set_text(curl, CURLOPT_USERNAME, request.login?.user)
        tapline_curl_set_text(curl, CURLOPT_PASSWORD, request.login?.password)
        let schemes: Set<AuthenticationScheme> =
            request.login.map { login in
                login.scheme.map { [$0] } ?? [.basic, .digest]
            } ?? []
        tapline_curl_set_schemes(curl, schemes.contains(.basic), schemes.contains(.digest))
        tapline_curl_set_long(curl, CURLOPT_NOSIGNAL, 1)
        tapline_curl_set_long(curl, CURLOPT_CONNECTTIMEOUT, CurlTransport.connectionLimit)
        tapline_curl_set_long(curl, CURLOPT_LOW_SPEED_LIMIT, 1)
        tapline_curl_set_long(curl, CURLOPT_LOW_SPEED_TIME, CurlTransport.silenceLimit)
        tapline_curl_set_long(curl, CURLOPT_TIMEOUT, CurlTransport.requestLimit)
        return withBody(of: request, curl) {
            var list: UnsafeMutablePointer<curl_slist>?
            // With "Expect: 100-continue", a request takes a second longer if the server ignores it.
            for line in ["Expect:"] + request.headers.map({ "\($0.key): \($0.value)" }).sorted() {
                list = curl_slist_append(list, line)
            }
            defer { curl_slist_free_all(list) }
            tapline_curl_set_list(curl, CURLOPT_HTTPHEADER, list)
            let context = Unmanaged.passUnretained(answer).toOpaque()
            tapline_curl_set_taker(curl, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                CurlAnswer.at(context)?.take(bytes, size * count) ?? 0
            }
            tapline_curl_set_data(curl, CURLOPT_WRITEDATA, context)
            tapline_curl_set_taker(curl, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                CurlAnswer.at(context)?.takeHeader(bytes, size * count) ?? 0
            }
            tapline_curl_set_data(curl, CURLOPT_HEADERDATA, context)
            tapline_curl_set_watcher(curl) { context, _, _, _, _ in CurlAnswer.at(context)?.goesOn() == true ? 0 : 1 }
            tapline_curl_set_data(curl, CURLOPT_XFERINFODATA, context)
            tapline_curl_set_long(curl, CURLOPT_NOPROGRESS, 0)
            let code = curl_easy_perform(curl)
            guard code == CURLE_OK else { return .failure(answer.error(of: code)) }
            return .success(answer.response(status: tapline_curl_status(curl), asked: CurlHandle.asked(curl)))
        }
    }

    private static func asked(_ curl: UnsafeMutableRawPointer) -> Set<AuthenticationScheme> {
        var asked: Set<AuthenticationScheme> = []
        if tapline_curl_asked_basic(curl) { asked.insert(.basic) }
        if tapline_curl_asked_digest(curl) { asked.insert(.digest) }
        return asked
    }

    private func withBody<Value>(of request: HTTPRequest, _ curl: UnsafeMutableRawPointer, _ send: () -> Value) -> Value
    {
        guard !request.body.isEmpty else {
            // Ends the POST mode of the previous request.
            tapline_curl_set_long(curl, CURLOPT_HTTPGET, 1)
            tapline_curl_set_text(curl, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
            return send()
        }
        return request.body.withUnsafeBytes { bytes in
            tapline_curl_set_size(curl, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
            tapline_curl_set_data(curl, CURLOPT_POSTFIELDS, bytes.baseAddress)
            tapline_curl_set_long(curl, CURLOPT_POST, 1)
            tapline_curl_set_text(curl, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
            return send()
        }
    }
}

/// Collects the answer to one request as it arrives. Only the thread of the request uses it.
private final class CurlAnswer {
    private enum End {
        case none
        case tooLong
        case stopped
    }

    private let limit: Int
    private let isOpen: () -> Bool
    private var body: [UInt8] = []
    private var headers: [String: String] = [:]
    private var end = End.none

    init(limit: Int, isOpen: @escaping () -> Bool) {
        self.limit = limit
        self.isOpen = isOpen
    }

    static func at(_ context: UnsafeMutableRawPointer?) -> CurlAnswer? {
        context.map { Unmanaged<CurlAnswer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Appends received bytes to the body, and returns `count`. If the body would become too long, returns 0, so that libcurl
    /// ends the request.
    func take(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard let bytes, body.count + count <= limit else {
            end = .tooLong
            return 0
        }
        body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
        return count
    }

    func takeHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            headers = [:]
        } else if let colon = line.firstIndex(of: ":"), headers.count < 200 {
            let name = line[..<colon].lowercased()
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
            headers[name] = value
        }
        return count
    }

    func goesOn() -> Bool {
        if isOpen() { return true }
        end = .stopped
        return false
    }

    func response(status: Int, asked: Set<AuthenticationScheme>) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: body, asked: asked)
    }

    func error(of code: CURLcode) -> CalDAVError {
        switch end {
        case .tooLong: return .tooLarge(megabytes: limit >> 20)
        case .stopped: return .stopped
        case .none: break
        }
        let reason = String(cString: curl_easy_strerror(code))
        return switch code {
        case CURLE_OPERATION_TIMEDOUT, CURLE_GOT_NOTHING: .silent
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_BAD_CONTENT_ENCODING:
            .halfAnswer
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            .certificate(reason: reason)
        case _: .unreachable(reason: reason)
        }
    }
}
