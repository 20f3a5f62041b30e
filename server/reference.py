"""The page at /docs: what the server answers, written out of its own OpenAPI, without anything from the internet."""

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }}
h2 {{ font: 600 1.1rem ui-monospace, monospace; margin: 2rem 0 .25rem; border-top: 1px solid; padding-top: 1rem; }}
pre {{ overflow: auto; padding: .75rem; border: 1px solid; border-radius: 6px; font-size: .85rem; }}
.answers {{ padding-left: 1.2rem; }}
</style>
</head>
<body>
<h1>{title}</h1>
{description}
<p>The same for programs: <a href="/openapi.json">/openapi.json</a>.</p>
{operations}
</body>
</html>
"""


def reference(openapi: Mapping[str, Any]) -> str:
    """The OpenAPI document as one page of HTML."""
    info = openapi["info"]
    return PAGE.format(
        title=escape(f"{info['title']} {info['version']}"),
        description=_paragraphs(info.get("description", "")),
        operations="\n".join(_operations(openapi)),
    )


def _operations(openapi: Mapping[str, Any]) -> Iterator[str]:
    for path, methods in openapi["paths"].items():
        for method, operation in methods.items():
            yield f"<section><h2>{method.upper()} {escape(path)}</h2>"
            yield _paragraphs(operation.get("description") or operation.get("summary", ""))
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
            if body:
                schema = _resolved(openapi, body)
                yield f"<pre>{escape(json.dumps(schema, indent=2, ensure_ascii=False))}</pre>"
            yield '<ul class="answers">'
            for status, answer in operation["responses"].items():
                yield f"<li><b>{escape(status)}</b> {escape(answer['description'])}</li>"
            yield "</ul></section>"


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{escape(part.strip())}</p>" for part in text.split("\n\n") if part.strip())


def _resolved(openapi: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    found: Mapping[str, Any] = openapi["components"]["schemas"][name] if name else schema
    return found
