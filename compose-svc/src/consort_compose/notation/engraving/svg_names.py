"""Names of SVG elements and attributes, as ElementTree spells them."""

SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"
