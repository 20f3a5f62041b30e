# Everything a newcomer needs: `make demo` shows it, `make test` proves it. Both set themselves up in .venv.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test slow check train lock clean

demo: .venv/.run
	$(BIN)/macuil demo

test: .venv/.test
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

# Whole games from pixels, long properties and accuracy on labelled pictures: some seven minutes on two cores.
slow: .venv/.test
	$(BIN)/python -m pytest -n auto --dist worksteal -m slow

check: .venv/.test
	$(BIN)/ruff check --no-cache .
	$(BIN)/ruff format --no-cache --check .
	$(BIN)/mypy

# Makes the nets again from nothing: renders their scenes, trains, measures. Some six hours on two cores.
# The judges are trained three times: the second time they also learn from what they mistook, the third time from whole
# throws, each bean seen beside the others.
train: .venv/.train
	for net in finder beans "beans --go-on" "beans --thrown" dice "dice --go-on" "dice --thrown"; do \
	    $(BIN)/python -m vision.training.train $$net || exit 1; done
	$(BIN)/python -m vision.training.calibrate
	$(BIN)/python -m vision.training.report

# Pins every dependency with its hashes, for all platforms, without naming a registry.
lock: | .venv/bin/python
	$(PIP) uv
	$(BIN)/uv pip compile $(UPGRADE) -q --universal --generate-hashes --no-header --no-emit-index-url --no-annotate \
	    --python-version 3.11 --extra build pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile $(UPGRADE) -q --universal --generate-hashes --no-header --no-emit-index-url --no-annotate \
	    --python-version 3.11 --extra build --extra test -c requirements.lock pyproject.toml -o requirements-test.lock
	grep '^opencv-python==' requirements.lock | sed 's/ .*//; s/python==/python-headless==/' | \
	    $(BIN)/uv pip compile -q --no-deps --universal --generate-hashes --no-header --no-emit-index-url \
	    --no-annotate --python-version 3.11 - -o requirements-headless.lock

clean:
	rm -rf .venv

.venv/bin/python:
	@echo "First Macuil is set up in .venv: some 300 MB, 600 with the tests, in about 40 s on a fast line. Only once."
	$(PYTHON) -m venv .venv

.venv/.run: requirements.lock requirements-headless.lock pyproject.toml | .venv/bin/python
	@echo "Installing the packages that Macuil needs into .venv; please wait."
	$(PIP) --require-hashes -r requirements.lock
	$(MAKE) --no-print-directory opencv
	touch $@

.venv/.test: requirements-test.lock requirements-headless.lock pyproject.toml | .venv/bin/python
	@echo "Installing the packages that Macuil and its tests need into .venv; please wait."
	$(PIP) --require-hashes -r requirements-test.lock
	$(MAKE) --no-print-directory opencv
	touch $@ .venv/.run

# Not pinned: nothing that runs at the table is made of these.
.venv/.train: pyproject.toml | .venv/.test
	$(PIP) --no-build-isolation --editable '.[training]'
	touch $@

# A machine without a desktop lacks the libraries of OpenCV's windows; the same release without windows does there.
# Both own the folder cv2/, so both go before one comes: a second target installs the first one over the other again.
# Macuil itself is put on the path as it lies, so that an edit counts at once.
.PHONY: opencv
opencv:
	$(BIN)/python -c "import cv2" 2>/dev/null || { \
	    $(BIN)/python -m pip uninstall --quiet --yes opencv-python opencv-python-headless && \
	    $(PIP) --require-hashes -r requirements-headless.lock && $(BIN)/python -c "import cv2"; }
	$(PIP) --no-deps --no-build-isolation --editable .
