enum AmountUnit {
    /// The units, separated by commas. Each has a singular, a plural and perhaps other spellings. An underscore stands for a
    /// space. LINES.md has the same table.
    static let table = """
        mg mg milligram milligrams milligramm, g g gram grams gramme grammes gramm, dag dag dkg deka dekagramm,
        kg kg kilo kilos kilogram kilograms kilogramm, ml ml milliliter milliliters millilitre millilitres,
        cl cl centiliter centiliters centilitre centilitres zentiliter,
        dl dl deciliter deciliters decilitre decilitres deziliter, l l L liter liters litre litres ltr,
        tsp tsp t teaspoon teaspoons, tbsp tbsp T tbs tbl tablespoon tablespoons, fl_oz fl_oz fluid_ounce fluid_ounces,
        cup cups c, pint pints pt pts, quart quarts qt qts, gallon gallons gal, oz oz ounce ounces, lb lbs pound pounds,
        pinch pinches, dash dashes, splash splashes, drop drops, handful handfuls, knob knobs, stick sticks,
        piece pieces pc pcs, slice slices, strip strips, rasher rashers, fillet fillets filet filets, clove cloves,
        head heads, bunch bunches, sprig sprigs, stalk stalks, rib ribs, ear ears, leaf leaves, pod pods, cube cubes,
        ball balls, loaf loaves, dozen dozen, pack packs, packet packets, package packages pkg pkgs, can cans, tin tins,
        jar jars, bottle bottles, box boxes, bag bags, carton cartons, container containers, tub tubs, tube tubes tuben,
        punnet punnets, roll rolls, bar bars, block blocks, sachet sachets, envelope envelopes, sheet sheets, wedge wedges,
        EL EL esslöffel, TL TL teelöffel, Msp Msp messerspitze messerspitzen, Prise Prisen pr, Schuss Schuss,
        Spritzer Spritzer, Tropfen Tropfen, Handvoll Handvoll, Pfund Pfund, Stück Stück stk, Scheibe Scheiben,
        Zehe Zehen, Stange Stangen, Bund Bund bd, Zweig Zweige, Blatt Blatt blätter, Kopf Köpfe, Knolle Knollen,
        Würfel Würfel, Tafel Tafeln, Rolle Rollen, Päckchen Päckchen pck pckg pkt, Packung Packungen, Paket Pakete,
        Dose Dosen, Glas Gläser, Flasche Flaschen, Becher Becher, Tasse Tassen, Tüte Tüten, Beutel Beutel,
        Schale Schalen, Netz Netze, Kiste Kisten, Kugel Kugeln, Kasten Kästen
        """

    /// Words that say how full a spoon or cup is.
    static let fullness: Set<String> = [
        "level", "heaping", "heaped", "rounded", "scant", "generous", "gestr", "gestrichen", "gestrichene",
        "gestrichener", "geh", "gehäuft", "gehäufte", "gehäufter",
    ]
    /// A number before one of these words is a size or part of a name, not an amount.
    static let sizes: Set<String> = [
        "in", "inch", "inches", "cm", "mm", "m", "ply", "volt", "volts", "watt", "watts", "day", "days", "hour",
        "hours", "minute", "minutes", "min", "year", "years", "percent", "seasons", "plus", "x",
    ]

    private static let rows = table.split(separator: ",").map { row in
        row.split(whereSeparator: \.isWhitespace).map { String($0.replacing("_", with: " ")) }
    }
    private static let places = Dictionary(
        uniqueKeysWithValues: rows.enumerated().flatMap { place, row in Set(row.map(key)).map { ($0, place) } })

    /// The index of the unit with this spelling. Case matters only for a single letter.
    static func place(of spelling: String) -> Int? { places[key(spelling)] }

    /// The plural from `table` if the spelling is a singular there. Otherwise the spelling itself.
    static func several(_ spelling: String) -> String {
        guard let row = place(of: spelling).map({ rows[$0] }) else { return spelling }
        return row[0] != row[1] && key(row[0]) == key(spelling) ? row[1] : spelling
    }

    /// Makes the key for comparing spellings: lowercase, without full stops, and without an ending as in `Prise(n)` or `Dose/n`.
    /// A single letter keeps its case.
    static func key(_ word: String) -> String {
        let stem = word.filter { $0 != "." }
        return stem.count == 1 ? stem : stem.prefix { $0 != "/" && $0 != "(" }.lowercased()
    }
}
