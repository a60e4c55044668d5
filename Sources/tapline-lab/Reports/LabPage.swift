import Foundation
import TapLatency

extension LabReport {
    /// The report as a page that needs nothing but itself: LabPage.html, whose script draws the JSON that is put into it.
    var page: [UInt8] {
        // In JSON, `<` is in strings alone. Escaped it cannot end the element that the report stands in.
        let report = String(decoding: json, as: UTF8.self).replacing("<", with: "\\u003c")
        let page = String(decoding: PackageResources.LabPage_html, as: UTF8.self)
        return Array(
            page.replacing(LabReport.place, with: LabReport.place.dropLast(2) + report, maxReplacements: 1).utf8)
    }

    /// The element of the page that takes the report.
    private static let place = #"<script type="application/json" id="report">{}"#
}
