#!/usr/bin/env bats
# Lists on calendar servers: two phones and a third program at Radicale and at Xandikos, real ones on loopback.
load ../Support/command
load ../Support/radicale

# A command of one of the phones: `of ann list`.
of() {
    local name=$1
    shift
    "$TAPLINE" phone "$@" --database "$work/$name.sqlite" --sockets "$work/sockets"
}

todo() {
    printf 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Third//EN\r\nBEGIN:VTODO\r\nUID:%s\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:%s\r\n%sEND:VTODO\r\nEND:VCALENDAR\r\n' "$1" "$2" "${3:-}"
}

# Adds the server's account to each of the phones.
join_server() {
    local name
    for name; do printf secret | of "$name" account add "http://$server" --user ann > /dev/null; done
}

# Syncs each of the phones, one after the other.
sync_phones() {
    local name
    for name; do of "$name" sync > /dev/null; done
}

# The titles of a phone's list, sorted, those that are checked off with an x.
titles() {
    of "$1" list --list "$list" --all --json | json '" ".join(sorted(item["title"] + (" x" if item["state"] == "checked" else "") for item in it["items"]))'
}

# The amount and the note of an item of a phone's list.
details() {
    of "$1" list --list "$list" --all --json | title=$2 json '"|".join(str(item.get(key)) for item in it["items"] if item["title"] == __import__("os").environ["title"] for key in ("amount", "note"))'
}

# Two phones and a third program do everything on either side. The collection is at $collection, its list is $list.
do_everything() {
    of ann add --list "$list" Milk Eggs > /dev/null
    of ann sync > /dev/null
    third PUT "$collection/third.ics" "$(todo third Bread $'CATEGORIES:Bakery\r\nX-SHELF:7\r\n')" > /dev/null
    of bob sync > /dev/null
    expect_equal "Bread Eggs Milk" "$(titles bob)" "all three are there"
    of bob check --list "$list" bread > /dev/null
    of bob rename --list "$list" eggs "Ten eggs" > /dev/null
    of bob remove --list "$list" milk > /dev/null
    sync_phones bob ann
    expect_equal "Bread x Ten eggs" "$(titles ann)" "a check-off, a new title and a deletion arrive"
    third GET "$collection/third.ics" > third.ics
    for line in CATEGORIES:Bakery X-SHELF:7 STATUS:COMPLETED PERCENT-COMPLETE:100; do
        has_text third.ics "$line" || complain "$line is not in $(cat third.ics)"
    done
    of ann describe --list "$list" "ten eggs" --amount "2 boxes, 1,5 €" --note "the large ones; brown" > /dev/null
    sync_phones ann bob
    expect_equal "2 boxes, 1,5 €|the large ones; brown" "$(details bob "Ten eggs")" "amount and note arrive"
    third PUT "$collection/third.ics" "$(todo third Bread $'CATEGORIES:Bakery\r\nX-SHELF:7\r\nDESCRIPTION:Sliced.\\nNot too dark\r\nSTATUS:COMPLETED\r\n')" > /dev/null
    sync_phones bob ann
    expect_equal "None|Sliced. Not too dark" "$(details bob Bread)" "what another program says is the note"
    of bob describe --list "$list" bread --amount 2 > /dev/null
    sync_phones bob ann
    expect_equal "2|Sliced. Not too dark" "$(details ann Bread)" "an amount beside it"
    third GET "$collection/third.ics" > third.ics
    has_text third.ics 'DESCRIPTION:2\nSliced.\nNot too dark' || complain "the lines of others are not in $(cat third.ics)"
    of ann uncheck --list "$list" bread > /dev/null
    sync_phones ann bob
    expect_equal "Bread Ten eggs" "$(titles bob)" "a reopened item arrives"
    third DELETE "$collection/third.ics" > /dev/null
    sync_phones ann bob
    expect_equal "Ten eggs" "$(titles ann)" "what the third program deletes is gone"
    expect_equal "Ten eggs" "$(titles bob)" "and on the other phone"
}

@test "two phones and a third program at radicale" {
    local list=Food collection=ann/food
    start_radicale
    make_collection
    join_server ann
    printf secret | of bob account add "http://$server/ann/food/" --user ann > /dev/null
    expect_equal 600 "$(stat -c %a ann.sqlite-passwords)" "the passwords are for their owner alone"
    do_everything
}

# Starts Xandikos, which asks for no password; $server is its address. It does not say which port the system has given it.
start_xandikos() {
    command -v xandikos > /dev/null || skip "Xandikos is not installed"
    local port
    start xandikos xandikos -d "$work/xandikos" -l 127.0.0.1 -p 0 --autocreate --defaults --current-user-principal /ann/
    eventually listens "$last"
    server=127.0.0.1:$((16#$port))
}

# Whether a process listens on a TCP port, which is $port then, in hexadecimal digits.
listens() {
    port=$(find "/proc/$1/fd" -lname 'socket:*' -printf '%l\n' | tr -dc '0-9\n' |
        awk 'NR == FNR { own[$1]; next } $4 == "0A" && $10 in own { sub(".*:", "", $2); print $2 }' - /proc/net/tcp)
    [[ -n $port ]]
}

# bats test_tags=nightly
@test "two phones and a third program at xandikos" {
    local list=calendar collection=ann/calendars/calendar
    start_xandikos
    of ann account add "http://$server" > /dev/null
    of bob account add "http://$server" > /dev/null
    do_everything
}

# Puts a list of ann's on the server, which bob sees.
publish_a_list() {
    local list=Camping
    of ann add --list Camping Tent Stove "Käse & <Brot>" > /dev/null
    of ann check --list Camping tent > /dev/null
    of ann account publish Camping --json > published.json
    expect_equal "Camping 1 3 0 None" "$(json '" ".join(str(it.get(key)) for key in ("list", "account", "sent", "waiting", "error"))' < published.json)" \
        "all items are sent"
    of bob sync > /dev/null
    expect_equal "Käse & <Brot> Stove Tent x" "$(titles bob)" "all are on the other phone"
    of bob check --list Camping stove > /dev/null
    sync_phones bob ann
    expect_equal "Käse & <Brot> Stove x Tent x" "$(titles ann)" "and what that one does comes back"
    expect_failure 1 "Error: Camping is kept at http://$server/" of ann account publish Camping
    expect_failure 1 "Nothing" of ann account publish Nothing
    # Others have the same name for it, and take it for a list of to-dos.
    third PROPFIND "$(json 'it["address"].split("/", 3)[3]' < published.json)" > found.xml
    for word in '>Camping<' 'VTODO'; do has_text found.xml "$word" || complain "$word is not in $(cat found.xml)"; done
}

@test "a list of the phone is put on radicale" {
    start_radicale
    printf secret | of ann account add "http://$server" --user ann > out
    has_text out "The server has no list yet" || complain "$(cat out)"
    join_server bob
    publish_a_list
    # Xandikos lets each collection take everything.
    if has_text found.xml VEVENT; then complain "it takes events: $(cat found.xml)"; fi
    # One collection has none in it, and an account that may only read makes none.
    local one
    one=$(json 'it["address"]' < published.json)
    printf secret | of eve account add "$one" --user ann > /dev/null
    of eve add --list Garden Soil > /dev/null
    expect_failure 1 "is a single collection" of eve account publish Garden
    of ann add --list Garden Soil > /dev/null
    printf '[all]\nuser: .+\ncollection: .*\npermissions: Rr\n' > rights
    expect_failure 1 "this account may not create a list" of ann account publish Garden
    # A host that serves sends what is put on the list later.
    printf '[all]\nuser: .+\ncollection: .*\npermissions: RrWw\n' > rights
    start host "$TAPLINE" phone serve --database "$work/ann.sqlite" --sockets "$work/sockets"
    eventually has_text host.out Serving
    of ann account publish Garden > out
    has_text out "Garden: 1 sent" || complain "$(cat out)"
    of ann add --list Garden Seeds > /dev/null
    local list=Garden
    eventually bob_has "Seeds Soil"
    kill -TERM "$last"
    wait "$last"
    kill "${started[0]}"
    of ann add --list Attic Box > /dev/null
    of ann account publish Attic > out 2>&1 && complain "no server is there"
    has_text out "cannot be reached" || complain "$(cat out)"
}

@test "the example shares a list" {
    start_radicale
    ln -s "$TAPLINE" tapline
    printf secret | PATH="$PWD:$PATH" "$top/Tests/Examples/share-a-list" "http://$server" ann Camping Tent Lamp > out ||
        complain "$(cat out)"
    join_server bob
    local list=Camping
    eventually bob_has "Lamp Tent"
}

# bats test_tags=nightly
@test "a list of the phone is put on xandikos" {
    start_xandikos
    of ann account add "http://$server" > /dev/null
    of bob account add "http://$server" > /dev/null
    publish_a_list
}

# A command that is killed wherever it is: the next one completes what it began.
@test "publishing is killed and tried again" {
    local list=Camping delay
    start_radicale
    join_server ann
    of ann add --list Camping Tent Stove > /dev/null
    for delay in 0.05 0.1 0.15 0.2 0.25 0.3; do
        { timeout --signal=KILL "$delay" "$TAPLINE" phone account publish Camping --database "$work/ann.sqlite" \
            --sockets "$work/sockets"; } > /dev/null 2>&1 || true
    done
    of ann account publish Camping > out 2>&1 || has_text out "is kept at" || complain "$(cat out)"
    of ann sync > /dev/null
    join_server bob
    expect_equal "Stove Tent" "$(titles bob)" "all are there, once"
    expect_equal 1 "$(find radicale -name .Radicale.props | grep -c camping)" "there is one collection"
}

@test "a hundred items" {
    local list=Food collection=ann/food
    start_radicale
    make_collection
    join_server ann
    numbered_items 100 | of ann import --list Food - > /dev/null
    of ann sync --json > sent.json
    printf secret | of bob account add "http://$server" --user ann --json > received.json
    of ann sync --json > after.json
    of ann sync --json > idle.json
    of bob check --list Food "Item 50" > /dev/null
    of bob sync --json > one.json
    for file in sent received after idle one; do
        json 'str(it[0]["requests"]) + " requests, " + str(it[0]["bytes"]) + " bytes"' < "$file.json" | sed "s/^/$file: /"
    done
    expect_equal 100 "$(of bob list --list Food --all --json | json 'len(it["items"])')" "all arrive"
    expect_equal 1 "$(json 'it[0]["requests"]' < idle.json)" "where nothing has changed one request says so"
}

@test "a host sends a check off and takes what others change" {
    local list=Food
    start_radicale
    make_collection
    join_server ann bob
    third PUT ann/food/daily.ics "$(todo daily Daily $'DTSTART:20260101T000000Z\r\nRRULE:FREQ=DAILY\r\n')" > /dev/null
    start host "$TAPLINE" phone serve --database "$work/ann.sqlite" --sockets "$work/sockets"
    eventually has_text host.out Serving
    eventually has_text host.err 'Food: "Daily" is left alone: it recurs'
    of ann add --list Food Milk > /dev/null
    eventually bob_has Milk
    of ann check --list Food milk > /dev/null
    eventually bob_has "Milk x"
    kill -TERM "$last"
    wait "$last"
    expect_equal 1 "$(grep -c '"Daily" is left alone' host.err)" "the log says it once"
}

bob_has() {
    of bob sync > /dev/null && [[ $(titles bob) == "$1" ]]
}

@test "a wrong password stops and deletes nothing" {
    local list=Food
    start_radicale
    make_collection
    join_server ann
    of ann add --list Food Milk > /dev/null
    printf 'ann:other\n' > users
    of ann sync > out 2>&1 && complain "a wrong password is taken"
    has_text out "refuses the user name or the password" || complain "$(cat out)"
    expect_equal Milk "$(titles ann)" "nothing is lost"
    printf wrong | of bob account add "http://$server" --user ann > out 2>&1 && complain "a wrong password is taken"
    has_text out "refuses the user name or the password" || complain "$(cat out)"
}

# Stands before Radicale and asks for ann's password, which is in the file password, by Digest alone, as Python's hashlib computes it; a nonce is good for
# five requests. It tells Radicale who it is, and adds a line to the file asked for each request: the way of its header, and the status. $server is
# its address.
start_digest_server() {
    start_radicale --auth-type http_x_remote_user
    cat > digest.py << 'PYTHON'
import hashlib, http.client, http.server, re, sys
behind, realm, nonce, uses = sys.argv[1], "Lists, all", 1, 0
def hashed(*parts): return hashlib.md5(":".join(parts).encode()).hexdigest()
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *_): pass
    def answer(self):
        global nonce, uses
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        given = self.headers.get("Authorization", "none")
        parts = dict((name, quoted or plain) for name, quoted, plain in re.findall(r'(\w+)=(?:"([^"]*)"|([^ ,]*))', given))
        proof = parts and hashed(hashed("ann", realm, open("password").read()), parts["nonce"], parts["nc"], parts["cnonce"], "auth",
            hashed(self.command, self.path)) == parts["response"]
        stale = proof and (parts["nonce"] != str(nonce) or uses >= 5)
        if not proof or stale:
            if stale: nonce, uses = nonce + 1, 0
            status, headers, text = 401, [("WWW-Authenticate", "Negotiate"), ("WWW-Authenticate",
                f'Digest realm="{realm}", qop="auth", nonce="{nonce}", opaque="o", stale={"true" if stale else "false"}')], b""
        else:
            uses += 1
            upstream = http.client.HTTPConnection(behind)
            headers = {name: value for name, value in self.headers.items() if name not in ("Authorization", "Host")}
            upstream.request(self.command, self.path, body, headers | {"X-Remote-User": "ann"})
            response = upstream.getresponse()
            status, text = response.status, response.read()
            headers = [each for each in response.getheaders() if each[0] not in ("Content-Length", "Date", "Server", "Connection")]
        with open("asked", "a") as asked: print(given.split(" ")[0], status, self.command, file=asked)
        self.send_response(status)
        for header in headers: self.send_header(*header)
        if status != 204: self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
    do_GET = do_PUT = do_DELETE = do_PROPFIND = do_REPORT = do_MKCALENDAR = do_MKCOL = answer
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
PYTHON
    printf secret > password
    start digest python3 digest.py "$server"
    eventually test -s digest.out
    server=127.0.0.1:$(head -n 1 digest.out)
}

@test "a server that asks for digest" {
    local list=Food digest=yes
    start_digest_server
    make_collection
    printf wrong | of bob account add "http://$server" --user ann > out 2>&1 && complain "a wrong password is taken"
    expect_equal 1 "$(wc -l < out)" "one line says that: $(cat out)"
    has_text out "refuses the user name or the password" || complain "$(cat out)"
    join_server ann bob
    of ann add --list Food Milk Eggs Tea Bread Rice Salt Jam > /dev/null
    : > asked
    of ann sync --json > sent.json
    expect_equal 8 "$(grep -c '^Digest 20' asked)" "one look and seven items: $(cat asked)"
    expect_equal 1 "$(grep -c '^none 401' asked)" "one challenge: $(cat asked)"
    grep -q '^Digest 401 ' asked || complain "no nonce has become stale: $(cat asked)"
    : > asked
    of ann sync > /dev/null
    sed -i '/^Digest 401/d' asked
    expect_equal "none 401 PROPFIND Digest 207 PROPFIND Digest 207 REPORT" "$(xargs < asked)" "the server is known to want Digest"
    of bob sync > /dev/null
    expect_equal "Bread Eggs Jam Milk Rice Salt Tea" "$(titles bob)" "all arrive"
    # The password is another one now.
    printf other > password
    of ann add --list Food Ham > /dev/null
    of ann sync > out 2>&1 && complain "a wrong password is taken"
    has_text out "refuses the user name or the password" || complain "$(cat out)"
    expect_equal 1 "$(wc -l < out)" "one line says that: $(cat out)"
    expect_equal "Bread Eggs Ham Jam Milk Rice Salt Tea" "$(titles ann)" "nothing is deleted"
}

@test "a certificate of its own is named and any other is refused" {
    local list=Food scheme=https
    openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost \
        -addext subjectAltName=IP:127.0.0.1 2> /dev/null
    start_radicale --server-ssl --server-certificate "$work/cert.pem" --server-key "$work/key.pem"
    make_collection
    printf secret | of ann account add "https://$server" --user ann > out 2>&1 && complain "an unknown certificate is trusted"
    has_text out "certificate is not trusted" || complain "$(cat out)"
    printf secret | of ann account add "https://$server" --user ann --certificate cert.pem > /dev/null
    of ann add --list Food Milk > /dev/null
    of ann sync > /dev/null
    of ann account list | grep -F "1 item" > /dev/null || complain "$(of ann account list)"
}

# A server that answers every request in the same way: how. $server is its address.
start_bad_server() {
    cat > bad.py << 'PYTHON'
import socket, sys
how = sys.argv[1]
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
while True:
    connection, _ = listener.accept()
    connection.recv(65536)
    try:
        if how == "html": connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 19\r\nConnection: close\r\n\r\n<html><body>Hello</")
        if how == "loop": connection.sendall(b"HTTP/1.1 302 Found\r\nLocation: /a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        if how == "half": connection.sendall(b"HTTP/1.1 207 Multi\r\nContent-Length: 900\r\nConnection: close\r\n\r\n<multistatus")
        if how == "huge":
            connection.sendall(b"HTTP/1.1 207 Multi\r\nContent-Length: 104857600\r\nConnection: close\r\n\r\n")
            for _ in range(100): connection.sendall(b"x" * 1048576)
        if how == "none": connection.sendall(b"SSH-2.0-x\r\n")
    except OSError: pass
    connection.close()
PYTHON
    start bad python3 bad.py "$1"
    eventually test -s bad.out
    server=127.0.0.1:$(cat bad.out)
}

@test "what is no calendar server is refused in one line" {
    local how
    for how in html loop half huge none; do
        start_bad_server "$how"
        expect_failure 1 "Error: " "$TAPLINE" phone account add "http://$server/x/" --database "$work/$how.sqlite" --sockets "$work/sockets"
        : > bad.out
    done
    expect_failure 1 "use https" "$TAPLINE" phone account add http://example.org --database "$work/p.sqlite"
}

@test "a title of ten thousand bytes" {
    local list=Food collection=ann/food
    start_radicale
    make_collection
    join_server ann
    third PUT ann/food/long.ics "$(todo long "$(printf 'x%.0s' $(seq 10000))")" > /dev/null
    third PUT ann/food/daily.ics "$(todo daily Daily $'DTSTART:20260101T000000Z\r\nRRULE:FREQ=DAILY\r\n')" > /dev/null
    of ann sync > out
    has_text out "1 left alone" || complain "$(cat out)"
    of ann account list > list
    for file in out list; do has_text "$file" '"Daily" is left alone: it recurs' || complain "$file: $(cat "$file")"; done
    of ann sync --json > sync.json
    of ann account list --json > list.json
    for file in sync.json list.json; do
        expect_equal Daily "$(json 'it[0]["lists"][0]["leftAlone"][0]["item"]' < "$file")" "$file names the item"
    done
    expect_equal 10000 "$(titles ann | tr -d '\n' | wc -c)" "the title is whole"
}

@test "a control character keeps no other item back" {
    local list=Food
    start_radicale
    make_collection
    third PUT ann/food/bread.ics "$(todo bread Bread)" > /dev/null
    third PUT ann/food/tab.ics "$(todo tab $'Vertical\vtab')" > /dev/null
    join_server ann
    expect_equal "Bread Verticaltab" "$(titles ann)" "both are there"
}

# Has a phone serve at sockets of its own, and a watch connect to it, which prints its screen into NAME-watch.out. Says
# "tap 1" to the watch by writing into NAME-commands.
start_wrist() {
    local name=$1 commands
    start "$name-host" "$TAPLINE" phone serve --database "$work/$name.sqlite" --sockets "$work/$name-sockets"
    eventually has_text "$name-host.out" Serving
    mkfifo "$name-commands"
    "$TAPLINE" watch --plain --sockets "$work/$name-sockets" --flash "$work/$name.flash" \
        < "$name-commands" > "$name-watch.out" 2> "$name-watch.err" 3>&- &
    started+=("$!")
    # Open as long as the test runs.
    # shellcheck disable=SC2034
    exec {commands}<> "$name-commands"
}

# Whether the screen of a watch has shown a line last, once its phone has looked at the server.
wrist_shows() {
    of "$1" sync > /dev/null && [[ $(grep -E ', [0-9]+ left$' "$1-watch.out" | tail -n 1) == "$2" ]]
}

@test "a check off on one wrist is gone on the other" {
    local list=Shopping name
    start_radicale
    make_collection
    join_server ann bob
    of ann add --list Shopping Milk Eggs > /dev/null
    for name in ann bob; do start_wrist "$name"; done
    for name in ann bob; do eventually wrist_shows "$name" "Shopping, 2 left"; done
    printf 'tap 1\n' > ann-commands
    eventually wrist_shows bob "Shopping, 1 left"
    printf 'tap 1\n' > bob-commands
    eventually wrist_shows ann "Shopping, 0 left"
    eventually has_text ann-watch.out "nothing to check off"
    expect_equal "Eggs x Milk x" "$(titles ann)" "both are checked off"
}

# The program of others: caldav for Python, in Debian's python3-caldav.
python_caldav() {
    /usr/bin/python3 - "http://$server/" "$@" << 'PYTHON'
import sys, caldav
address, verb, title = sys.argv[1:4]
client = caldav.DAVClient(url=address, username="ann", password="secret")
principal = client.principal()
if verb == "make":
    calendar = principal.make_calendar(name=title, supported_calendar_component_set=["VTODO"])
    for title in sys.argv[4:]: calendar.save_todo(summary=title)
else:
    calendar = next(each for each in principal.calendars() if each.name == title)
    for todo in calendar.todos(include_completed=True):
        properties = todo.icalendar_instance.subcomponents[0]
        print(properties["SUMMARY"], properties.get("STATUS", "NEEDS-ACTION"), "COMPLETED" in properties)
PYTHON
}

@test "a list of the python library caldav is checked off on the watch" {
    /usr/bin/python3 -c 'import caldav' 2> /dev/null || skip "python3-caldav is not installed"
    local list=Shopping
    start_radicale
    python_caldav make Shopping Bread Tea 2> /dev/null
    join_server ann
    start_wrist ann
    eventually wrist_shows ann "Shopping, 2 left"
    expect_equal "Bread Tea" "$(titles ann)" "what the library has made"
    printf 'tap 1\n' > ann-commands
    eventually wrist_shows ann "Shopping, 1 left"
    # The host has sent it, or the sync of the line before.
    of ann sync > /dev/null
    python_caldav show Shopping > shown 2> /dev/null
    expect_equal 1 "$(grep -c ' COMPLETED True$' shown)" "what the library sees as completed in: $(cat shown)"
    expect_equal 1 "$(grep -c ' NEEDS-ACTION False$' shown)" "what the library sees as open in: $(cat shown)"
}

# The history of a phone's list, as words.
events() {
    of "$1" history --list "$list" --json | json '" ".join(entry["event"] for entry in it)'
}

@test "a day offline on both sides is merged and told" {
    local list=Food name
    start_radicale
    make_collection
    join_server ann bob
    of ann add --list Food Milk Eggs Tea Bread > /dev/null
    sync_phones ann bob
    # Neither looks at the server until the evening.
    of ann check --list Food milk > /dev/null
    of ann rename --list Food eggs "Ten eggs" > /dev/null
    of ann add --list Food Salt > /dev/null
    of bob check --list Food eggs > /dev/null
    of bob remove --list Food tea > /dev/null
    of bob add --list Food Rice > /dev/null
    third PUT ann/food/late.ics "$(todo late Jam)" > /dev/null
    of ann sync > told-ann
    of bob sync > told-bob
    of ann sync > /dev/null
    expect_equal "Bread Jam Milk x Rice Salt Ten eggs x" "$(titles ann)" "both days on one phone"
    expect_equal "$(titles ann)" "$(titles bob)" "and on the other"
    has_text told-ann "1 received, 3 sent" || complain "$(cat told-ann)"
    has_text told-bob "1 deleted there" || complain "$(cat told-bob)"
    grep -qE '[0-9] received, 2 sent' told-bob || complain "$(cat told-bob)"
    expect_output "in step" of ann sync
}
