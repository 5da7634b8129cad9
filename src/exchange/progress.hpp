// What of ours is under way in this process. Whoever waits for one operation moves all of them, as MPI does:
// otherwise two processes that wait for two operations in different order would wait forever.
#pragma once

#include <functional>
#include <memory>
#include <vector>

namespace halocline::exchange {

/// Something that goes on after its start.
class Active {
 public:
  Active() = default;
  Active(const Active&) = delete;
  Active& operator=(const Active&) = delete;
  virtual ~Active() = default;
  /// Does what can be done now. True once it is complete.
  virtual bool advance() = 0;
};

class Progress {
 public:
  /// That of this process; it hangs on MPI_COMM_SELF.
  [[nodiscard]] static std::shared_ptr<Progress> of_process();

  void add(Active& operation) { active_.push_back(&operation); }
  void remove(Active& operation) { std::erase(active_, &operation); }

  /// Moves everything once.
  void advance_all();
  /// Moves everything until `done()`. Spins for a moment, then lets others have the core at every turn: ranks
  /// may outnumber cores.
  void wait_until(const std::function<bool()>& done);

 private:
  std::vector<Active*> active_;
};

}  // namespace halocline::exchange
