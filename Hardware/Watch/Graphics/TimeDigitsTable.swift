// Written by Hardware/Watch/Graphics/generate-font: change that and run it again.
// Source: drawn by generate-font.

/// Glyphs as ASCII bytes of a literal; `GlyphTables` says what they mean, and why the getter looks like this.
enum TimeDigitsTable {
    /// 720 bytes.
    static var bytes: StaticString {
        @export(interface) @inline(never) get {
            """
            $\u{1}\0\u{1}=\u{1}=\0\0\u{7F}\u{7F}\0\0$$\u{7F}>\u{7F}_\u{7F}C\u{7F}<\u{7F}A%%\u{7F}O\u{7F}G\u{7F}8\u{7F}\
            0''&&\u{7F}?(())++\u{7F}@,,2&11**  .-33//00-.%\0;*::A)=-665.2$4488,\0C?>>0 (-E+777+55.5*9 0F4<06H221',%W?U\
            GS);D0</@(2&$YVO,NN8B4P3'/'lI-9(_(IePdk\\MTTOBH=F-=4<@;;7%32|(\u{1}G\u{2}\u{14}\u{3}\u{1}\u{3}n\u{4}Y\u{B}\
            %+)X[[294-Q%\u{6}n*bK]f-\u{9}moGGGGZp'/\u{8}B^aDD1;?u\u{6}L`FEK8]\u{D}S=(9\u{7F}{\u{7F}stttT67\u{8}/aDDD:1\
            ;/\0\0\u{C}%+)X2\u{1F}\u{E}K76)xq\u{B}n*biS5xe>'V$\u{C}mo5xe>'*c L9$\u{C}B^a;c 8]/*\\*/\u{C}\0`=J4\u{6}K%\
            \u{F}JPQ%\u{A}n/gB-I(8\0f.\u{D}0'}A5v[EG+Hp'0\u{B},^/zM@Y/C:su\u{5}KRZXqi\u{19}%RZXI\u{7F}~\u{7F}~\u{7F}|\
            \u{7F}|\u{7F}x\u{7F}x\u{7F}p9$RRRR{\u{9}\u{1C}'hhh9$hk\u{1C}\u{8}K8%/*\\*/i\u{D}=JJJJj-EL-J-Q{\u{E}9$<<<<\
            \u{7F}o9*gByV.\u{8}9$8moZ.r0\u{B}0/C/0i @?aMg\u{B}B`.FJ[29$jQ{\u{D})p'*c<\0n*b]yV.\u{B}/3IQ7BmoZ.r0\u{C}BW\
            /;C/] @?aMg\u{5}-(qKKL\u{10}9$8LR76+5)..w4d\u{1F}\u{E}\u{E}9$)..w4d>3scb<,\u{9}/*:Mcb K8%\u{C}%`wJjAUX9$jQ\
            %\u{E}.9*@<y/9$'/OLf-\u{D}0'}.Uv[EG+Hp'/\u{B},^/zM@Y?;:su\u{11}%`X([4-A.)+L\u{F}J(Q7\0\u{C}.9*@<]f-LW/9-\
            \u{E}0'}._Z(9\u{7F}y+vr* \u{A},^CDD\\z?@ L
            """
        }
    }
}
