// How often a start on a stream calls the driver, of which the host plays one, and that a question to it
// tells memory that was freed. The only program that counts them: run by two processes, or one.

#include "accelerate/cuda/cuda_device.hpp"
#include "accelerate/cuda/cuda_driver.hpp"
#include "accelerate/device/device.hpp"
#include "halocline/base/error.hpp"
#include "halocline/halo/halo.hpp"
#include "halocline/mpi/cart.hpp"

#include <mpi.h>

#include <cstdio>
#include <map>
#include <optional>
#include <string>

namespace {

using namespace halocline;
using accelerate::CudaDriver;
using accelerate::OwnMemory;

std::map<std::string, int> calls;

/// Counts one function of the driver from now on.
template <auto member, class Result, class... Arguments>
void count(CudaDriver& driver, const char* name, Result (*CudaDriver::* /*as member*/)(Arguments...)) {
  static Result (*original)(Arguments...) = nullptr;
  static std::string its_name;
  original = driver.*member;
  its_name = name;
  driver.*member = [](Arguments... arguments) -> Result {
    ++calls[its_name];
    return original(arguments...);
  };
}

void count_all() {
  auto& driver = const_cast<CudaDriver&>(CudaDriver::get());
#define COUNT(name) count<&CudaDriver::name>(driver, #name, &CudaDriver::name)
  COUNT(current_context);
  COUNT(push_context);
  COUNT(pop_context);
  COUNT(stream_context);
  COUNT(launch);
  COUNT(copy);
  COUNT(query_stream);
  COUNT(synchronize_stream);
  COUNT(synchronize_context);
  COUNT(stream_waits);
  COUNT(record_event);
  COUNT(words);
  COUNT(attribute);
  COUNT(attributes);
#undef COUNT
}

bool ok = true;
void expect(const char* what, int most) {
  const int number = calls[what];
  if (number <= most) return;
  std::printf("%s: %d calls, at most %d were expected\n", what, number, most);
  ok = false;
}

template <class Work>
bool refuses(const char* word, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (std::string(error.what()).find(word) != std::string::npos) return true;
    std::printf("it says: %s\n", error.what());
  }
  return false;
}

void run() {
  accelerate::Device& device = accelerate::cuda_device(0);
  int processes = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  const Cart cart(MPI_COMM_WORLD, Mesh({4 * processes, 6, 5}, {true, true, true}), Stencil::moore(3, 1),
                  {.fixed = Counts{processes, 1, 1}});
  constexpr Count bytes = Count{6} * 8 * 7 * 8;
  const auto field_at = [&](std::byte* memory) {
    return view(reinterpret_cast<double*>(memory), {6, 8, 7}, HaloWidths({1, 1, 1}));
  };
  const OwnMemory both(device, OwnMemory::Kind::of_device, 2 * bytes);
  std::optional<OwnMemory> alone(std::in_place, device, OwnMemory::Kind::of_device, bytes);
  {
    Halo halo(cart, HaloSlots{field_at(both.get()), field_at(both.get() + bytes), field_at(alone->get())});
    halo.verify();
    const accelerate::OwnStream stream(device);
    for (int round = 0; round < 4; ++round) {
      calls.clear();
      halo.start(stream.get());
      halo.wait(stream.get());
      const std::map<std::string, int> counted = calls;
      device.synchronize(stream.get());
      if (round == 0) continue;  // the stream is looked at once
      calls = counted;
      // Of three fields in two allocations.
      expect("attribute", 2);
      expect("words", 2);
      expect("launch", 1);
      expect("current_context", 3);
      for (const char* const other :
           {"push_context", "pop_context", "stream_context", "copy", "query_stream", "synchronize_stream",
            "synchronize_context", "stream_waits", "record_event", "attributes"})
        expect(other, 0);
      if (calls["launch"] != 1 || calls["attribute"] != 2) ok = false;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    alone.reset();
    if (!refuses("field 2 lay in memory", [&] { halo.start(stream.get()); })) ok = false;
    alone.emplace(device, OwnMemory::Kind::of_device, bytes);  // as a rule at the same address
    if (!refuses("field 2 lay in memory", [&] { halo.start(); })) ok = false;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    count_all();
    run();
  } catch (const Error& error) {
    std::printf("%s\n", error.what());
    ok = false;
  }
  MPI_Finalize();
  return ok ? 0 : 1;
}
