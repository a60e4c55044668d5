@main
struct Tapline {
    static func main() {}
}
