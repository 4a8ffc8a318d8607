"""Motifs by name: list and show them, certify whole catalogues."""

import argparse
import os
from pathlib import Path

from ..compiler.catalogues import CATALOGUES, catalogue, motif, motifs
from ..compiler.facts import Facts, facts_of, find_facts, write_facts
from ..compiler.verdicts import verdict_on, write_table
from ..errors import InputError
from ..progress import bar
from .inputs import add_json, positive, print_json, print_table

DEFAULT_LIMIT = 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    tasks = parser.add_subparsers(dest="task", required=True, metavar="TASK")
    listed = tasks.add_parser("list", help="catalogues, or the motifs of one")
    listed.add_argument("catalogue", nargs="?", help="motifs, klekota-roth, maccs, functional-groups or fragments")
    listed.add_argument("--search", metavar="TEXT", help="name, key, SMARTS, or a molecule that has the motif")
    listed.add_argument("--limit", type=positive, default=DEFAULT_LIMIT, help=f"rows (default: {DEFAULT_LIMIT})")
    add_json(listed)
    shown = tasks.add_parser("show", help="one motif")
    shown.add_argument("key")
    add_json(shown)
    certified = tasks.add_parser("certify", help="compile and certify a whole catalogue")
    certified.add_argument("catalogue", help="a catalogue, or all")
    certified.add_argument("--out", required=True, metavar="FILE", help="JSON lines; a run that was ended goes on")
    certified.add_argument("--facts", action="store_true", help="short lines, sorted, as `list` and `show` read them")
    certified.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, help="processes (default: all)")
    certified.add_argument("--encoding", default="wombat", choices=("wombat", "wombat+"), help="what networks read")
    certified.add_argument("--brief", action="store_true", help="counts and verdicts in place of whole certificates")
    certified.add_argument("--table", metavar="CSV", help="with --brief: all verdicts as one table, too")


def run(options: argparse.Namespace) -> int:
    return {"list": _list, "show": _show, "certify": _certify}[options.task](options)


def _list(options: argparse.Namespace) -> int:
    if options.catalogue is None and options.search is None:
        rows = [(each.key, str(len(each.motifs)), each.title, each.source) for each in CATALOGUES.values()]
        if options.json:
            for key, count, title, source in rows:
                print_json({"catalogue": key, "motifs": int(count), "title": title, "source": source})
        else:
            print_table(("catalogue", "motifs", "title", "source"), rows)
        return 0
    found = motifs(options.search, options.catalogue)
    shown = [(motif, facts_of(motif) or verdict_on(motif)) for motif in found[: options.limit]]
    if options.json:
        for motif, facts in shown:
            print_json(_record(motif, facts))
    elif shown:
        print_table(
            ("catalogue", "key", "name", "SMARTS", "have it", "layers", "channels", "verdict"),
            [(m.catalogue, m.key, m.name, m.smarts, *_cells(facts)) for m, facts in shown],
        )
        if len(found) > options.limit:
            print(f"{len(found) - options.limit:,} more; --limit shows them.")
    else:
        print("no such motif")
    return 0


def _record(motif, facts) -> dict:
    return vars(motif) | ({} if facts is None else vars(facts))


def _cells(facts) -> tuple[str, ...]:
    if facts is None:
        return ("",) * 4
    return f"{facts.positives:,}", str(facts.layers), str(facts.channels), facts.verdict


def _show(options: argparse.Namespace) -> int:
    found = motif(options.key)
    facts = facts_of(found) or verdict_on(found)
    record = _record(found, facts) | {"source": catalogue(found.catalogue).source}
    if options.json:
        print_json(record)
        return 0
    if isinstance(facts, Facts):
        example = facts.example or {}
        record["example"] = " ".join(filter(None, (example.get("name"), example.get("cas"), example.get("smiles"))))
    print_table(
        ("fact", "value"), [(name.replace("_", " "), _text(value)) for name, value in record.items() if value != ""]
    )
    return 0


def _text(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _certify(options: argparse.Namespace) -> int:
    from ..compiler.batch import certify_motifs, summary

    chosen = CATALOGUES.values() if options.catalogue == "all" else [catalogue(options.catalogue)]
    out = Path(options.out)
    if out.is_dir():
        raise InputError(f"{out} is a folder; --out takes a file.")
    if options.table and not options.brief:
        raise InputError("A table is made of the verdicts of --brief; say both.")
    if options.facts:
        return _certify_facts([motif for each in chosen for motif in each.motifs], out, options.jobs)
    with bar(options.catalogue):
        added = certify_motifs(
            [motif for each in chosen for motif in each.motifs],
            out,
            options.jobs,
            encoding=options.encoding,
            brief=options.brief,
        )
    print(f"{added:,} motifs added to {out}.")
    print(summary(out))
    if options.table:
        print(f"{write_table(out, Path(options.table)):,} verdicts written to {options.table}.")
    return 0


def _certify_facts(motifs: list, out: Path, jobs: int) -> int:
    with bar("facts"):
        records = find_facts(motifs, jobs)
    write_facts(records, out)
    print(f"Facts of {len(records):,} motifs written to {out}.")
    return 0
