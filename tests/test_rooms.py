"""The rooms of the house and the arrows between them."""

import ast
from pathlib import Path

import pytest

from tests.browser import ROOT

PAGES, CORE = ROOT / "pages", ROOT / "wombat_core"


def name_of(path: Path) -> str:
    """The module of a file."""
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return name.removesuffix(".__init__")


MODULES = {name_of(path): path for folder in (PAGES, CORE) for path in folder.rglob("*.py")} | {"app": ROOT / "app.py"}


def imports_of(module: str, at_import: bool = False) -> set[str]:
    """Modules of this house and others that one imports, also within functions.

    Args:
        at_import: only what runs when the module is imported.
    """
    path, found = MODULES[module], set()
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    stack = list(ast.parse(path.read_text(encoding="utf-8")).body)
    while stack:
        node = stack.pop()
        if at_import and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if at_import and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                found.add(f"{origin}.{alias.name}" if f"{origin}.{alias.name}" in MODULES else origin)
        stack.extend(ast.iter_child_nodes(node))
    return found - {module}


def part_of(module: str) -> str | None:
    """The page whose part a module is, or which it is."""
    parts = module.split(".")
    if parts[:2] == ["pages", "parts"] and len(parts) > 2:
        return parts[2]
    return parts[1] if parts[0] == "pages" and len(parts) == 2 else None


@pytest.mark.parametrize("module", [name for name in MODULES if part_of(name)])
def test_a_page_knows_nothing_of_another_pages_parts(module):
    others = {part_of(name) for name in imports_of(module)} - {None, part_of(module)}
    assert not others, f"{module} reaches into {others}; what both need moves to pages/shared or pages/addresses"


def test_the_core_knows_neither_streamlit_nor_pages():
    for module in MODULES:
        if module.startswith("wombat_core"):
            roots = {name.split(".")[0] for name in imports_of(module)}
            assert not roots & {"streamlit", "pages", "app"}, module


def test_shared_knows_no_page():
    for module in MODULES:
        if module.startswith(("pages.shared", "pages.addresses")):
            assert not [name for name in imports_of(module) if part_of(name)], module


def test_no_module_imports_itself_on_a_way_around():
    arrows = {module: {name for name in imports_of(module, at_import=True) if name in MODULES} for module in MODULES}
    done: set[str] = set()

    def walk(module: str, way: tuple[str, ...]) -> None:
        assert module not in way, " -> ".join((*way[way.index(module) :], module))
        if module not in done:
            for name in sorted(arrows[module]):
                walk(name, (*way, module))
            done.add(module)

    for module in sorted(arrows):
        walk(module, ())


def users_of(module: str, arrows: dict[str, set[str]]) -> set[str]:
    """Pages that use a module of `pages/shared`, on any way through others of it; the app counts for every page."""
    pages, seen, stack = set(), set(), [module]
    while stack:
        used = stack.pop()
        for other, names in arrows.items():
            if used in names and other not in seen:
                seen.add(other)
                if other == "app":
                    pages.add("app")
                elif page := part_of(other):
                    pages.add(page)
                else:
                    stack.append(other)
    return pages


def test_shared_holds_only_what_two_pages_use():
    arrows = {module: imports_of(module) for module in MODULES if not module.startswith("wombat_core")}
    for module in arrows:
        if module.startswith("pages.shared") and module != "pages.shared":
            users = users_of(module, arrows)
            assert "app" in users or len(users) > 1, f"{module} is used by {users or 'no page'} only"


def test_a_pages_class_has_one_meaning():
    """No two modules of the pages define public classes of one name."""
    homes: dict[str, list[str]] = {}
    for module, path in MODULES.items():
        if module.startswith("pages"):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    homes.setdefault(node.name, []).append(module)
    assert not {name: where for name, where in homes.items() if len(where) > 1}
