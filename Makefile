# Two commands: `make app` and `make test`. Each makes its own environment first; a second call installs nothing.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
PORT ?= 8501
export OMP_NUM_THREADS ?= 1

.PHONY: app test lint audit soak docs bench facts clean

app: $(VENV)/.installed
	$(BIN)/streamlit run app.py --server.port $(PORT)

test: $(VENV)/.installed-dev lint
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright

# Packages that do not fit together, or have a known vulnerability (where that can be asked).
audit: $(VENV)/.installed-dev
	$(BIN)/python -m tests.audit

# Hostile input, visitors and kills, with counts; about ten minutes, not part of the tests.
soak: $(VENV)/.installed-dev
	$(BIN)/python -m tests.soak

docs: $(VENV)/.installed-dev
	$(BIN)/python -m pdoc --docformat google --output-directory build/docs wombat_core

bench: $(VENV)/.installed-dev
	$(BIN)/python -m tests.bench

# What `wombat catalogue list motifs` says of each: again after a change of the compiler or of motifs.yaml.
facts: $(VENV)/.installed-dev
	$(BIN)/python -m wombat_core catalogue certify motifs --facts --out wombat_core/data/catalogues/certified.jsonl

clean:
	rm -rf $(VENV) assets/vendor build

$(VENV)/.installed: requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -r requirements.txt
	$(BIN)/python -m wombat_core.drawing.fetch_viewer
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed requirements-dev.txt
	$(BIN)/python -m pip install --quiet -r requirements-dev.txt
	touch $@
