# Two commands do everything: make demo, make test. Set-up happens on the way, once.
JOBS ?= $(shell nproc)

.PHONY: all demo test build bench docs format check clean

all: build

demo: ; @scripts/setup.sh demo && JOBS=$(JOBS) scripts/demo.sh
test: ; @scripts/setup.sh test && JOBS=$(JOBS) scripts/test.sh
build: ; @scripts/setup.sh demo && JOBS=$(JOBS) scripts/build.sh release
bench: ; @scripts/setup.sh demo && JOBS=$(JOBS) scripts/build.sh release -DHALOCLINE_BENCHMARKS=ON
check: ; @scripts/setup.sh test && JOBS=$(JOBS) scripts/check.sh --all
docs: ; @scripts/setup.sh docs && mkdir -p build && doxygen docs/Doxyfile && echo "The reference: build/docs/html/index.html"
format: ; @scripts/setup.sh test && git ls-files '*.cpp' '*.hpp' '*.c' '*.h' | xargs clang-format -i
clean: ; rm -rf build
