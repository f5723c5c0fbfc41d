# Two commands for newcomers: `make demo` and `make test`. Everything is installed into .venv, once.

PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11 python,\
	$(shell $(name) -c 'import sys; sys.version_info >= (3, 11) and print("$(name)")' 2>/dev/null)))
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# Two processes; one that has run all of its tests takes over half of the other's. Plain `pytest` runs in one.
IN_TWO := -n 2 --dist worksteal

.PHONY: demo test test-all check docs bench format clean

demo: .venv/server-installed
	$(BIN)/satchel demo --page

test: .venv/all-installed .venv/browser-looked-for
	$(BIN)/python -m pytest $(IN_TWO)

# With the long runs over both stores, which take minutes.
test-all: .venv/all-installed .venv/browser-looked-for
	$(BIN)/python -m pytest $(IN_TWO) -m ''

check: .venv/all-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mkdocs build --strict --quiet

docs: .venv/all-installed
	$(BIN)/mkdocs build --strict
	@echo "The documentation is in site/index.html"

bench: .venv/bench-installed
	$(BIN)/python -m benchmarks

format: .venv/all-installed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf .venv site .mypy_cache .pytest_cache .ruff_cache .hypothesis

.venv/core-installed: .venv/pip-upgraded pyproject.toml constraints.txt
	$(PIP) install --quiet --constraint constraints.txt --editable .
	touch $@

.venv/server-installed: .venv/core-installed
	$(PIP) install --quiet --constraint constraints.txt --editable '.[server]'
	touch $@

.venv/all-installed: .venv/pip-upgraded pyproject.toml constraints.txt
	$(PIP) install --quiet --constraint constraints.txt --editable '.[all]' --group test --group check --group docs
	touch .venv/core-installed .venv/server-installed $@

.venv/bench-installed: .venv/all-installed
	$(PIP) install --quiet --constraint constraints.txt --group bench
	touch $@

# The page is tested in Chromium. It is installed where that may be done (as root, with apt), once, and given up after two
# minutes; without it the browser tests are skipped, and nothing else changes.
CHROMIUM = [ -n "$$SATCHEL_BROWSER" ] || command -v chromium || command -v chromium-browser || command -v google-chrome
APT = DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes --no-install-recommends

.venv/browser-looked-for: .venv/all-installed
	@timeout 60 $(PIP) install --quiet --retries 1 --group browser || echo "playwright cannot be installed now"
	@{ $(CHROMIUM); } >/dev/null || [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null || { \
		echo "installing Chromium for the tests of the page"; \
		timeout 30 sh -c '$(APT) install --download-only chromium || { $(APT) update && $(APT) install --download-only chromium; }' \
			</dev/null >/dev/null 2>&1 && timeout 90 sh -c '$(APT) install chromium' </dev/null >/dev/null 2>&1; } || true
	@{ $(CHROMIUM); } >/dev/null || echo "no Chromium was found, so the browser tests are not run (install it, or set SATCHEL_BROWSER)"
	touch $@

.venv/pip-upgraded:
	@test -n "$(PYTHON)" || { echo "Satchel needs Python 3.11 or newer; none was found (set PYTHON=/path/to/python)"; exit 1; }
	$(PYTHON) -m venv .venv
	$(PIP) install --quiet --upgrade 'pip>=25.1'
	touch $@
