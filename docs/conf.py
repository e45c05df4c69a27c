"""How the pages are built: every Python cell and every command on them is run, and must succeed.

A command stands in a block of its own, as here, and is shown with what it prints::

    ```{kt-cp} exit=1
    kt-cp solve 3x3
    ```

The commands of a page run one after the other in one empty folder; ``hide`` shows the command
alone, and ``picture=FILE`` an SVG file that it has written, with ``alt="…"`` as its description.
An exit code other than the expected one (0 by default) stops the build.  These words stand where a
viewer of Markdown hides them, so that it shows the command.  A tutorial with such commands can be
downloaded as a Jupyter notebook, in which each is a cell with its output.

The directive ``{kt-cp-commands}`` lists every command with its arguments and options, as the
program declares them.  ``{best-tours}`` draws the tours of files in the folder ``best-tours``.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from html import escape
from importlib.metadata import version as version_of
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import nbformat
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

project = "kt_cp"
author = "the authors of kt_cp"
version = release = version_of("kt_cp")
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["_build", "paper"]
html_theme = "furo"
html_title = "kt_cp"
html_static_path = ["static"]
html_css_files = ["page.css"]
html_show_copyright = False
smartquotes = False  # an option begins with two hyphens

myst_enable_extensions = ["colon_fence", "deflist", "substitution"]
myst_substitutions = {"release": release}
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_merge_streams = True
# A page has no kernel: pictures stand on it, and nothing is loaded from elsewhere.
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]
nb_ipywidgets_js = {}

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
napoleon_google_docstring = False

# Links from the included READMEs lead to files of the repository, which are no pages.
suppress_warnings = ["myst.xref_missing", "myst.header"]

# What runs on the pages finds this environment's commands, and prints as an 80-column terminal.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
os.environ.update(COLUMNS="80", NO_COLOR="1", PYTHONWARNINGS="error::DeprecationWarning:kt_cp")


class Command(SphinxDirective):
    """Runs ``kt-cp`` and shows the command with what it prints."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        words = shlex.split(" ".join(self.arguments))
        self.settings = dict(word.partition("=")[::2] for word in words)
        if unknown := self.settings.keys() - {"alt", "exit", "hide", "picture"}:
            raise self.error(f"unknown: {', '.join(unknown)}")
        (line,) = self.content
        words = line.removeprefix("kt-cp ")
        ran = subprocess.run(
            ["kt-cp", *shlex.split(words)],
            cwd=self.folder(),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        if ran.returncode != int(self.settings.get("exit", 0)):
            raise self.error(f"kt-cp {words}: exit code {ran.returncode}\n{ran.stdout}{ran.stderr}")
        output = "" if "hide" in self.settings else ran.stdout + ran.stderr
        cell = nbformat.v4.new_code_cell(f"!kt-cp {words}")
        cell.outputs.append(nbformat.v4.new_output("stream", text=output))
        picture = [self.picture_cell()] if "picture" in self.settings else []
        self.env.temp_data.setdefault("kt-cp cells", []).append([cell, *picture])
        text = f"$ kt-cp {words}\n{output}".rstrip()
        block = nodes.literal_block(text, text, language="console")
        return [block, *self.pictures()]

    def folder(self) -> str:
        """The folder of this page's commands."""
        folders = self.env.temp_data
        if "kt-cp" not in folders:
            folders["kt-cp"] = mkdtemp(prefix="kt_cp-docs-")
        return str(folders["kt-cp"])

    def pictures(self) -> list[nodes.Node]:
        if "picture" not in self.settings:
            return []
        name = self.settings["picture"]
        kept = Path(self.env.app.outdir) / "_pictures" / self.env.docname.replace("/", "-")
        kept.mkdir(parents=True, exist_ok=True)
        shutil.copy(Path(self.folder()) / name, kept)
        up = "../" * self.env.docname.count("/")
        source = f"{up}_pictures/{kept.name}/{name}"
        alt = escape(self.settings["alt"], quote=True)
        html = f'<p><img src="{source}" alt="{alt}" style="max-width: 24rem"/></p>'
        return [nodes.raw("", html, format="html")]

    def picture_cell(self) -> nbformat.NotebookNode:
        name = self.settings["picture"]
        cell = nbformat.v4.new_code_cell(f'from IPython.display import SVG\n\nSVG("{name}")')
        svg = (Path(self.folder()) / name).read_text(encoding="utf-8")
        data = {"image/svg+xml": svg, "text/plain": self.settings["alt"]}
        cell.outputs.append(nbformat.v4.new_output("display_data", data=data))
        return cell


class BestTours(SphinxDirective):
    """Draws best tours side by side, with marks where their objectives count."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        from kt_cp.model.board import parse_square
        from kt_cp.model.document import parse_problem
        from kt_cp.model.terms import describe_value
        from kt_cp.render.optimum import optimum_picture

        folder = Path(self.env.app.srcdir) / "best-tours"
        figures = []
        for name in self.content:
            self.env.note_dependency(str(folder / name))
            best = json.loads(gzip.decompress((folder / name).read_bytes()))
            problem = parse_problem(best["problem"])
            tour = problem.tour([parse_square(square) for square in best["tour"]])
            svg = str(optimum_picture(problem, [tour], best["objective"]))
            address = f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"
            text = f"{problem.label}: {describe_value(best['objective'], best['value'])}"
            figures.append(
                f'<figure><img src="{address}" alt="{escape(text, quote=True)}"/>'
                f"<figcaption>{escape(text)}</figcaption></figure>"
            )
        html = f'<div class="best-tours">{"".join(figures)}</div>'
        return [nodes.raw("", html, format="html")]


class Commands(SphinxDirective):
    """Lists the commands with their arguments and options."""

    def run(self) -> list[nodes.Node]:
        from kt_cp.cli import COMMANDS, command_of

        return [self.section(name, command_of(name)) for name in sorted(COMMANDS)]

    def section(self, name: str, command: Any) -> nodes.Node:
        section = nodes.section(ids=[f"kt-cp-{name}"], names=[f"kt-cp {name}"])
        section += nodes.title("", f"kt-cp {name}")
        with command.make_context(name, [], resilient_parsing=True) as context:
            usage = " ".join(["kt-cp", name, *command.collect_usage_pieces(context)])
            section += nodes.literal_block(usage, usage, language="console")
            for text in (command.help or "").split("\n\n"):
                section += nodes.paragraph("", text.replace("\n", " "))
            rows = [record for each in command.get_params(context)
                    if (record := each.get_help_record(context))]  # fmt: skip
        options = nodes.definition_list()
        for option, text in rows:
            options += nodes.definition_list_item(
                "",
                nodes.term("", "", nodes.literal("", option)),
                nodes.definition("", nodes.paragraph("", text)),
            )
        section += options
        return section


def write_notebook(app: Any, cells: list[list[Any]]) -> str:
    """Writes the notebook of a page: its text, and cells for each command; returns its address."""
    name = app.env.docname
    source = Path(app.env.doc2path(name)).read_text(encoding="utf-8")
    source = re.sub(r"\[([^]]+)\]\([^)]+\.md\)", r"\1", source)  # no page is beside the notebook
    notebook = nbformat.v4.new_notebook()
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    texts = re.split(r"```{kt-cp}.*?\n```\n", source, flags=re.DOTALL)
    for text, shown in zip(texts, [*cells, []], strict=True):
        if text.strip():
            notebook.cells.append(nbformat.v4.new_markdown_cell(text.strip()))
        notebook.cells += shown
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"  # the same page gives the same file
    nbformat.validate(notebook)
    path = Path(app.outdir) / "_notebooks" / f"{name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)
    return "../" * name.count("/") + f"_notebooks/{name}.ipynb"


def finish_page(app: Any, page: nodes.document) -> None:
    name, cells = app.env.docname, app.env.temp_data.pop("kt-cp cells", [])
    is_notebook = any(page.findall(nodes.container))  # MyST-NB offers those itself
    if cells and name.startswith("tutorials/") and not is_notebook:
        address = write_notebook(app, cells)
        html = f'<p>Download this page as a <a download href="{address}">notebook</a>.</p>'
        title = next(page.findall(nodes.title))
        title.parent.insert(1, nodes.raw("", html, format="html"))
    folder = app.env.temp_data.pop("kt-cp", None)
    if folder:
        shutil.rmtree(folder, ignore_errors=True)


def setup(app: object) -> dict[str, bool]:
    app.add_directive("kt-cp", Command)
    app.add_directive("kt-cp-commands", Commands)
    app.add_directive("best-tours", BestTours)
    app.connect("doctree-read", finish_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
