import HostSystem
import Testing

struct RepeatedKeyTests {
    @Test(arguments: [
        (#"{"a":1,"a":2}"#, "a"), (#"{"a":1,"b":{"c":1, "c" : 2}}"#, "c"), (#"[{"a":1},{"b":2,"b":3}]"#, "b"),
        (#"{"a":1,"\u0061":2}"#, "a"), (#"{"":1,"":2}"#, ""), (#"{"a":{"b":1},"a":2}"#, "a"),
        (#"{"a\"":1,"a\"":2}"#, #"a""#), (#"{"a:1":1,"a:1":2}"#, "a:1"), ("{a: 1, 'a': 2}", "a"),
        ("{a: 1, // b: 2\n a: 3}", "a"), ("{/* a: 1 */ a/**/: 1, a : 2,}", "a"), ("{a:-1,b:true,b:null}", "b"),
    ])
    func `A key that an object repeats is found, however it is written`(text: String, key: String) {
        #expect(RepeatedKey.first(in: text) == key)
    }

    @Test(arguments: [
        "1", "\"a\"", "[]", #"[{"a":1},{"a":2}]"#, #"{"a":{"a":1},"b":{"a":2}}"#, #"{"a":"a","b":"a:","c":["a","a"]}"#,
        #"{"a":1,"A":2}"#, #"{"a":"\",\"a\":1"}"#, "{a: 1, /* a: 2 */ b: 3} // a: 4", "{a: 'b:', b: \"a:\"}", "{",
        "\"a",
    ])
    func `Equal keys of two objects, and texts that look like keys, are none`(text: String) {
        #expect(RepeatedKey.first(in: text) == nil)
    }
}
