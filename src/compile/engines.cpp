#include "halocline/compile/engines.hpp"

#include "base/named_row.hpp"
#include "compile/interpreter.hpp"
#include "compile/kernels.hpp"

#include <array>

namespace halocline::compile {
namespace {

constexpr std::array table{
    Engine{"interpreter", "walks the constructors of the layouts for every pack", interpret},
    Engine{"kernels", "precompiled loops, chosen by block size and nesting", choose_kernels},
};

}  // namespace

std::span<const Engine> engines() { return table; }

const Engine& engine(std::string_view name) { return named_row(table, "engine", name); }

const Engine& engine(Choice choice) {
  if (choice == Choice::automatic) return default_engine();
  for (const Engine& row : table)
    if (row.name == to_text(choice)) return row;
  fail(Fault::unsupported, "the engine ", to_text(choice), " is not part of this library");
}

const Engine& default_engine() { return table.back(); }

}  // namespace halocline::compile
