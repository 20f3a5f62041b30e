"""A drawing as SVG, and as PDF on sheets of paper. The same drawing always gives the same bytes."""

from html import escape
from io import BytesIO

from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from calibration.drawing import Drawing, Rgb, Shape
from calibration.outlines import bounds
from calibration.paper import marks, pages

POINTS_PER_MM = 72 / 25.4


def svg(drawing: Drawing) -> str:
    """One SVG document in real size; its user unit is the millimetre."""
    width, height = drawing.size_mm
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm"'
        f' viewBox="0 0 {width:g} {height:g}" stroke-linecap="round" stroke-linejoin="round" fill-rule="evenodd">',
        f"<title>{escape(drawing.title)}</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="{_hex(drawing.ground)}"/>',
        *(_svg_path(shape) for shape in drawing.shapes),
        "</svg>",
        "",
    ]
    return "\n".join(lines)


def pdf(drawing: Drawing, paper: str) -> bytes:
    """One page a sheet of paper, in real size, with cut marks. Raises KeyError: no such paper."""
    out = BytesIO()
    canvas = Canvas(out, invariant=1, pageCompression=1)
    canvas.setTitle(drawing.title)
    canvas.setCreator("Macuil")
    for page in pages(drawing, paper):
        width, height = page.size_mm
        canvas.setPageSize((width * POINTS_PER_MM, height * POINTS_PER_MM))
        canvas.translate(0, height * POINTS_PER_MM)
        canvas.scale(POINTS_PER_MM, -POINTS_PER_MM)
        canvas.setLineCap(1)
        canvas.setLineJoin(1)
        for mark in marks(page):
            _pdf_shape(canvas, mark)
        canvas.translate(*page.origin_mm)
        part = page.part
        window = canvas.beginPath()
        window.rect(part.x_mm, part.y_mm, part.width_mm, part.height_mm)
        canvas.clipPath(window, stroke=0, fill=0)
        ground = Shape((part.corners_mm,), fill=drawing.ground)
        for shape in (ground, *drawing.shapes):
            if _touches(shape, (part.x_mm, part.y_mm, part.x_mm + part.width_mm, part.y_mm + part.height_mm)):
                _pdf_shape(canvas, shape)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _svg_path(shape: Shape) -> str:
    end = "Z" if shape.closed else ""
    d = "".join("M" + " ".join(f"{_short(x)},{_short(y)}" for x, y in ring) + end for ring in shape.rings)
    fill = "none" if shape.fill is None else _hex(shape.fill)
    pen = "" if shape.ink is None else f' stroke="{_hex(shape.ink)}" stroke-width="{shape.width_mm:g}"'
    return f'<path d="{d}" fill="{fill}"{pen}/>'


def _pdf_shape(canvas: Canvas, shape: Shape) -> None:
    path: PDFPathObject = canvas.beginPath()
    for ring in shape.rings:
        path.moveTo(*ring[0])
        for point in ring[1:]:
            path.lineTo(*point)
        if shape.closed:
            path.close()
    if shape.fill is not None:
        canvas.setFillColorRGB(*(level / 255 for level in shape.fill))
    if shape.ink is not None:
        canvas.setStrokeColorRGB(*(level / 255 for level in shape.ink))
        canvas.setLineWidth(shape.width_mm)
    even_odd = 0
    canvas.drawPath(path, stroke=int(shape.ink is not None), fill=int(shape.fill is not None), fillMode=even_odd)


def _touches(shape: Shape, window: tuple[float, float, float, float]) -> bool:
    left, top, right, bottom = bounds([point for ring in shape.rings for point in ring])
    pen = shape.width_mm / 2
    return left - pen < window[2] and right + pen > window[0] and top - pen < window[3] and bottom + pen > window[1]


def _short(value: float) -> str:
    """To the micrometre, without idle zeros."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _hex(rgb: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)
