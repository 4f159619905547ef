"""Takes pictures of the pages that people see, at two widths, light and dark.

    python tools/screenshots.py OUT --site site --report report.html --training runs/a/report.html

Needs Chromium and `pip install playwright pillow`. OUT gets NAME-WIDTH-SCHEME.png of each page, to
be looked at; standard output names the elements that are wider than the window. With --docs the
pictures that the site shows of the report are written to docs/images, too.
"""

from __future__ import annotations

import argparse
import functools
import io
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

IMAGES = Path(__file__).resolve().parents[1] / "docs/images"
WIDTHS, HEIGHT = (1280, 390), 900
SCHEMES = ("light", "dark")
TIMEOUT_MS = 120_000  # of a machine with other work
SETTLE_MS = 800  # the site's tabs fade in
SITE_PAGES = (
    "index.html",
    "first-five-minutes.html",
    "how-to/evaluate.html",
    "reference/api.html",
    "training.html",
)
# Anchors of the report of the bundled samples: a problem, a failure, a model's whole answer.
REPORT_ANCHORS = {"": "", "problem": "#p2", "solution": "#s3", "answer": "#s11"}
# Pictures in docs/images: name, anchor, id of the element shown (none: the window), scheme.
DOCS_IMAGES = (
    ("report-overview", "", "", "light"),
    ("report-problems", "", "problem-section", "dark"),
    ("report-solution", "#s3", "", "dark"),
    ("report-answer", "#s11", "", "dark"),
)
FIND_OVERFLOW = """() => [...document.querySelectorAll("body *")].filter((node) =>
  node.checkVisibility() && node.getBoundingClientRect().right > innerWidth + 1 &&
  !node.parentElement.closest(".scrolled, pre, code, .highlight, svg, .md-tabs") &&
  !node.parentElement.closest(".md-typeset__scrollwrap, .md-typeset__table") &&
  !node.closest(".skip, .md-skip, .md-search, .md-sidebar")
).map((node) => `${node.tagName}.${node.className}#${node.id}`).slice(0, 5)"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


@contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """Serve a folder on a free port; yields its address."""
    handler = functools.partial(_Quiet, directory=os.fspath(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def list_pages(args: argparse.Namespace, site_url: str) -> dict[str, str]:
    """The pages to take pictures of: names and addresses."""
    pages = {}
    if args.site is not None:
        for page in SITE_PAGES:
            pages["site-" + page.removesuffix(".html").replace("/", "-")] = f"{site_url}/{page}"
    if args.report is not None:
        for name, anchor in REPORT_ANCHORS.items():
            pages[f"report-{name}".rstrip("-")] = args.report.resolve().as_uri() + anchor
    if args.training is not None:
        pages["training"] = args.training.resolve().as_uri()
    return pages


def take_pictures(browser: Any, pages: dict[str, str], out: Path) -> None:
    """Take a picture of the whole height of each page, and print what does not fit its width."""
    for width in WIDTHS:
        for scheme in SCHEMES:
            context = browser.new_context(
                color_scheme=scheme, viewport={"width": width, "height": HEIGHT}
            )
            for name, url in pages.items():
                page = context.new_page()
                page.goto(url, timeout=TIMEOUT_MS)
                page.wait_for_timeout(SETTLE_MS)
                overflow = page.evaluate(FIND_OVERFLOW)
                page.screenshot(
                    path=out / f"{name}-{width}-{scheme}.png",
                    full_page="#" not in url,
                    animations="disabled",
                    timeout=TIMEOUT_MS,
                )
                page.close()
                if overflow:
                    print(f"{name} at {width} px, {scheme}: wider than the window: {overflow}")
            context.close()


def take_docs_images(browser: Any, report_url: str) -> None:
    """Write the pictures of the report that the site shows."""
    from PIL import Image

    for name, anchor, element, scheme in DOCS_IMAGES:
        context = browser.new_context(
            color_scheme=scheme, viewport={"width": WIDTHS[0], "height": 840}
        )
        page = context.new_page()
        page.goto(report_url + anchor, timeout=TIMEOUT_MS)
        target = page.locator(f"#{element}") if element else page
        data = target.screenshot(timeout=TIMEOUT_MS)
        picture = Image.open(io.BytesIO(data)).convert("RGB").quantize(128)
        picture.save(IMAGES / f"{name}.png", optimize=True)  # a third of the size
        context.close()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="folder of the pictures")
    parser.add_argument("--site", type=Path, help="folder that mkdocs wrote")
    parser.add_argument(
        "--report", type=Path, help="report of datasets/samples, made with --report"
    )
    parser.add_argument("--training", type=Path, help="report.html of microcoder-train plot")
    parser.add_argument("--docs", action="store_true", help="write docs/images of --report, too")
    args = parser.parse_args()
    from playwright.sync_api import sync_playwright

    args.out.mkdir(parents=True, exist_ok=True)
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = next(filter(None, map(shutil.which, names)), None)
    if chromium is None:
        print("screenshots: there is no Chromium: install it", file=sys.stderr)
        return 2
    # Root has no sandbox of Chromium's; only pages of this project are opened.
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright, serve_folder(args.site or args.out) as site_url:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=flags, timeout=TIMEOUT_MS
        )
        take_pictures(browser, list_pages(args, site_url), args.out)
        if args.docs and args.report is not None:
            take_docs_images(browser, args.report.resolve().as_uri())
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
