/// The page's style sheet. It contains no `<`, `>` or `&`, so it needs no escaping.
struct PageStyle: Sendable {
    static let sheet = [colours, text, tables, drawings, narrow, print].joined()

    private static let light = """
        --paper: #fdfdfc; --ink: #1d2530; --quiet: #66707d; --rule: #e3e5e8; --grid: #e7e9ec; --shade: #f4f5f6;
        --neutral: #8b95a2; --good: #2c8560; --open: #b7791f; --bad: #c2453a;
        --neutral-tint: #eceef1; --good-tint: #def1e7; --open-tint: #fbeed3; --bad-tint: #fae2df;
        --neutral-ink: #4d5763; --good-ink: #1a5f43; --open-ink: #7a4e0c; --bad-ink: #92291f;
        --processor: #3f6db5; --panel: #3aa394; --flash: #d39a2d; --haptic: #9362b3; --radio: #d4593f;
        --window: #eab3a3; --phone: #a7afba;
        """

    private static let dark = """
        --paper: #14181d; --ink: #e3e7ec; --quiet: #98a2ae; --rule: #2c333c; --grid: #262d35; --shade: #1b2027;
        --neutral: #7d8895; --good: #4fb58a; --open: #d9a04a; --bad: #e2766a;
        --neutral-tint: #2a3038; --good-tint: #17382b; --open-tint: #3d2e12; --bad-tint: #43201c;
        --neutral-ink: #bcc5cf; --good-ink: #8fdcb8; --open-ink: #f0c883; --bad-ink: #f5aaa1;
        --processor: #6f9de6; --panel: #4dbfae; --flash: #e2b253; --haptic: #b98bd6; --radio: #ec7d64;
        --window: #8c5347; --phone: #727d8b;
        """

    private static let colours = """

        :root { color-scheme: light dark; \(light) }
        @media screen and (prefers-color-scheme: dark) { :root { \(dark) } }

        """

    private static let text = """
        * { box-sizing: border-box; }
        body {
          margin: 0 auto; padding: 56px 40px 72px; max-width: 1040px; background: var(--paper); color: var(--ink);
          font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
          font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%; overflow-wrap: break-word;
        }
        h1 { margin: 0; font-size: 34px; line-height: 1.2; font-weight: 650; letter-spacing: -0.015em; }
        h2 { margin: 0 0 16px; font-size: 22px; line-height: 1.3; font-weight: 650; letter-spacing: -0.01em; }
        h3 { margin: 36px 0 8px; font-size: 16px; font-weight: 650; }
        p { margin: 0 0 12px; max-width: 72ch; }
        code { white-space: nowrap; font: 0.92em ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
        section, footer { margin-top: 64px; }
        .overline { margin-bottom: 8px; color: var(--quiet); font-size: 13px; font-weight: 600; letter-spacing: 0.04em; }
        .quiet { color: var(--quiet); fill: var(--quiet); font-weight: 400; }
        .contrast { display: flex; flex-wrap: wrap; align-items: baseline; gap: 12px 24px; margin: 28px 0 32px; }
        .contrast p { margin: 0; max-width: 15em; }
        .contrast strong { display: block; font-size: 32px; line-height: 1.25; font-weight: 600; letter-spacing: -0.01em; }
        .contrast span { color: var(--quiet); font-size: 14px; }
        .contrast .arrow { font-size: 24px; }
        .contrast .meaning { flex: 1 1 260px; margin-left: 32px; max-width: 38ch; color: var(--quiet); font-size: 14px; }
        .slow strong { color: var(--bad); }
        .fast strong { color: var(--good); }
        .conditions { display: flex; flex-wrap: wrap; gap: 12px 40px; margin: 0; padding: 16px 0; font-size: 14px;
          border: solid var(--rule); border-width: 1px 0; }
        .conditions dt { color: var(--quiet); font-size: 13px; }
        dd { margin: 0; }
        .legend { display: flex; flex-wrap: wrap; gap: 4px 24px; margin: 0 0 16px; padding: 0; list-style: none;
          font-size: 13px; }
        .swatch { display: inline-block; width: 11px; height: 11px; margin-right: 7px; border-radius: 2px; }
        footer { padding-top: 32px; border-top: 1px solid var(--rule); color: var(--quiet); font-size: 14px; }
        footer h2 { color: var(--ink); font-size: 16px; }
        .notes { margin: 0 0 16px; }
        .notes div { display: grid; grid-template-columns: 120px 1fr; margin-bottom: 2px; }
        .notes dt { color: var(--ink); }

        """

    private static let tables = """
        table { width: 100%; margin: 24px 0 0; border-collapse: collapse; font-size: 14px; line-height: 1.45; }
        caption { padding-bottom: 8px; color: var(--quiet); font-size: 13px; text-align: left; }
        th, td { padding: 7px 0 7px 20px; border-top: 1px solid var(--rule); text-align: left; vertical-align: baseline;
          font-weight: 400; }
        tr th:first-child { padding-left: 0; }
        thead th { padding-top: 0; border-top: 0; color: var(--quiet); font-size: 13px; vertical-align: bottom; }
        .figure { text-align: right; white-space: nowrap; }
        thead .figure { white-space: normal; }
        .marks { margin-top: 0; }
        .costs tbody th { white-space: nowrap; }
        .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 56px; }
        .pair div { min-width: 0; }
        .steps th.figure { width: 28px; color: var(--quiet); }
        .steps thead th.figure { width: auto; white-space: nowrap; }
        .steps td, .steps tbody th { padding-top: 12px; padding-bottom: 12px; }
        .steps p { margin: 2px 0 0; max-width: 60ch; }
        .steps .expected, .note { color: var(--quiet); font-size: 13px; }
        .steps small { display: block; }
        strong { font-weight: 600; }
        em { font-style: normal; }
        .chip { display: inline-block; padding: 1px 9px; border-radius: 10px; font-size: 13px; white-space: nowrap; }
        .chip.tone-neutral { background: var(--neutral-tint); color: var(--neutral-ink); }
        .chip.tone-good { background: var(--good-tint); color: var(--good-ink); }
        .chip.tone-open { background: var(--open-tint); color: var(--open-ink); }
        .chip.tone-bad { background: var(--bad-tint); color: var(--bad-ink); }
        .stages thead th:nth-child(1) { width: 19%; }
        .stages thead th:nth-child(2) { width: 11%; }
        .stages thead th:nth-child(3), .stages thead th:nth-child(4) { width: 8%; }
        .part { display: inline-block; margin-right: 18px; white-space: nowrap; }
        .costs, .floor, .firmware { max-width: 620px; }

        """

    private static let drawings = """
        figure { margin: 0; }
        figcaption { margin-bottom: 12px; max-width: 76ch; color: var(--quiet); font-size: 14px; }
        svg { display: block; overflow: visible; font-size: 13px; }
        svg text { fill: var(--ink); paint-order: stroke; stroke: var(--paper); stroke-width: 5px; stroke-linejoin: round; }
        svg .tick, svg .quiet { fill: var(--quiet); }
        svg .tick { font-size: 12px; }
        svg .value { font-weight: 500; }
        svg .marked { font-size: 12px; font-weight: 600; }
        .grid { stroke: var(--grid); }
        .mark { stroke: var(--ink); stroke-dasharray: 3 3; }
        .high { stroke: var(--ink); stroke-width: 1.5px; }
        rect.tone-neutral { fill: var(--neutral); }
        rect.tone-good { fill: var(--good); }
        rect.tone-open { fill: var(--open); }
        rect.tone-bad { fill: var(--bad); }
        .k-processor { fill: var(--processor); stroke: var(--processor); background: var(--processor); }
        .k-panel { fill: var(--panel); stroke: var(--panel); background: var(--panel); }
        .k-flash { fill: var(--flash); stroke: var(--flash); background: var(--flash); }
        .k-haptic { fill: var(--haptic); stroke: var(--haptic); background: var(--haptic); }
        .k-radio { fill: var(--radio); stroke: var(--radio); background: var(--radio); }
        .k-window { fill: var(--window); stroke: var(--window); background: var(--window); }
        .k-phone { fill: var(--phone); stroke: var(--phone); background: var(--phone); }
        .modelled { fill: var(--neutral); background: var(--neutral); }
        .updated { fill: var(--processor); stroke: var(--processor); background: var(--processor); }
        .settled { fill: var(--haptic); stroke: var(--haptic); background: var(--haptic); }
        .spends-little, .spends-some, .spends-most { fill: var(--processor); background: var(--processor); stroke: var(--paper); }
        .spends-little { fill-opacity: 0.13; }
        .spends-some { fill-opacity: 0.3; }
        .spends-most { fill-opacity: 0.52; }
        .swatch.spends-little { opacity: 0.13; }
        .swatch.spends-some { opacity: 0.3; }
        .swatch.spends-most { opacity: 0.52; }
        svg.box { overflow: hidden; pointer-events: none; }
        svg.box text { font-size: 12px; stroke: none; }
        line.curve { stroke-width: 2px; }
        .wide { overflow-x: auto; }
        .essay .note { margin: 2px 0 0; max-width: 70ch; }

        """

    private static let narrow = """
        @media screen and (max-width: 720px) {
          body { padding: 32px 20px 48px; }
          h1 { font-size: 27px; }
          .contrast { gap: 12px 20px; }
          .contrast .meaning { flex-basis: 100%; margin-left: 0; }
          .contrast strong { font-size: 25px; }
          .pair { grid-template-columns: 1fr; gap: 24px; }
          th, td { padding-left: 12px; }
          .stages tr { display: grid; grid-template-columns: 1fr 5.5em 5em 5em; padding: 8px 0;
            border-top: 1px solid var(--rule); }
          .stages thead tr { padding-top: 0; border: 0; }
          .stages th, .stages td { padding: 0; border: 0; }
          .stages thead th:nth-child(n) { width: auto; }
          .stages th:nth-child(n+5), .stages td:nth-child(n+5) { grid-column: 1 / -1; font-size: 13px; text-align: left; }
          .stages td:nth-child(5)::before { content: attr(data-label) ": "; color: var(--quiet); }
          .curve th, .curve td { padding-left: 6px; }
          .notes div { grid-template-columns: 104px 1fr; }
          .steps thead { position: absolute; clip-path: inset(50%); height: 1px; width: 1px; overflow: hidden; }
          .steps tbody tr { display: grid; grid-template-columns: 28px 1fr 1fr 1fr; padding: 14px 0;
            border-top: 1px solid var(--rule); }
          .steps tbody th, .steps td { padding: 0; border: 0; text-align: left; }
          .steps td:nth-child(2) { grid-column: 2 / -1; }
          .steps td:nth-child(3) { grid-column: 2; }
          .steps td:nth-child(n+3):nth-child(-n+5) { margin-top: 8px; }
          .steps td:nth-child(n+3):nth-child(-n+5)::before { content: attr(data-label); display: block;
            color: var(--quiet); font-size: 12px; }
          .steps td:nth-child(6) { grid-column: 2 / -1; margin-top: 8px; }
        }

        """

    private static let print = """
        @media print {
          body { max-width: none; padding: 0; font-size: 10pt; }
          table { font-size: 9pt; }
          th, td { padding: 4px 0 4px 10px; }
          .pair { gap: 0 32px; }
          section { margin-top: 28pt; }
          :root { --paper: #ffffff; }
          .steps td, .steps tbody th { padding-top: 6px; padding-bottom: 6px; }
          h2, h3, caption, figcaption, thead, .legend { break-after: avoid; }
          figure, tr { break-inside: avoid; }
          * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
        }

        """
}
