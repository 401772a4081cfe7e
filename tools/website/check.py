"""Clicks through the site that was built: `python -m tools.website.check [--browser /usr/bin/chromium]`.

Every link leads to a page and a place in it, and no page asks another host for anything. With a browser (and
playwright, which drives it), it also searches, copies code, changes colours and listens for errors; by a server, and
in files that are opened without one.
"""
# pyright: reportMissingImports=false

from __future__ import annotations

import argparse
import threading
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urlsplit

from tools.website.contents import ROOT

SITE = ROOT / "site"
WORDS = {  # what people look for, and a page that is to be among the first
    "posterior": "weighted",
    "beam": "search",
    "graft": "grafts",
    "choice": "generators",
    "resume": "stepping",
    "vLLM": "vllm",
    "json schema": "json",
    "captures": "states",
    "draft": "drafts",
    "IncompleteError": "errors",
}
CODE = "docs/search.html"  # a page with sessions
PICTURES = "notebooks/01_tour.html"


class PageOf(HTMLParser):
    """The places of a page, where its links lead, and what it loads."""

    def __init__(self, path: Path):
        super().__init__()
        self.places, self.links, self.loaded = {""}, set[str](), set[str]()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.add(given["href"])
        elif "src" in given or (tag == "link" and given.get("rel") != "canonical"):
            self.loaded.add(given.get("src") or given.get("href", ""))


def pages_of(site: Path) -> list[Path]:
    """The pages, without the one that servers give where there is none: its links begin at the root."""
    return [path for path in sorted(site.rglob("*.html")) if path.name != "404.html"]


def faults(site: Path) -> list[str]:
    """What leads nowhere, and what is loaded from elsewhere."""
    pages = {path: PageOf(path) for path in pages_of(site)}
    bad = []
    for path, page in pages.items():
        name = path.relative_to(site)
        for target in page.links | page.loaded:
            parts = urlsplit(target)
            if parts.scheme == "data" or (parts.scheme and target in page.links):
                continue
            if parts.scheme or parts.netloc:
                bad.append(f"{name} loads {target}")
                continue
            there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if there.is_dir():
                there /= "index.html"
            if not there.is_file():
                bad.append(f"{name} leads to {target}, which is no file")
            elif there in pages and unquote(parts.fragment) not in pages[there].places:
                bad.append(f"{name} leads to {target}, and there is no such place")
    print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links")
    return bad


def browsed(start: str, browser: Any) -> list[str]:
    """What does not work in a browser, under an address that ends in `/`."""
    bad: list[str] = []
    context = browser.new_context(color_scheme="light")
    page = context.new_page()
    page.on("pageerror", lambda error: bad.append(f"{page.url}: {error}"))
    page.on("console", lambda message: message.type == "error" and bad.append(f"{page.url}: {message.text}"))
    page.on("request", lambda request: request.url.startswith(("http", "ws")) and requested.append(request.url))
    requested: list[str] = []

    for path in pages_of(SITE):
        page.goto(start + path.relative_to(SITE).as_posix())
    for word, wanted in WORDS.items():
        page.goto(start + "index.html")
        page.locator("[data-md-component=search-query]").click()
        page.keyboard.type(word, delay=20)
        page.wait_for_function("document.querySelector('.md-search-result__meta').innerText.includes('matching')")
        results = page.locator(".md-search-result__item a.md-search-result__link")
        names = [urldefrag(results.nth(n).get_attribute("href")).url.split("?")[0] for n in range(results.count())]
        if not any(f"/{wanted}.html" in name for name in names):
            bad.append(f"{start}: {word!r} finds {names[:6]}, and not {wanted}")

    page.goto(start + CODE)
    page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text }")
    page.evaluate("document.execCommand = () => { window.copied = document.activeElement.value; return true }")
    page.locator(".language-pycon .md-code__button, .language-pycon .md-clipboard").first.click()
    copied = page.evaluate("window.copied")
    if not copied or not copied.startswith("import outlines_cont as oc\nmodel = oc.load()\n") or ">>>" in copied:
        bad.append(f"{start}: the button copies {copied!r}")

    schemes = []
    for _ in range(3):
        page.locator("[data-md-component=palette] label:visible").first.click()
        schemes.append(page.evaluate("document.body.dataset.mdColorScheme"))
    if set(schemes) != {"default", "slate"}:
        bad.append(f"{start}: the colours go through {schemes}")

    page.goto(start + PICTURES)
    for picture in page.locator(".nb-output svg, .nb-output img, .nb-output .oc").all():
        box = picture.bounding_box()
        if not box or box["width"] < 50 or box["height"] < 20:
            bad.append(f"{start}: a picture of {PICTURES} has the box {box}")
    bad += [f"{start} asks {address}" for address in set(requested) if not address.startswith(start)]
    context.close()
    return bad


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--browser", help="the path of chromium")
    options = asked.parse_args()
    bad = faults(SITE)
    if options.browser:
        from playwright.sync_api import sync_playwright

        quiet = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
        server = ThreadingHTTPServer(("localhost", 0), partial(quiet, directory=str(SITE)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=options.browser, args=["--no-sandbox"])
            for start in (f"http://localhost:{server.server_port}/", f"{SITE.as_uri()}/"):
                bad += browsed(start, browser)
            browser.close()
        server.shutdown()
    print(*bad, sep="\n")
    raise SystemExit(bool(bad))


if __name__ == "__main__":
    main()
