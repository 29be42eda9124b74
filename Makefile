# Thin front door; the build itself is meson's. BUILD=dir chooses another build directory.
BUILD ?= build
MESON_FLAGS ?=
export CI

.PHONY: all setup bootstrap run test test-long piglit test-quick bench ledger mutate docs install clean format

all: setup
	@ninja -C $(BUILD)

# Only `make run` and `make test` install what is missing; the others say what it is.
bootstrap:
	@scripts/bootstrap

setup:
	@scripts/bootstrap --check
	@test -f $(BUILD)/build.ninja || meson setup $(BUILD) $(MESON_FLAGS) >/dev/null

run: bootstrap all
	@scripts/demo $(BUILD)

test: bootstrap all
	@scripts/test $(BUILD)

# Hours: all of piglit, fuzzing, AUB files of every list of clients, others under the sanitizer, random pipelines, IGT on a real i915.
test-long: bootstrap all
	@scripts/test-long $(BUILD)

# piglit's quick_gl and quick_shader, as far as this pipeline has what they need: hours.
piglit: bootstrap all
	@scripts/install-piglit $(BUILD)/piglit all
	@python3 tests/clients/piglit/draw.py $(BUILD)/pergola $(BUILD)/piglit tests/clients/piglit/draw.tsv

bench: all
	@scripts/bench $(BUILD)

test-quick: bootstrap all
	@PERGOLA_STAGES=unit scripts/test $(BUILD)

# make ledger [ROW=MEDIA-117] [HTML=file]
ledger: setup
	@python3 tools/ledger.py --build $(BUILD) $(if $(HTML),--html $(HTML)) $(ROW)

# make mutate [UNIT=dp] [ROW=DP-317] [COUNT=mutants a row] [MINUTES=n] [AGAIN=1] [LAYOUTS=1] [STALE=1]
mutate: setup
	@python3 tools/mutate.py --build $(BUILD)-mutate $(if $(UNIT),--unit $(UNIT)) $(if $(ROW),--row $(ROW)) \
	    $(if $(COUNT),--count $(COUNT)) $(if $(MINUTES),--minutes $(MINUTES)) $(if $(AGAIN),--again) $(if $(LAYOUTS),--layouts) \
	    $(if $(STALE),--stale)

docs: all
	@scripts/docs $(BUILD)

install: all
	@meson install -C $(BUILD)

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	@rm -rf $(BUILD)
