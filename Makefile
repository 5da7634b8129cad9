# Two commands do everything: make demo, make test. Set-up happens on the way, once.
JOBS ?= $(shell nproc)

.PHONY: all demo test fuzz build install uninstall bench docs format check clean

all: build

demo: ; @scripts/setup.sh demo && JOBS=$(JOBS) scripts/demo.sh
test: ; @scripts/setup.sh test && JOBS=$(JOBS) scripts/test.sh
# make fuzz MINUTES=30 TARGETS=halos MPI=mpich SANITIZE=address: scripts/fuzz.py says what they mean.
fuzz: ; @scripts/setup.sh test && JOBS=$(JOBS) scripts/fuzz.py \
  $(if $(MINUTES),--minutes $(MINUTES)) $(if $(TARGETS),--targets "$(TARGETS)") $(if $(MPI),--mpi $(MPI)) \
  $(if $(SANITIZE),--sanitize $(SANITIZE)) $(if $(RANKS),--ranks "$(RANKS)") $(if $(SEED),--seed $(SEED)) $(if $(CASES),--cases $(CASES))
build: ; @scripts/setup.sh demo && JOBS=$(JOBS) scripts/build.sh release
# make install PREFIX=$HOME/halocline; without a PREFIX into /usr/local. make uninstall takes away what was installed last.
install: build ; @cmake --install build/release $(if $(PREFIX),--prefix "$(PREFIX)") >build/install.log && tail -n 1 build/install.log
uninstall: ; @cmake -DMANIFEST=build/release/install_manifest.txt -P cmake/Uninstall.cmake
bench: ; @scripts/setup.sh demo && JOBS=$(JOBS) scripts/build.sh release -DHALOCLINE_BENCHMARKS=ON
check: ; @scripts/setup.sh test && JOBS=$(JOBS) scripts/check.sh --all
docs: ; @scripts/setup.sh docs && mkdir -p build && doxygen docs/Doxyfile && echo "The reference: build/docs/html/index.html"
format: ; @scripts/setup.sh test && git ls-files '*.cpp' '*.hpp' '*.c' '*.h' | xargs clang-format -i
clean: ; rm -rf build
