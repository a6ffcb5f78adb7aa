# SPDX-License-Identifier: GPL-2.0
"""A static site generator. Its articles share a layout and some partials."""

import os
import sys

PARTIALS = ["layout", "head", "menu", "sidebar", "related", "footer", "scripts", "license"]


def load(name):
    with open(f"theme/{name}.html", encoding="utf-8") as file:
        return file.read()


def setup():
    os.makedirs("theme", exist_ok=True)
    for name in PARTIALS[1:]:
        with open(f"theme/{name}.html", "w", encoding="utf-8") as file:
            file.write(f"<div class='{name}'>" + "lorem ipsum " * 40 + "</div>\n")
    places = "".join("{" + name + "}" for name in PARTIALS[1:])
    with open("theme/layout.html", "w", encoding="utf-8") as file:
        file.write("<article>" + places + "{body}</article>")


def main(way):
    os.makedirs("public", exist_ok=True)
    kept = {name: load(name) for name in PARTIALS} if way == "good" else None
    for number in range(200):
        page = ""
        for article in range(32):
            # The bad way reads the theme for each article, so that a change would be seen.
            theme = kept or {name: load(name) for name in PARTIALS}
            text = theme["layout"]
            for name in PARTIALS[1:]:
                text = text.replace("{" + name + "}", theme[name])
            page += text.replace("{body}", f"<h1>Article {number}-{article}</h1>")
        with open(f"public/{number}.html", "w", encoding="utf-8") as file:
            file.write(page)


if __name__ == "__main__":
    setup()
    main(sys.argv[1])
