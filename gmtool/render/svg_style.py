"""How a picture looks: colours that differ in lightness first, and patterns that need none."""

FONTS = {
    "en": "Noto Sans,Helvetica Neue,Arial,Noto Sans CJK JP,Noto Sans CJK KR,sans-serif",
    "ja": "Noto Sans,Hiragino Sans,Yu Gothic,Meiryo,Noto Sans CJK JP,Noto Sans JP,sans-serif",
    "ko": "Noto Sans,Apple SD Gothic Neo,Malgun Gothic,Noto Sans CJK KR,Noto Sans KR,sans-serif",
}
"""Fonts that may be on the computer, the plain ones of each system and script."""
INK, QUIET = "#1d2733", "#7c8694"
LIGHT, DARK, THIRD, FOURTH = (
    ("#e3eefa", "#1c4f8a", "#12365f"), ("#b65a12", "#7c3a06", "#ffffff"), ("#efe6f6", "#6b3f97", "#43235f"),
    ("#3b4a4f", "#1f2a2d", "#ffffff"),
)  # fmt: skip
"""Filling, line and letters of each side."""
_TERRAIN = {
    "solid": ("#c9cdd3", "#8a919c"), "rough": ("#efe8d8", "#b7a784"), "site": ("#dbeae3", "#7fa394"),
    "store": ("#f6ecc9", "#c0a75a"),
}  # fmt: skip


def style(side: float) -> str:
    """The rules for shapes and letters of a picture whose hexes have sides so long, in millimetres."""
    thin, thick = min(0.18, side * 0.03), min(0.45, side * 0.06)
    rules = [
        f"text{{fill:{INK};text-anchor:middle}}",
        f".title{{font-weight:700;text-anchor:start}}.moment{{fill:{QUIET}}}",
        f".rule{{stroke:{INK};stroke-width:.3}}",
        ".paper{fill:#fcfcf9}",
        f".grid{{fill:none;stroke:#c6ccd4;stroke-width:{thin:.3f};stroke-linejoin:round}}",
        f".edge{{fill:none;stroke:{QUIET};stroke-width:{thin * 2:.3f};stroke-linejoin:round}}",
        f".bound{{fill:none;stroke-width:{thin * 1.7:.3f};stroke-linejoin:round}}",
        ".label text{fill:#848d99}",
        *(
            f".label .on-{kind}{{fill:#4d5661}}.label .on-{kind}.rim{{stroke:{tint}}}"
            for kind, (tint, _) in _TERRAIN.items()
        ),
        ".handle{font-weight:700}",
        f".place .name{{fill:{INK}}}#site-sign,#store-sign{{fill:#45505c}}",
        ".zone{fill:none;stroke-width:.4;stroke-dasharray:1.6 1.1}",
        f".lit{{fill:url(#lit);stroke:{INK};stroke-width:.3}}",
        f".path{{fill:none;stroke:{INK};stroke-opacity:.55;stroke-linejoin:round;stroke-linecap:round}}",
        ".number{fill:#2f5c92;font-weight:700}",
        f".rim{{stroke:#fff;stroke-width:{side * 0.07:.2f};stroke-linejoin:round}}",
        *(f".{kind}-tint{{fill:{tint}}}.{kind}{{stroke:{line}}}" for kind, (tint, line) in _TERRAIN.items()),
        f".part{{fill:none;stroke-width:{thick * 0.55:.3f};stroke-dasharray:{thick * 1.8:.2f} {thick * 1.3:.2f}}}",
        f".out.rim{{stroke:#fff;stroke-width:{0.5 / side:.3f}}}",
        *(rule for rank, look in enumerate((LIGHT, DARK, THIRD, FOURTH)) for rule in _side(f".s{rank}", thick, *look)),
        ".badge{stroke-width:.03}.icon{fill:none;stroke-width:.045;stroke-linecap:round;stroke-linejoin:round}",
        ".key{text-anchor:start}.quiet{fill:#5d6773}",
    ]
    return "".join(rules)


def _side(name: str, thick: float, fill: str, line: str, text: str) -> list[str]:
    """A side's counters; of who has not been found only a broken line, of who has acted letters less black."""
    return [
        f"{name} .body{{fill:{fill};stroke:{line};stroke-width:.05;stroke-linejoin:round}}",
        f"{name} .hull{{stroke-width:{thick:.3f};fill-opacity:.86}}",
        f"{name} text{{fill:{text}}}",
        f"{name} .nose{{fill:{line}}}",
        f"{name} .part{{stroke:{text}}}",
        f"{name} .tie{{stroke:{line};fill:none}}",
        f"{name} .zone{{stroke:{line}}}",
        f"{name} .badge{{fill:#fff;stroke:{line}}}{name} .icon{{stroke:{line}}}",
        f"{name}.unfound .body{{fill:#fff;stroke-dasharray:.13 .08}}",
        f"{name}.unfound .hull{{stroke-dasharray:{thick * 2.7:.2f} {thick * 1.8:.2f}}}",
        f"{name}.unfound text,{name} .out{{fill:{line}}}{name}.unfound .part{{stroke:{line}}}",
        f"{name}.spent text{{fill-opacity:.6}}",
    ]


def patterns(side: float) -> str:
    """What lies over the tints, in the map and (``key-``) in the legend, and the signs of places."""
    site = '<path id="site-sign" d="M-.3 .3V-.1L-.06 -.28V-.1L.18 -.28V.02H.3V.3H.06V.12H-.1V.3Z"/>'
    store = "M0 -.34L.15 -.08L0 .3L-.15 -.08ZM.24 -.1L.34 .06L.24 .3L.14 .06ZM-.24 -.1L-.14 .06L-.24 .3L-.34 .06Z"
    unit = max(side * 0.2, 0.5)
    return _over("", unit) + _over("key-", 0.5) + f'{site}<path id="store-sign" d="{store}"/>'


def _over(name: str, unit: float) -> str:
    """Strokes for what lets nothing through, dots for what slows, fine strokes the other way for an area."""
    dots = "".join(
        f'<circle cx="{at:.2f}" cy="{at:.2f}" r="{unit * 0.16:.3f}" fill="#a8956c"/>' for at in (unit * 0.4, unit * 1.2)
    )
    strokes = f'<path d="M0 0V{unit:.2f}" stroke="#8a919c" stroke-width="{unit * 0.6:.3f}"/>'
    lit = f'<path d="M0 0V{unit:.2f}" stroke="#3d6a9e" stroke-opacity=".6" stroke-width="{unit * 0.4:.3f}"/>'
    return (
        _pattern(f"{name}solid", unit, strokes, 45) + _pattern(f"{name}rough", unit * 1.6, dots)
        + _pattern(f"{name}lit", unit, lit, -45)
    )  # fmt: skip


def _pattern(name: str, unit: float, inner: str, turn: int = 0) -> str:
    turned = f' patternTransform="rotate({turn})"' if turn else ""
    size = f'width="{unit:.3f}" height="{unit:.3f}" patternUnits="userSpaceOnUse"'
    return f'<pattern id="{name}" {size}{turned}>{inner}</pattern>'
