"""Write engraved pages as one PDF file, as vectors.

Reads only what `engrave` makes: groups with transforms, paths, polygons, rectangles, ellipses and uses of outlines. A
PDF needs little for that: paths, and each outline once as a form that is drawn at many places.
"""

import re
import zlib
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from consort_compose.notation.engraving.svg_names import LINK, SVG

Matrix = tuple[float, float, float, float, float, float]

_POINTS_PER_PIXEL = 72 / 96
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_PATH = re.compile(r"([MmLlHhVvCcSsQqTtZz])([^MmLlHhVvCcSsQqTtZz]*)")
_TRANSFORM = re.compile(r"(translate|scale|rotate|matrix)\(([^)]*)\)")
_CIRCLE = 0.5523


def pages_to_pdf(pages: list[str]) -> bytes:
    """Return a PDF file with a page for each SVG."""
    pdf = _PdfFile()
    kids = [_Page(ET.fromstring(svg), pdf).add() for svg in pages]
    return pdf.bytes_of(kids)


class _PdfFile:
    """The objects of a PDF file. Objects 1 and 2 are the catalogue and the list of pages."""

    def __init__(self) -> None:
        self._objects: list[bytes] = [b"", b""]

    def add(self, content: bytes) -> int:
        self._objects.append(content)
        return len(self._objects)

    def add_stream(self, head: str, text: str) -> int:
        data = zlib.compress(text.encode("latin-1"))
        return self.add(f"<<{head}/Filter/FlateDecode/Length {len(data)}>>stream\n".encode() + data + b"\nendstream")

    def bytes_of(self, kids: list[int]) -> bytes:
        self._objects[0] = b"<</Type/Catalog/Pages 2 0 R>>"
        listed = " ".join(f"{kid} 0 R" for kid in kids)
        self._objects[1] = f"<</Type/Pages/Kids[{listed}]/Count {len(kids)}>>".encode()
        result = bytearray(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
        places = []
        for number, content in enumerate(self._objects, start=1):
            places.append(len(result))
            result += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
        start = len(result)
        result += f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n".encode()
        result += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
        result += f"trailer<</Size {len(places) + 1}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n".encode()
        return bytes(result)


class _Page:
    def __init__(self, page: ET.Element, pdf: _PdfFile) -> None:
        self._page = page
        self._pdf = pdf
        self._content: list[str] = []
        self._forms: dict[str, int] = {}
        self._outlines = {
            holder.get("id", ""): holder for defs in page.iter(f"{SVG}defs") for holder in defs if holder.get("id")
        }

    def add(self) -> int:
        width, height = (_number(self._page, name) * _POINTS_PER_PIXEL for name in ("width", "height"))
        scale = _POINTS_PER_PIXEL
        self._draw_all(self._page, (scale, 0, 0, -scale, 0, height))
        content = self._pdf.add_stream("", "\n".join(self._content))
        forms = "".join(f"/{_form_name(name)} {number} 0 R" for name, number in self._forms.items())
        return self._pdf.add(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {width:.2f} {height:.2f}]/Contents {content} 0 R"
            f"/Resources<</XObject<<{forms}>>>>>>".encode()
        )

    def _draw_all(self, parent: ET.Element, matrix: Matrix) -> None:
        for element in parent:
            self._draw(element, matrix)

    def _draw(self, element: ET.Element, matrix: Matrix) -> None:
        tag = element.tag.removeprefix(SVG)
        if tag in ("defs", "style", "desc", "title") or "placeholder" in (element.get("class") or ""):
            return
        matrix = _combined(matrix, _matrix(element.get("transform") or ""))
        if tag == "g":
            self._draw_all(element, matrix)
        elif tag == "svg":
            self._draw_all(element, _combined(matrix, self._view(element)))
        elif tag == "use":
            self._use((element.get(LINK) or element.get("href") or "")[1:], matrix)
        elif path := "".join(_path_of(element, tag)):
            self._paint(element, path, matrix)

    def _view(self, element: ET.Element) -> Matrix:
        """Return the scale from the view box of the inner `svg` to the page."""
        box = [float(number) for number in _NUMBER.findall(element.get("viewBox") or "")]
        if len(box) != 4 or not box[2]:
            return (1, 0, 0, 1, 0, 0)
        scale = _number(self._page, "width") / box[2]
        return (scale, 0, 0, scale, -box[0] * scale, _number(element, "y") - box[1] * scale)

    def _use(self, name: str, matrix: Matrix) -> None:
        holder = self._outlines.get(name)
        if holder is None:
            return
        if name not in self._forms:
            drawn = []
            for path in holder.iter(f"{SVG}path"):
                moved = _matrix(path.get("transform") or "")
                drawn.append(f"q {_text(moved)} cm {''.join(_path_data(path.get('d') or ''))} f Q")
            head = "/Type/XObject/Subtype/Form/BBox[-4000 -4000 8000 8000]"
            self._forms[name] = self._pdf.add_stream(head, "\n".join(drawn))
        self._content.append(f"q {_text(matrix)} cm /{_form_name(name)} Do Q")

    def _paint(self, element: ET.Element, path: str, matrix: Matrix) -> None:
        style = element.get("style") or ""
        if "fill:white" in style:
            return
        width = float(element.get("stroke-width") or 1)
        is_stroked = "stroke:none" not in style and element.get("stroke") != "none"
        is_filled = element.get("fill") != "none" and element.get("fill-opacity") != "0"
        dashes = _NUMBER.findall(element.get("stroke-dasharray") or "")
        caps = {"round": "1 J ", "square": "2 J "}.get(element.get("stroke-linecap") or "", "")
        joins = {"round": "1 j "}.get(element.get("stroke-linejoin") or "", "")
        how = {(True, True): "B", (True, False): "f", (False, True): "S"}.get((is_filled, is_stroked), "n")
        dashed = f"[{' '.join(dashes)}] 0 d " if dashes else ""
        self._content.append(f"q {_text(matrix)} cm {width:g} w {caps}{joins}{dashed}{path}{how} Q")


def _path_of(element: ET.Element, tag: str) -> Iterator[str]:
    """Yield the PDF operators of a shape."""
    if tag == "path":
        yield from _path_data(element.get("d") or "")
    elif tag in ("polygon", "polyline"):
        points = _NUMBER.findall(element.get("points") or "")
        for index in range(0, len(points) - 1, 2):
            yield f"{points[index]} {points[index + 1]} {'l' if index else 'm'} "
        if tag == "polygon":
            yield "h "
    elif tag == "rect" and not (element.get("width") or "").endswith("%"):
        x, y, width, height = (_number(element, name) for name in ("x", "y", "width", "height"))
        yield f"{x:g} {y:g} {width:g} {height:g} re "
    elif tag in ("ellipse", "circle"):
        x, y = _number(element, "cx"), _number(element, "cy")
        radius = _number(element, "r")
        yield from _ellipse(x, y, _number(element, "rx") or radius, _number(element, "ry") or radius)


def _ellipse(x: float, y: float, rx: float, ry: float) -> Iterator[str]:
    kx, ky = rx * _CIRCLE, ry * _CIRCLE
    yield f"{x + rx:g} {y:g} m "
    yield f"{x + rx:g} {y + ky:g} {x + kx:g} {y + ry:g} {x:g} {y + ry:g} c "
    yield f"{x - kx:g} {y + ry:g} {x - rx:g} {y + ky:g} {x - rx:g} {y:g} c "
    yield f"{x - rx:g} {y - ky:g} {x - kx:g} {y - ry:g} {x:g} {y - ry:g} c "
    yield f"{x + kx:g} {y - ry:g} {x + rx:g} {y - ky:g} {x + rx:g} {y:g} c h "


_COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2}


def _path_data(data: str) -> Iterator[str]:
    """Yield the PDF operators of SVG path data. Quadratic curves become cubic ones."""
    x = y = start_x = start_y = 0.0
    control: tuple[float, float] | None = None
    for command, rest in _PATH.findall(data):
        kind, is_relative = command.upper(), command.islower()
        if kind == "Z":
            yield "h "
            x, y, control = start_x, start_y, None
            continue
        numbers = [float(number) for number in _NUMBER.findall(rest)]
        size = _COUNTS[kind]
        for place in range(0, len(numbers) - size + 1, size):
            given = numbers[place : place + size]
            if kind in "HV":
                along = given[0] + ((x if kind == "H" else y) if is_relative else 0)
                given = [along, y] if kind == "H" else [x, along]
            elif is_relative:
                given = [number + (x, y)[index % 2] for index, number in enumerate(given)]
            mirrored = (2 * x - control[0], 2 * y - control[1]) if control else (x, y)
            if kind == "M" and place == 0:
                start_x, start_y, control = given[0], given[1], None
                yield f"{given[0]:g} {given[1]:g} m "
            elif kind in "MLHV":
                control = None
                yield f"{given[0]:g} {given[1]:g} l "
            elif kind in "CS":
                points = given if kind == "C" else [*mirrored, *given]
                control = (points[2], points[3])
                yield " ".join(f"{number:g}" for number in points) + " c "
            else:
                control = (given[0], given[1]) if kind == "Q" else mirrored
                end_x, end_y = given[-2], given[-1]
                first = (x + 2 / 3 * (control[0] - x), y + 2 / 3 * (control[1] - y))
                second = (end_x + 2 / 3 * (control[0] - end_x), end_y + 2 / 3 * (control[1] - end_y))
                yield f"{first[0]:g} {first[1]:g} {second[0]:g} {second[1]:g} {end_x:g} {end_y:g} c "
            x, y = given[-2], given[-1]


def _matrix(transform: str) -> Matrix:
    from math import cos, radians, sin

    result: Matrix = (1, 0, 0, 1, 0, 0)
    for name, inside in _TRANSFORM.findall(transform):
        numbers = [float(number) for number in _NUMBER.findall(inside)]
        if name == "translate":
            step: Matrix = (1, 0, 0, 1, numbers[0], numbers[1] if len(numbers) > 1 else 0)
        elif name == "scale":
            step = (numbers[0], 0, 0, numbers[-1], 0, 0)
        elif name == "matrix":
            step = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
        else:
            angle = radians(numbers[0])
            step = (cos(angle), sin(angle), -sin(angle), cos(angle), 0, 0)
            if len(numbers) == 3:
                around = (1.0, 0.0, 0.0, 1.0, numbers[1], numbers[2])
                step = _combined(_combined(around, step), (1, 0, 0, 1, -numbers[1], -numbers[2]))
        result = _combined(result, step)
    return result


def _combined(outer: Matrix, inner: Matrix) -> Matrix:
    a, b, c, d, e, f = outer
    u, v, w, x, y, z = inner
    return (a * u + c * v, b * u + d * v, a * w + c * x, b * w + d * x, a * y + c * z + e, b * y + d * z + f)


def _text(matrix: Matrix) -> str:
    return " ".join(f"{number:.5f}".rstrip("0").rstrip(".") for number in matrix)


def _form_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "_", name)


def _number(element: ET.Element, name: str) -> float:
    found = _NUMBER.match(element.get(name) or "0")
    return float(found[0]) if found else 0.0
