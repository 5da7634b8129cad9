// GHEX as ways of `halocline bench halo`: messages, and its bulk exchange, which copies within a process and,
// where it was built with XPMEM, within a node.

#include "module_way.hpp"

#include <ghex/bulk_communication_object.hpp>
#include <ghex/communication_object.hpp>
#include <ghex/structured/pattern.hpp>
#include <ghex/structured/regular/domain_descriptor.hpp>
#include <ghex/structured/regular/field_descriptor.hpp>
#include <ghex/structured/regular/halo_generator.hpp>
#include <ghex/structured/regular/make_pattern.hpp>
#include <ghex/structured/rma_range_generator.hpp>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

namespace halocline::bench {
namespace {

using tools::HaloModuleProblem;
using Dimensions = std::integral_constant<int, 3>;
using Domain = ghex::structured::regular::domain_descriptor<int, Dimensions>;
using Generator = ghex::structured::regular::halo_generator<int, Dimensions>;
using Ints = std::array<int, 3>;

/// The box of a process, numbered as processes are.
Domain domain_of(const HaloModuleProblem& problem) {
  int rank = 0;
  MPI_Comm_rank(problem.cart, &rank);
  Ints first{}, last{};
  for (std::size_t d = 0; d < 3; ++d) {
    first[d] = static_cast<int>(problem.cell[d] * problem.extents[d]);
    last[d] = first[d] + static_cast<int>(problem.extents[d]) - 1;
  }
  return {rank, first, last};
}

Generator generator_of(const HaloModuleProblem& problem) {
  if (problem.directions != 26)
    throw std::runtime_error(std::string("GHEX fills the halo along moore:1, not ") + problem.stencil);
  Ints last{};
  for (std::size_t d = 0; d < 3; ++d)
    last[d] = static_cast<int>(problem.processes[d] * problem.extents[d]) - 1;
  std::array<int, 6> widths{};
  widths.fill(static_cast<int>(problem.width));
  return {Ints{}, last, widths, std::array<bool, 3>{true, true, true}};
}

/// An array in the order of C.
auto wrapped(const Domain& domain, double* array, const Ints& widths, const Ints& padded) {
  return ghex::wrap_field<ghex::cpu, gridtools::layout_map<0, 1, 2>>(domain, array, widths, padded);
}
using Field = decltype(wrapped(std::declval<Domain>(), nullptr, Ints{}, Ints{}));
using Pattern = decltype(ghex::make_pattern<ghex::structured::grid>(
    std::declval<ghex::context&>(), std::declval<Generator&>(), std::declval<std::vector<Domain>&>()));

/// What both kinds of exchange need.
class GhexFields {
 public:
  explicit GhexFields(const HaloModuleProblem& problem)
      : context(problem.cart, false),
        domains{domain_of(problem)},
        generator(generator_of(problem)),
        pattern(ghex::make_pattern<ghex::structured::grid>(context, generator, domains)) {
    Ints widths{}, padded{};
    for (std::size_t d = 0; d < 3; ++d) {
      widths[d] = static_cast<int>(problem.width);
      padded[d] = static_cast<int>(problem.extents[d]) + 2 * widths[d];
    }
    for (std::size_t i = 0; i < problem.array_count; ++i)
      fields.push_back(wrapped(domains.front(), problem.arrays[i], widths, padded));
  }

  ghex::context context;
  std::vector<Domain> domains;
  Generator generator;
  Pattern pattern;
  std::vector<Field> fields;
};

class GhexHalo {
 public:
  explicit GhexHalo(const HaloModuleProblem& problem)
      : data_(problem), exchange_(ghex::make_communication_object<Pattern>(data_.context)) {
    for (Field& field : data_.fields) parts_.push_back(data_.pattern(field));
  }
  void run() { exchange_.exchange(parts_.begin(), parts_.end()).wait(); }

 private:
  using Exchange = decltype(ghex::make_communication_object<Pattern>(std::declval<ghex::context&>()));
  using Part = decltype(std::declval<Pattern&>()(std::declval<Field&>()));
  GhexFields data_;
  Exchange exchange_;
  std::vector<Part> parts_;
};

class GhexBulkHalo {
 public:
  explicit GhexBulkHalo(const HaloModuleProblem& problem) : data_(problem), exchange_(data_.context) {
    for (Field& field : data_.fields) exchange_.add_field(data_.pattern(field));
    exchange_.init();
  }
  void run() { exchange_.exchange().wait(); }

 private:
  GhexFields data_;
  ghex::bulk_communication_object<ghex::structured::rma_range_generator, Pattern, Field> exchange_;
};

constexpr tools::HaloModuleWay ways[] = {module_way<GhexHalo>("ghex"), module_way<GhexBulkHalo>("ghex_bulk")};
constexpr tools::HaloModule ghex_module{tools::halo_module_version, ways, std::size(ways), [] {}};

}  // namespace
}  // namespace halocline::bench

HALOCLINE_HALO_MODULE { return &halocline::bench::ghex_module; }
