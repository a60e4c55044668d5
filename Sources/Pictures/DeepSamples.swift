import Foundation

/// Samples of 16 bits as libpng gives them: for each pixel its brightness, linear and multiplied by its opacity, and its opacity.
enum DeepSamples {
    /// The bytes of both numbers.
    static let bytesPerPixel = 4

    /// The byte for each linear brightness: libpng has made that with an exponent of 2.2 (PNG_GAMMA_sRGB_INVERSE in its pngpriv.h).
    private static let encoded: [UInt8] = (0...65_535).map {
        UInt8((pow(Double($0) / 65_535, 1 / 2.2) * 255).rounded())
    }

    /// A byte a pixel, as on white paper.
    static func onWhite(_ samples: [UInt16]) -> [UInt8] {
        stride(from: 0, to: samples.count, by: 2).map { index in
            let (brightness, opacity) = (Int(samples[index]), Int(samples[index + 1]))
            return encoded[min(brightness + 65_535 - opacity, 65_535)]
        }
    }
}
