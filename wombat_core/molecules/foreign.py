"""What is no list of molecules: formats and notations told by their content, each with one sentence."""

import json
import re

_COORDINATES = re.compile(r"\s*(\d+\s+)?[A-Z][a-z]?\d{0,4}(\s+-?\d+)?(\s+[-+]?\d*\.?\d+(?:[eEdD][-+]?\d+)?){3,}\s*")
_TAIL = "give it as SDF, MOL or SMILES"
_NO_BONDS = f"coordinates, which do not tell the bonds; {_TAIL}"
_PDB = f"a PDB file (Protein Data Bank): {_NO_BONDS}"
_PROGRAM = f"a file of a quantum chemistry program: {_NO_BONDS}"
_SIGNATURES: tuple[tuple[str, str], ...] = (
    (r"\A\s*@<TRIPOS>|^@<TRIPOS>MOLECULE", f"a MOL2 file (SYBYL), which is not read here; {_TAIL}"),
    (r"^(ATOM|HETATM)\s{0,6}\d+ .{20,}", _PDB),
    (r"\A\s*(HEADER|CRYST1|COMPND|REMARK)\s.*\n(.*\n)*?(ATOM|HETATM|CRYST1|COMPND|SOURCE|REMARK)", _PDB),
    (
        r"\A([ \t]*#.*\n|[ \t]*\n)*data_\S*[ \t]*\n(.*\n)*?[ \t]*(loop_|_\w+)",
        f"a CIF file (crystal structure): {_NO_BONDS}",
    ),
    (r"\A\s*(\$RDFILE|\$RXN)", "a reaction file, and a reaction is not a molecule; give the molecules one by one"),
    (r"\A\s*\$MDL", f"an RG file, which describes many molecules at once by R groups; {_TAIL}"),
    (
        r"\A\s*>[^\n]*\n[A-Za-z*\-]+[ \t]*(\n|\Z)",
        "a FASTA file: its letters are a sequence of amino acids or bases, not atoms",
    ),
    (r"\A\s*LOCUS\s+\S+\s+\d+ (bp|aa)", "a GenBank file: a sequence of bases or amino acids, not atoms"),
    (
        r"\A\s*<(\?xml|(\w+:)?(cml|molecule|CDXML|MDocument|html|!DOCTYPE|svg|datawarrior))",
        f"XML or HTML, which is not read here; {_TAIL}",
    ),
    (r"\A\s*(%\w+=?.*\n)*#[ \t]*[PNTpnt]?[ \t]*[\w+()]+/\S+", f"an input of Gaussian: {_NO_BONDS}"),
    (r"\A\s*(Entering Gaussian|\$coord|\$molecule|\[Molden Format\])", _PROGRAM),
    (r"\A\s*(import|from) \w+.*\n|\A#!.*(python|bash|sh)\b|^def \w+\(", "a program's source text"),
)


def foreign_file(start: str) -> str | None:
    """What a text file is that holds no list of molecules, "a PDB file ...", or None.

    Args:
        start: the beginning of its text.
    """
    start = start[: 1 << 16]
    for pattern, what in _SIGNATURES:
        if re.search(pattern, start, re.MULTILINE):
            return what
    lines = [line for line in start.splitlines()[:200] if line.strip()]
    if found := _coordinates(lines):
        return found
    if lines and (named := foreign_text(lines[0].strip())) and "[" not in lines[0][:1]:
        return named[1] if len(lines) == 1 or foreign_text(lines[1].strip()) else None
    return None


def _coordinates(lines: list[str]) -> str | None:
    counted = len(lines) > 2 and lines[0].strip().isdecimal()
    rows = lines[2:] if counted else lines
    # The remark of an XYZ file may be an empty line, which is not among these.
    fitting = sum(len(line) < 200 and bool(_COORDINATES.fullmatch(line)) for line in rows)
    if counted and fitting + 1 >= min(int(lines[0]), len(rows)) and fitting >= 1:
        return f"an XYZ file: {_NO_BONDS}"
    if len(lines) > 2 and fitting > 0.6 * len(lines):
        return f"a list of coordinates (as in XYZ files), which do not tell the bonds; {_TAIL}"
    return None


def foreign_text(text: str) -> tuple[str, str] | None:
    """The notation of one text that is no SMILES: its name, and a clause "SELFIES, which ..."; or None."""
    if re.match(r"(PEPTIDE|RNA|CHEM|BLOB)\d+\{.*\}.*\$", text):
        return "HELM", "HELM, a notation of peptides and nucleotides, which is not read here; give it as SMILES"
    tokens = re.fullmatch(r"(\[[^\[\]\s]+\]|\.)+", text) and re.findall(r"\[([^\[\]]+)\]", text)
    if tokens and any(re.match(r"[=#/\\-]|(Branch|Ring|[=#]?Expl)", token) for token in tokens):
        return "SELFIES", "SELFIES, which is not read here; convert it to SMILES"
    if re.match(r"[\[{]", text) and _is_json(text):
        return "JSON", "JSON; give the SMILES itself, or a file with one JSON object a line"
    if re.match(r"(1S?/)?[A-Z][A-Za-z0-9]*/c\d", text):
        return "InChI", "an InChI without its beginning; write 'InChI=1S/' in front"
    if re.fullmatch(r"<[^>]+>.*", text):
        return "XML", "XML or HTML"
    if re.fullmatch(r"(wln|WLN)[:=]\s*\S+", text):
        return "WLN", "Wiswesser line notation, which is not read here; give it as SMILES"
    if re.fullmatch(r"(H-|Ac-|Boc-|Fmoc-)?([A-Z][a-z]{2}-){2,}[A-Z][a-z]{2}(-OH|-NH2)?", text):
        return "peptide", "a peptide in three-letter codes, which is not read here; give it as SMILES"
    return None


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False


_DATABASES = {
    "ZINC": "ZINC",
    "CHEMBL": "ChEMBL",
    "SCHEMBL": "SureChEMBL",
    "DB": "DrugBank",
    "CID": "PubChem",
    "SID": "PubChem",
    "HMDB": "HMDB",
    "CHEBI": "ChEBI",
    "DTXSID": "CompTox",
    "DTXCID": "CompTox",
    "MCULE": "Mcule",
    "MOLPORT": "MolPort",
    "NSC": "NCI",
    "BDBM": "BindingDB",
    "UNII": "UNII",
    "KEGG": "KEGG",
    "Q": "Wikidata",
    "EN": "Enamine",
    "AKOS": "AKos",
    "MFCD": "MDL",
    "LMFA": "LIPID MAPS",
    "CSID": "ChemSpider",
    "CCDC": "CSD",
}


def database_of(text: str) -> str | None:
    """The database whose identifier a text is, "" of one that has no name here, None of another text.

    Letters and a long number are an identifier; the digits of a SMILES close rings and are few.
    """
    found = re.fullmatch(
        r"(?:pubchem|chemspider|drugbank|kegg)?[ :]*"
        r"([A-Za-z]{1,12})[-_: ]{0,2}([A-Za-z]{0,3})\d{0,3}[-_:]?(\d{3,})([-_]\d+)*",
        text,
        re.IGNORECASE,
    ) or re.fullmatch(r"([A-Z]{2,12})[-_:]?()(\d{2,})", text)
    if not found:
        return None
    letters, longest = found[1], max(map(len, re.findall(r"\d+", text)))
    atoms_alone = re.fullmatch(r"(Cl|Br|[BCNOPSFIbcnops])+", letters + (found[2] or ""))
    prefix = letters.upper()
    if prefix in _DATABASES and (not atoms_alone or longest > 3):
        return _DATABASES[prefix]
    if atoms_alone and longest < 5:
        return None
    if not atoms_alone and longest < 3:
        return None
    return ""
