"""How a picture looks: colours that differ in lightness first, and patterns that need none."""

from collections.abc import Iterable

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
_BODIES = {
    "globe": ("#eef2f5", "#9aa7b3"), "rocks": ("#f3efe6", "#b9ab8c"), "cloud": ("#ece7f3", "#b3a4c8"),
    "pit": ("#e4e4e8", "#6d7280"), "gate": ("#e6f0ef", "#82a5a1"),
}  # fmt: skip
AREAS = (("#f3c98b", "#9a5b00"), ("#bcd9c0", "#2f6b3a"), ("#d9c6e6", "#5f3b84"), ("#bcd6ea", "#245a86"))
"""Filling and line of areas, in their order."""
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


def more(kinds: Iterable[str], areas: int) -> str:
    """What is added where terrain of such kinds or so many areas are drawn."""
    rules = []
    for kind in sorted(set(kinds) & set(_BODIES)):
        tint, line = _BODIES[kind]
        rules.append(f".{kind}-tint{{fill:{tint}}}.{kind}{{stroke:{line}}}")
        rules.append(f".label .on-{kind}{{fill:#4d5661}}.label .on-{kind}.rim{{stroke:{tint}}}")
    for n, (fill, line) in enumerate(AREAS[:areas]):
        rules.append(f".a{n}{{fill:{fill};fill-opacity:.5;stroke:{line};stroke-width:.4;stroke-linejoin:round}}")
    return "".join(rules)


def signs(kinds: Iterable[str]) -> str:
    """The signs of terrain of such kinds that are drawn in each hex, in sides of a hex."""
    return "".join(f'<g id="{kind}-sign">{_SIGNS[kind]}</g>' for kind in sorted(set(kinds) & set(_SIGNS)))


_STONES = (
    (-0.42, -0.3, 0.2), (0.1, -0.5, 0.13), (0.46, -0.12, 0.22), (-0.16, 0.08, 0.15), (-0.5, 0.36, 0.13),
    (0.12, 0.46, 0.21), (0.55, 0.4, 0.1), (0.16, -0.18, 0.07), (-0.1, 0.62, 0.07), (-0.66, 0.02, 0.08),
)  # fmt: skip
"""Where each piece of rubble lies, and its size."""


def _rocks() -> str:
    """Rubble of different sizes."""
    return "".join(
        f'<path d="M-1 -.3L-.35 -.95L.5 -.8L1 -.1L.6 .75L-.2 1L-.85 .5Z" fill="#b9a987" stroke="#7d6f52"'
        f' stroke-width="{0.035 / size:.2f}" transform="translate({x} {y}) rotate({int(x * 310)}) scale({size})"/>'
        for x, y, size in _STONES
    )


_SIGNS = {
    "globe": (
        '<circle r=".74" fill="#8fa9bd" stroke="#4b6072" stroke-width=".04"/>'
        '<path d="M-.69 -.26Q0 -.06 .69 -.26M-.74 .04Q0 .26 .74 .04M-.64 .37Q0 .55 .64 .37" fill="none"'
        ' stroke="#d3e0e9" stroke-width=".07" stroke-opacity=".7"/>'
        '<path d="M.2 -.712A.74 .74 0 0 1 -.3 .676A.95 .95 0 0 0 .2 -.712Z" fill="#33475a" fill-opacity=".45"/>'
    ),
    "rocks": _rocks(),
    "cloud": (
        '<path d="M-.62 -.2Q-.4 -.5 -.14 -.24T.3 -.26T.66 -.3M-.7 .14Q-.44 -.12 -.16 .1T.34 .08T.72 .06'
        'M-.5 .46Q-.24 .22 0 .44T.5 .4" fill="none" stroke="#9a86b8" stroke-width=".06" stroke-linecap="round"/>'
    ),
    "pit": (
        '<circle r=".72" fill="#c9cad1"/><circle r=".58" fill="#8c8f9b"/><circle r=".44" fill="#454852"/>'
        '<circle r=".3" fill="#0c0d10"/><ellipse rx=".8" ry=".16" transform="rotate(-20)" fill="none" stroke="#2b2e36"'
        ' stroke-width=".05"/>'
    ),
    "gate": (
        '<circle r=".66" fill="#fff" stroke="#3d7a74" stroke-width=".09"/>'
        '<circle r=".46" fill="none" stroke="#5f9791" stroke-width=".06" stroke-dasharray=".2 .1"/>'
        '<circle r=".27" fill="none" stroke="#82b0ab" stroke-width=".05"/><circle r=".1" fill="#3d7a74"/>'
    ),
}


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
