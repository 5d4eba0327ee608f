"""The pictures of docs/images, made anew: `python tests screenshots [FOLDER]`.

Two days as in docs/tutorial.md, one with a slow volume. Chromium, LibreOffice and pdftoppm make the
pictures, pngquant makes them small; one of them that is not there is named, and the pictures that
need it stay as they are. Look at each before it lands.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from places import CHECKOUT

from imsperf import api
from imsperf.reports.charts import chart
from imsperf.reports.charts.rows import Choice
from imsperf.reports.filter import Filter
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios import scenario

IMAGES = CHECKOUT / "docs" / "images"
CHARTS = {
    "chart-finding": "device_slow",
    "chart-device": ("rmf.device", Choice()),
    "chart-percentiles": ("rmf.device", Choice(form="percentiles", columns=("resp_ms",))),
    "chart-workload": ("rmf.workload", Choice()),
    "chart-msu": ("rmf.msu", Choice()),
}
# base, and what is shown of the second page: left, top, width and height in inches
SHEETS = {
    "sheet-charts": (None, (0.6, 0.7, 7.1, 5.7)),
    "sheet-changed": ("monday", (0.6, 0.7, 9.5, 4.0)),
}
MOST = 120_000  # bytes of a picture
COLORS = 64
DPI = 110  # of what is printed


def days(folder: Path) -> Path:
    """The database of the tutorial: a day as it should be, and one with a slow volume."""
    db = folder / "days.duckdb"
    for run, day, seed, inject in (("monday", 2, 1, []), ("tuesday", 3, 2, ["slow-volume"])):
        system = scenario.load("ff-haldb", {"run.start": f"2026-03-0{day}T16:00"})
        generate_intervals(system, folder / run, intervals=24, seed=seed, inject=inject)
        api.load([folder / run], db, run=run)
    return db


def browser(*words: str) -> None:
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if not program:
        raise FileNotFoundError("chromium")
    subprocess.run(
        [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
         "--virtual-time-budget=6000", *words],
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip


def page_of(pdf: Path, image: Path, page: int, part: Sequence[float] = (0, 0, 0, 0)) -> None:
    """A page of a PDF as a picture, or a part of it in inches."""
    left, top, width, height = (str(round(inches * DPI)) for inches in part)
    subprocess.run(
        ["pdftoppm", "-png", "-r", str(DPI), "-singlefile", "-f", str(page), "-l", str(page),
         "-x", left, "-y", top, "-W", width, "-H", height, str(pdf), str(image.with_suffix(""))],
        check=True,
    )  # fmt: skip


def pages(db: Path, folder: Path, images: Path) -> None:
    """The page in light and dark colours, and printed."""
    file = api.html_page(db, folder / "tuesday.html", run="tuesday", base="monday")
    size = "--window-size=1000,1150"
    browser(size, f"--screenshot={images / 'page.png'}", file.as_uri())
    dark = file.with_name("dark.html")
    text = file.read_text(encoding="utf-8")
    dark.write_text(text.replace('lang="en"', 'lang="en" class="dark"', 1), encoding="utf-8")
    browser(size, f"--screenshot={images / 'page-dark.png'}", dark.as_uri())
    printed = folder / "page.pdf"
    browser(
        "--window-size=1050,740", f"--print-to-pdf={printed}", "--no-pdf-header-footer",
        file.as_uri(),
    )  # fmt: skip
    page_of(printed, images / "page-print.png", 1)


def charts(db: Path, folder: Path, images: Path) -> None:
    """Five charts."""
    with api.connect(db) as store:
        for name, what in CHARTS.items():
            path = images / f"{name}.png"
            if isinstance(what, str):
                chart.write_finding(store.con, what, path, Filter(run="tuesday"))
            else:
                report, choice = what
                chart.write(api.run_report(store, report, run="tuesday"), path, choice)


def sheets(db: Path, folder: Path, images: Path) -> None:
    """Two sheets of the workbook as LibreOffice prints them."""
    for name, (base, part) in SHEETS.items():
        book = api.workbook(
            db, folder / f"{name}.xlsx", run="tuesday", base=base, reports=["rmf.device"]
        )
        subprocess.run(
            ["soffice", f"-env:UserInstallation={(folder / 'office').as_uri()}", "--headless",
             "--convert-to", "pdf", "--outdir", str(folder), str(book)],
            check=True, capture_output=True, timeout=600,
        )  # fmt: skip
        page_of(book.with_suffix(".pdf"), images / f"{name}.png", 2, part)


def main() -> None:
    images = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    images.mkdir(exist_ok=True)
    with TemporaryDirectory() as place:
        folder = Path(place)
        made = folder / "images"
        made.mkdir()
        db = days(folder)
        for part in (charts, pages, sheets):
            try:
                part(db, folder, made)
                for image in made.glob("*.png"):
                    small(image, images / image.name)
                    image.unlink()
            except FileNotFoundError as error:
                print(f"{part.__name__}: not made, no program {error.filename or error}")
    for image in sorted(images.glob("*.png")):
        size = image.stat().st_size
        print(f"{image.name:24} {size / 1000:8.1f} kB{'  too large' * (size > MOST)}")


def small(image: Path, to: Path) -> None:
    """The same with few colours, a third of the bytes."""
    subprocess.run(
        ["pngquant", "--force", "--speed", "1", "--output", str(to), str(COLORS), str(image)],
        check=True,
    )


if __name__ == "__main__":
    main()
