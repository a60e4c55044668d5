// Written by Hardware/Watch/Graphics/generate-font: change that and run it again.
// Glyphs as ASCII bytes of literals. `GlyphTables` says what they mean, and why the getters look like this.

/// Source: X11 misc-fixed 9x15, as in Debian's xfonts-base. "Public domain font. Share and enjoy."
enum RowFontTable {
    /// 2,357 bytes.
    static var bytes: StaticString {
        @export(interface) @inline(never) get {
            """
            D\u{9}\u{2}\0}\u{3}}\u{1}F\u{7F}`\0\0  DDEE\u{7F}\u{7F}\u{10}\u{10}E\0\u{8}\u{8}\u{4}\u{4}GD\u{7F}dFFHHF \
            \u{7F}P\u{2}\u{4}\u{1}\u{1}\u{7F}p\u{7F}aLLJ\u{10}\u{7F}^\u{7F}H$\u{18}\u{11}\u{A}GG\u{1F}D\u{7F}DM\u{4}$$\
            O\u{7F}@@00\u{A}\u{11}\u{8}\u{10}\u{7F}_P H\0D\u{1F}!!\u{1}T\u{7F}hQEPFHE\u{1F}G\u{4}f\u{7F}XU\u{1}\u{C}\\\
            X\u{8}j \u{12}\u{11}N\u{1F}MM/V!\u{1E}o5oZo?o)o7nPX`\u{16}\u{1F}f\u{5}f*f\u{F}f\u{7}fAftfHfCr0_\u{9}kUkzk_\
            kIkWe \u{16}\u{2}cEcjcOcGd:\u{4}@s=)\u{2})\u{B}(v(w(n)\u{3}q`*\u{1F}+++K+6+.n\u{6}n%{\u{1B}n\u{7}1H0m1K1k1\
            V1=1N\u{8}H1C5+5K565-8\u{6}Vp7mii(zo:(ri\0t m\u{1A}*+l/*\u{16}bA*'lv*\u{C}W@*\\r0opYI+:]z+2Ya+G\u{17}N+N]v\
            +,k\u{F},Vk\u{A},Raq,g\u{18}_q\u{10}`?-5g`\\@zI{\u{1C}[t{\u{1E}fEn\u{A}\u{19}}n#\\!n\0V v\u{10}u%u@x\0xPj \
            a*gD\u{1B}o/T]\u{10}g\u{12}\u{1C}\00\u{1}sP/l_P1\u{1B}w0y X\u{10}0|UP\u{1D}\u{1F}1\u{1F}ka1ZkZ1Rk`1YZ\0p@^\
            j3[v`yp^F3<mj4+mO4\u{16}ZP4\u{1F}mF4\u{C} n4nhF4p k4Qc95\u{1C}cQ5\u{1E}cJ52b`54cP58!I5N6?6Vd\u{1F}7vd\
            \u{17}e\u{A}8[[ 8\\df8<s\0\u{4}?\u{4}y\u{5}*\u{5}f\u{6}\"\u{6}X\u{7}\u{11}\u{7}H\u{7}z\u{8}0\u{8}c\u{9}\
            \u{1D}\u{9}T\u{A}\u{D}\u{A}C\u{A}x\u{B}=\u{B}k\u{C}B\u{D}\u{8}\u{D}?\u{D}u\u{E}.\u{E}x\u{F}O\u{10}\u{16}\
            \u{10}9\u{10}e\u{11}\u{F}\u{11}-\u{11}M\u{11}r\u{12}\u{19}\u{B}~\0-~\0PREF\u{C}b$M\0\u{12}\u{12}?\u{12}\
            \u{12}?\u{12}\u{12}`\u{4}\u{1F}O$\u{14}\u{E}\u{5}`O\u{1F}\u{4}`S))\u{12}M\u{9}\u{7F}R\u{7F}R!E\u{18}b\\t%\
            \"%t\0R8~\0\u{8}JpJ\u{8}A~\0 JXLJ <\u{4}O\u{15}\u{E}\u{15}O\u{4}!EaIa\u{1C}QeJ \u{F}jI\u{A}Qe<@U\u{2}M\
            \u{8}J 3\u{E}\u{11}^G\u{11}\u{E}<\u{4}\u{C}\u{14}$MaI*rmg IEI@\u{1}\u{2}\u{7}d@kE\u{1}\u{3}\u{5}\u{9}\
            \u{11}!Iu3IF|d@k*\u{F}\u{10}F|z<I@U\u{2}\u{2}MLN\u{E}\u{11}D\u{11}\u{E}\u{11}G\u{11}\u{E}<\u{1F}NWZd\u{1}\
            \u{1E}\u{1C}KeKe.KeKeJ :TgF\u{10}\u{8}\u{4}\u{2}!HIEIC \u{10}\u{8}\u{4}\u{2}Tg <r@\u{1}\u{2}M\0\u{4}Wr\
            \u{7F}gn\u{7F}i\u{7F}fF\u{1F}!sNINN>!D!>!G!>\u{18}_pk3>!^G!>*IR>PI!IR>i*_R\u{7F}cz!^IGN\u{1F}>XX>=\u{7F}GU\
            Uu}xWD!\"$8($\"!D\u{18}PiIWG\u{7F}q\u{7F}j\u{7F}jOON<GVncbWN!\u{1F}^^\u{1F}!?N?iE\u{1F}^GnO\u{1F}\u{2}A<?N\
            ?$\"!G<r \u{1C}\u{3}@G\u{1F}!I{Ma\u{18}^Gz<N\u{11}\u{11}]\u{A}\u{A}\u{4}<^OOOcj\u{11}*G]MfG!G]{M3I@mgFI0~\
            \0<Pp<< J\u{8}M\u{2}U@9~\0<{{M<\u{F}sD+oIQq &~\0 \u{10}\u{8}<K\u{1F}dhDWZ*R|NV/!K_Rk<d@ZWNWZ*KrIF\u{1F}3\
            \u{7}[[L>X<KZl} r\u{1F}!R|GN(\u{18}E8w>;\u{3}E\u{7}Uul}ERD#,0,#D\u{1F}8XX>EK;OOOOOD!K|GN\u{18}Krz3K|NV/REK\
            ZWNWZd@3K'tSJJ3K_ \u{1F}@k3\0L?X[\u{7}*KlllZ3KG\u{11}]\u{A}\u{4}<KGOOcj\u{11}*KD]sDDKll!#\u{1D}\u{1}}*KImg\
            IL~\0\u{E}Y\u{8}e\u{8}Y\u{E}$~\0PPPU~\08a\u{8}\u{6}\u{6}\u{8}a8\u{18}tO#\u{B}~\0-~\0FEPRME\u{2}\u{1E}%$()\
            \u{1E}\u{10}E\u{7}[L>L\u{18}n\u{17}*\0k\u{11}\u{11}_3G]\u{1F}\u{4}\u{1F}a\u{12}i\0iB\u{18}$ \u{18}b\\\u{4}\
            \\\u{1F}~\0\"\"a\u{F}S&)()&S\u{F}Qi:\u{18}$\u{1C}$\u{1E}\0>E\0`\u{9}\u{12}b\u{12}\u{9}`\u{17}H?u\u{D}j>a\
            \u{F}S.).*)S\u{F}Qi\u{5}?\u{15}\u{18}$\\*aIa\0I0\u{18}$\u{4}\u{18} <'\u{18}$\u{8}\u{4}\\\u{1D}~\0g EKGN\
            \u{7F}q\u{7F}nFrh\u{7F}b\u{7F}b\u{7F}bZBBBBB\u{A}He\u{C}ov\u{1D}\u{10}0Y81\u{1C}\"\"\u{1C}\0>N\0$\u{12}\
            \u{9}``\u{9}\u{12}$`\u{10}0JS\u{7F}yB`\u{7F}FA`\u{10}0J\u{13}\u{7F}|@\u{3}\u{4}\u{7F}G`\u{18}$\u{8}\u{4}cY\
            B`\u{7F}FA<\u{4}\0Mg G\u{1F}\u{F}jI,jIQq0\u{13}\u{10} e\u{13}e\u{10} \u{1F}\u{12}$66\u{1F}66\u{12}$1K\
            \u{1C}>>>\u{1C}\u{18}Q\0OW\0\u{7}[\u{10}>\u{10}>\u{10}[\u{7}iIDW\u{7F}b\u{7F}bchnVI|~\00\u{10} \0\u{7F}W\
            \u{18}JYQ\0pi\u{7F}{SSSSSSS\u{7F}T;<\0R|GV/RN~]\u{4}>!GN!>W~]\u{4}GVncbWGN\u{7F}[bb?b$\u{7F}g3\0IR>RI<hb$'\
            bbhN_F\u{1F}dG\u{1F}\u{6}\u{12}\u{C}W~\0\u{6}\0I@mg I1\0>XL\u{8}>a\u{10}<\u{10}\u{7F}W\u{18}JYQ\0p<~\0]\
            \u{4}PRI3EIF>RI3E?N?!GNEDVnOcbWDW~\0mGVncbWD!ENI^!EPRI3\0_F\u{7F}cz!\0_ik<~\0\u{6}\u{9}\u{6}^z\u{18}E^z!EG\
            ]{3EImg I*ED]sD3EIJ\u{1E}YI(E>XL>(E8XL>bJI\u{10}hJYjF0PR!EI{aFsNINdQq 3\0\u{E}\u{11}NINEKD!\"<\"!D<E_F\
            \u{7F}cG\u{1F}*E\u{1F}^G\u{1F}!ErRk!E_Pk<E_ \u{1F}@G\u{1F}\u{1F}K8w>N~\0\u{E}\u{11}\u{E}fGIN3E\u{E}\u{11}G\
            INX@C@ZWNWZq EK\u{1B}Ocg$O\u{1B}`~\0T\u{6}\0Zl} _\u{1F}EK\u{1B}O`\u{1F}$c[X\u{1F}SJ8YS\u{1F}HKp2\u{E}\
            \u{11}J0JYOY\u{14}\u{18}0YhQq aK\u{1F}dhDWZdQq 3E\u{7F}GUu}`~\0\u{2}\u{5}[\0\u{7}Uul}|tE\u{7F}Yw>\0\u{4}CE\
             EPiahYhySJvKRHFaJ\u{18}\u{14}ySY\u{8}\\EPp|\u{10}S\u{11}\u{12}\u{1C}\u{14}yS\u{10}vE Q sJJ\u{7F}Q\u{16}\
            \u{18}\u{16}\u{7F}Q\u{10}vxxXK\u{7F}W\u{18}JY\u{8}\\qpFK\u{7F}S\u{C}wvqF)E\u{1F}{M\u{1F})K\u{1C}Ma\u{1F}\
            \u{1D}~ \u{10}\u{8}\u{1F}~\"\u{14}\u{8}\u{1F}~\0\"\"\u{16}~\0>\u{1F}~\0\"\u{1C}&~\0 \u{10}\u{8}\u{3}b\
            \u{1F}~\u{8}\u{14}\"!~\0t'\u{D}\"\u{1C}(~\0\u{8}\u{14}\"\u{E}\u{19}&\u{F}t'\u{E}\0?!~s\0D*E\u{1F}N?R\u{D}j\
            6{~\0@\0\u{1}BB``[[\u{10}\0 EE@\0\u{2}TL\0 \u{C}ov\u{1E}~\u{10}\u{8}\u{4}\u{17}~]\u{4} ~\0\u{11}\u{11}1~\0\
            \u{12}\u{C}\u{14}\u{2}\u{17}~\0\u{1F} ~\0\u{11}\u{E}'~\0\u{10}\u{8}\u{4} ~\0]\u{4}\u{D}\u{12}\u{12}\u{E}\
            \u{11}\u{11}\u{E}~s!~\0[\u{11}\u{5}\u{1F}\u{E}\u{11}\u{E}&\0\u{18}Q\u{10}\u{18}\u{16}\u{C}\u{12}\u{C}\
            \u{1E}~\0\u{4}g\u{17}~\0s\u{18}\u{7F}L\u{13}\u{E}\u{9}\u{12}\u{F}[\u{11}\u{E}\0\u{1F}\u{E}K\u{1B}\u{16}KT\
            \u{10}\u{14}o\u{10}\u{18}(Q\0\u{2}\u{12}\u{C}\u{1F}o\u{6}\u{12}\u{C}!~[\u{5}\u{2}\u{15}~\0\u{C}(~\0\u{8}\
            \u{4}\u{2})~\0\u{6}\u{9}\u{6}\u{16}~T\u{8}!~\u{2}\u{5}[\u{1F}~\0T\u{8}\u{C}\0\u{C}C\0\u{4}\u{E}\u{4}K\u{4}\
            \u{E}\u{4}\u{15}o\u{8}\u{C}\u{E}~m\u{17}~\0m\u{D}\0\u{6})Em\u{2}u\u{6}\u{16}o\u{4}\u{6}\u{18}o`\u{3}\u{16}\
            K\u{2}\u{2}\u{E}KU
            """
        }
    }
}

/// Source: X11 misc-fixed 8x13B, as in Debian's xfonts-base. "Public domain font. Share and enjoy."
enum TitleFontTable {
    /// 2,154 bytes.
    static var bytes: StaticString {
        @export(interface) @inline(never) get {
            """
            D\u{8}\u{1}\0}\u{3}}\u{1}B\u{7F}q\0\0DD00\u{7F}YE\0\u{7F}\u{7F}\u{18}\u{18}\u{C}\u{C}EE\u{7F}yFFAA\u{7F}sH\
            HGGD\u{1F}\u{7F}uKKFD\u{18}0\u{6}\u{C}\u{6}\u{6}\u{7F}_\u{7F}]G033MMLLF\u{1F}66\u{1F}F\u{1B}\u{E}\u{7F}wQ\
            \\PA\u{18}<\u{18}\u{C}\u{E}\u{1B}\u{7F}}\u{7F}vN\u{1F}EI8V\u{3}Y\u{7F}p\u{7F}G_ERROD\u{7F}rE?\u{1F}D\u{7F}\
            M\u{7F}FqJUUJ\u{1B}popppdpep]pn\u{8}\u{1B}W@c_c`cTcMj(jCj.j$_\0d%h\u{B}h\u{D}g~g\u{7F}gy7=eph_h`hThMkpV o_\
            (\u{7F})\0(t(u(m(~m0i\0+?+@+4+-jxj}x\u{E}x\u{4}q\u{10}1\u{5}1_1`1T1U1M\u{8}C1G5?5@545-8\02\u{C}7ml1(xpb(rY\
            0sPfz*,f^*\u{14}fx*)f[*\u{10}a\u{B}t;X\u{10}q`Zq+7c9+\u{19}ci+I\u{17}F+Fc\0+0g.,TUP,9gH,i\u{18}g,\\eD9ua@X\
            `vgxbvjxcvcx`\u{19}z-z_Pn\0/V.5uqvA\u{1B}\u{8}/\u{8}dP[p` \u{1B}w/X\\[w2\u{1C}\00\0r0tp[Z1\u{1C}\u{1C}x0x[\
            ;1\00z\u{1D}\u{1E}1\u{1E}h\u{1}1Wg|1Rgf1?Vpl`Z-3P\u{1F}838Z\u{1B}3@i}s4ins) '4'iks& w4wb\u{12}p\u{B} T4S]\
            \u{7F}55^\u{1}51]|52]\u{10}5B]f5\u{1F}!F5F6A6T^57t^18Po\u{4}8Yo\u{B}8@nvo \u{4}?\u{4}u\u{5}(\u{5}a\u{6}\
            \u{18}\u{6}O\u{7}\0\u{7}.\u{7}`\u{8}\u{13}\u{8}C\u{8}t\u{9}%\u{9}_\u{A}\u{1B}\u{A}Q\u{B}\u{11}\u{B}E\u{C}\
            \u{11}\u{C}I\u{D}\u{1}\u{D}8\u{D}w\u{E}1\u{E}l\u{F}\u{C}\u{F}(\u{F}J\u{F}n\u{10}\u{4}\u{10} \u{10}C\u{10}^\
            \u{A}~\0\u{19}S]\0G\u{C}bb>\0\u{1B}\u{1B}J}J}\u{1B}^\u{4}\u{1F}U4<\u{1F}r\u{7F}EU\u{1F}\u{4}NN\u{7F}i;ZL\
            \u{7F}[vQ6I\u{1E}^\u{1E}Q3[\u{1}S,YK]K\u{C}\u{6}40\u{18}LZ\u{6}LX6E\u{4}\u{4}J\u{E}j\u{11}%EL??L+ME<\u{1C}\
            \u{1C}X\u{D}n?\u{1B}MIh\u{18}.@Pp\u{18}G \u{1E}jOFd-\u{C}\u{1C}<`L?&cApXJ6JA\u{3}\u{6}\u{F}gTF\u{3}\u{7}\
            \u{F}\u{1B}^J\u{3}\u{3}\u{3}.JG?NgT6\u{F}\u{18}G?NFm&JP\u{3}Z`\u{1E}cTO\u{1F}>\u{1F}QFQ[P\u{3}\u{1E}+Eh\
            \u{18}Eh\u{18};Eh\u{18}\0<\u{1C}\u{1C}X-\0pXi\u{6}\u{3}\u{15}M?w-\00i\u{6}pX.cA\u{3}Z\0Z^\0\u{1F}JQe\u{7F}\
            t\u{7F}te8[&\u{E}\u{1F}WJO.?RH\u{1F}t?.\u{1F}NDSDm\u{1E}?tt?&J]>SJ&J]>S0\u{1E}c]Qa\u{16}OJu\u{1B}<VV<&CPPP\
            a>F36<<63F\u{16}SS{.F\u{7F}{JUu>FNNkeQQF\u{1E}\u{1F}OO\u{1F}\u{1E}?O?S.\u{1F}OWe\u{1F}A.?W?>^F&c0\u{1F}Pa\
            \u{1D}?``\u{C}\u{16}OOT.O\u{11}\u{1B}d\u{E}\u{4}\u{1E}OF|}.F\u{1B}dj\u{1B}F-^3\u{1E}\u{1E}`\u{C}.JPp\u{18}\
            GJ$>SS0>6 Gi\u{6}\u{3}P@4>ZZZZ\u{6}>\u{16}\u{4}jD\u{E}sJ\u{B}0i.I\u{1F}A[Ff.]7NWN7&I\u{1F}N]m&g\\QWf&IcJ0T\
            .\u{F}HK\u{18}?V>I[^3\u{1E}<\u{1F}T\u{1E}]7Nu#\0K\0o<6\0P\0CPPa>]36<<63D\u{13}oV<&I\u{1B}J|W\u{1E}I7Nu\
            \u{1E}I\u{1F}OT6I7NWN7G.I\\QWfP&I7NS0.Ix\u{18}\u{E}\u{3}T.V?K\u{18}H\u{F}\u{16}Iuf\u{1E}IO\u{1B}d\u{1E}IW|\
            }&IFd\u{1B}F&IOfAT&IJpXJ=\u{F}Ki8\u{C}K\u{18}\u{F}\u{11}SSG=<ZY\u{7}\u{C}Z\u{6}<&\0\u{7F}\\J'\u{A}~\0\
            \u{19}G\0S]E\0\u{4}\u{1F}5445\u{1F}\u{4}F\u{F}HK?Kh\u{7F}o86ED}\u{11}\u{1B}JD=^3\u{1E}\u{1E}?\u{C}?L\u{11}\
            SESE\u{1E}30\u{1E}^\u{1E}\u{3}3\u{1E}\u{4}b^x\u{7F}n\u{7F}z\u{7F}x\u{7F}z\u{7F}nT4<\u{6}>&>\0>>Ey\u{1B}6,6\
            \u{1B}y-M??\u{1}\u{1}\u{1}\u{C}n>^x\u{7F}n\u{7F}j\u{7F}n\u{7F}l\u{7F}jT\u{D}~?\u{15}\u{1E}^\u{1E}-EL?L\0?#\
            8,\u{C}X<#8,i,8\u{B}\u{C}X.Iu\u{7F}{?Gv\u{7F}O\u{7F}^vvv\u{7F}^\u{7F}NBBBC\u{9}MG#Mn\u{C}$\u{18}\u{1B}\
            \u{18}8Kh4\u{1C}>\">\u{1C}\0>>E6\u{1B}yzy\u{1B}6N\u{18}8K\u{7F}XkCzrAF\u{18}8K\u{1F}kA\u{3}\u{6}rN8,i\
            \u{7F}lNCzrA-L\0LX^\u{1E}\u{D}n?'nJ_M \u{12}X8\u{10}\u{12}\u{10}8X&H3\u{7F}{\u{11}&\u{11}\u{7F}{H3,I\u{1C}\
            >>>\u{1C}7_ll_I  N\0\u{F}H\u{18}>\u{18}>\u{18}H\u{F}v\0J\u{7F}`\u{7F}a\u{7F}b\u{7F}d\u{7F}d\u{7F}h{6~T\0cG\
            QT.\00?W?]6[b67bb[>\u{1F}NS0m\u{6}\u{12}\u{C}>\0?RHkRH?6\u{18}?\u{18}\u{1B}\\tHO\u{E}\u{1F}WJO\u{3}A_M .wF\
            ?>^D.EJG>]JFEDNNkeQQD&\u{3}\u{6}SG{\u{1E}ESG{6~\u{6}\u{9}\u{6}OFT\u{1E}EOFT5E^3\u{1E}\u{1E}L\u{C}.wRkRH?3~\
            K\0<VK<3~\u{C}\u{18}\0oK<\u{1E}wtR?7RJR[tn \u{1D}w`L\u{C}6IJq0>0{.IJG>GJ>IDNkUeQD>I36<<63D\u{1E}IWJW>\0@\
            \u{1F}Q||m 6E\u{1F}NDGDm&ExGQa\u{1E}E\u{1F}Oa\u{16}IOa>E\u{1F}N]m\u{6}\u{12}\u{C}.Ex0\u{1F}PT\u{1B}I<Vh\
            \u{13}Ioh%I3\u{12}\u{1E}`&E\u{E}cJW\u{7F}I\u{7F}[lle6l\u{7F}[MI  E >I\u{1B}lz\u{1F}6l\u{1B}\u{13}Mo<&MJp\
            \u{18}J&\u{F}HKo\u{18}6EK?K\u{18}H\u{F}&I\u{E}cJF.d\u{1E}\u{3}[O\u{1F}GArP\\QFfM NK\u{1A}\u{1E}\u{1C}88\
            \u{18}\u{7F}X[&Mx\u{1C}\u{7}TWI\u{1F}A[Ff\u{3}A_M .Eg\\QDfM\u{1C}\u{C}\u{D}\u{F}\u{E}\u{1C}<,\u{C}\u{1E}\
            \u{1E}ICga&ICPga$E\u{1E}`L\u{1E}$E\u{1C}`L\u{1E}$I\u{1C}`\u{C}\u{1E}\u{1C}M\u{1C}`\u{1E}\u{D}~^\u{14}~6\
            \u{1C}\u{15}~!\u{1E}\u{4}b\u{14}~\u{1C}6\u{16}~H3\u{14}~\u{1A},\u{A}0\u{18}\u{6}T\u{5}?>[>b6\0b6e\u{9}\0G\
            \u{2}X\u{C}\u{1C}6\u{E}H3\u{14}\0\"\u{1C}\u{1E}~j\0D\u{14}\0\u{1A},\u{5}w\u{D}I3#\0K\0o\u{C}.rPPPgTNE@\0\
            \u{2}\u{4}\u{4}\u{4}\u{8}\0 \u{A}sX\u{15}~\u{1B}\u{1B}\u{1A}~\u{18}\u{8}\u{10}\u{D}~d\u{15}~\u{11}\u{E}\
            \u{D}\u{1B}\u{1B}\u{D}~j\u{15}~\u{D}\u{16}\u{5}d\u{5}\u{1F}\u{D}\u{11}\u{E}\u{B}\u{C}\u{18}\u{5}j\u{D}\
            \u{D}\u{16}\u{D}\0d\u{D}\0\u{1F}\u{E}\0[\u{D}\0j\u{B}si\u{14}~\u{C}\u{6}\u{14}~Y\u{E}\u{C}~Y\u{1D}~\u{6}\
            \u{9}\u{6}\u{C}\u{C}\u{6}\u{4}Y\u{E}\u{7}y\u{15}\u{6}\u{9}\u{6}\u{1B}ELIL\u{C}\0YN\u{3}z\0\u{6}\u{B}\u{3}\
            \u{3}\u{3}\u{3}\u{3}\u{15}s\u{C}\u{F}\u{C}sY\u{C}~Z\u{4}Z\u{15}~\u{3}\u{6}\u{C}\0Z\u{D}\u{3}\u{6}\u{1B}n\
            \u{4}\0\u{4}\u{16}sA\u{7}6EA\u{3}\u{3}\u{3}g\u{3}\u{15}I\u{3}\u{3}
            """
        }
    }
}

/// Source: X11 misc-fixed 6x10, as in Debian's xfonts-base. "Public domain font. Share and enjoy."
enum SmallFontTable {
    /// 591 bytes.
    static var bytes: StaticString {
        @export(interface) @inline(never) get {
            """
            D\u{5}\u{1}\0[\0[\0`\"\"  \0\0\u{8}\u{8}D\"\u{8}\u{10}E \"\u{1C}\u{1C}\"\u{10}\u{10},2\u{10}8\u{14}\u{8}\
            \u{10}\u{8}\u{4}I&\u{1A}\u{2}KO\u{10}F\0** \u{1C}\u{1C}D\u{12}\u{12}\u{10} \u{4}\u{4}\u{2}\u{2}R P\u{14}MO\
            GGFVFNFDF\u{1C}EJ>\u{14}>\u{2}*$$\"\u{8}\u{14}\0U\0s\u{1}\u{1A}\u{1}=\u{1}i\u{2}\u{E}\u{2}9\u{2}b\u{3}\
            \u{A}\u{3}+\u{3}X\u{4}\u{1}\u{4}(\u{6}~\0\u{A}f\0 \u{C}(((\u{18}\u{14}\u{14}gg\u{14}\"\u{8}\u{1C}(\u{1C}\
            \u{A}\u{1C}\u{8}\u{13}\u{12}*_i\u{1D}\u{10}((\u{10}i\u{1A}\0J\u{C}IJQ\u{16} \u{10}GI \u{18}\0\"\u{14}g\"\
            \u{13}\0G>G\u{C}b\u{18}[\u{9}V>\u{7}bU\u{E}]RE\u{E}kHP\u{1D}\u{8}\u{18}(G\u{8}>\u{18}L\u{2}\u{C}[>\u{13}h\
            \u{4}\u{C}T\u{1D}\u{4}\u{C}\u{14}$>\\\u{13}> NT\u{13}\u{C}[NK\u{13}h\u{4}R\u{10}\u{E}YY\u{1C}\u{18}LS\u{2}\
            \u{4}\u{18}\u{7}ll\u{11}l\0\u{18}[\u{D}^Q\u{4}\u{13}F>\0>\u{D} Q^\u{18}L\u{4}G\0\u{8}\u{18}L&*,X\u{13}kD>D\
            \u{18}<Z\u{1C}Z<\u{E}LJK\u{18}<ZZ\u{12}<\u{18}>E<E>\u{13}>E<J\u{13}LE&K\u{E}H>H\u{C}8M`\u{18}\u{E}\\\\$\
            \u{18}\u{1D}\"$(0(j\u{13}EEE>\u{13}D6*H\u{18}D2*&D\u{E}YH\u{1C}\u{13}<D<J\u{18}YD*\u{1C}\u{2}\u{18}<D<(j\
            \u{E}LXT\u{E}>aG\u{13}DDD\u{1C}\u{13}H\u{14}\u{14}P\u{13}HW6\"\u{E}D_D\u{E}D\u{14}a\u{E}h^>\u{C}8f8\u{13}E\
            Q\u{4}]\u{11}8a\u{8}8\u{9}k\"\u{E}Fb>\u{B}~ \u{10}\u{18}e\u{2}\u{1E}\"\u{1E}\u{18}EN\"2,\u{13}FL K\u{18}]\
            \u{1A}&\"S\u{13}FL>X\u{1D}\u{C}\u{12}\u{10}<M\u{10}\u{18}F\u{1E}D\u{1E}T\u{E}ENH\u{11}\u{10}\00`&\u{4}\0\
            \u{C}\\\u{4}$$\u{18}\u{18}E\"$8j\u{C}0M`\u{18}F4W*\"\u{9}cH\u{E}eH\u{1C}\u{18}c\"2,E\u{1D}F\u{1A}&\"S]\
            \u{9}cJ\u{13}eX\u{2}<\u{18}M<M\u{12}\u{C}\u{E}FHS\u{E}d\u{14}P\u{E}dW\u{14}\u{13}F\"_\"\u{E}dST\u{13}F>R>\
            \u{17}\u{C}Q0I\u{C}\u{5}Ef\u{17}0I\u{C}Q0\u{9}\u{12}i\u{1D}>\"&W2>
            """
        }
    }
}

/// Source: drawn by generate-font.
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
