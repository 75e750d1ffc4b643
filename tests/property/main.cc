// SPDX-License-Identifier: Apache-2.0
// Random valid schedules of point-to-point calls: every byte arrives where it belongs, and no other byte
// changes.
//
//   property_test [--schedules N] [--seconds N] [--ranks N] [--deadline N] [--seed N]
//   property_test --replay FILE [--repeat N]
//
// The first form makes and runs random schedules; a failing one is made smaller and printed. The same seed
// makes the same schedules. The second form runs a schedule that was printed. RC_PARAMS (rapidcheck) goes
// before --seed and
// --schedules; TANDEM_PROPERTY_SCHEDULES and TANDEM_PROPERTY_SECONDS go before the options of the same name.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <stdexcept>
#include <string>

#include "property/execute.h"
#include "property/generate.h"

namespace tandem::test {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

// A schedule that stands still costs its whole deadline, and so may each smaller one.
constexpr seconds kTimeToShrink{240};

struct Settings {
  uint64_t schedules = 400;
  uint64_t seconds = 20;
  uint64_t ranks = 9;
  uint64_t deadline = 40;
  uint64_t seed = std::random_device{}();
  uint64_t repeat = 1;
  std::string replay;
};

void SetFromEnvironment(const char* name, uint64_t& value) {
  if (const char* text = std::getenv(name)) value = std::stoull(text);
}

Settings ParseCommandLine(int argc, char** argv) {
  Settings settings;
  const std::map<std::string, uint64_t*> numbers{
      {"--schedules", &settings.schedules}, {"--seconds", &settings.seconds}, {"--ranks", &settings.ranks},
      {"--deadline", &settings.deadline},   {"--seed", &settings.seed},       {"--repeat", &settings.repeat}};
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc) throw std::runtime_error(name + " needs a value");
    if (name == "--replay") {
      settings.replay = argv[i + 1];
    } else if (const auto found = numbers.find(name); found != numbers.end()) {
      *found->second = std::stoull(argv[i + 1]);
    } else {
      throw std::runtime_error("unknown option " + name);
    }
  }
  SetFromEnvironment("TANDEM_PROPERTY_SCHEDULES", settings.schedules);
  SetFromEnvironment("TANDEM_PROPERTY_SECONDS", settings.seconds);
  return settings;
}

// What went wrong, or nothing. A note of the library counts: nothing in a valid schedule deserves one.
std::string Run(const Schedule& schedule, const Settings& settings) {
  const JobEnd end = ExecuteSchedule(schedule, seconds(settings.deadline));
  const std::string text = end.Text();
  return end.Good() && text.empty() ? "" : text;
}

bool Replay(const Settings& settings) {
  std::ifstream file(settings.replay);
  if (!file) throw std::runtime_error("cannot open " + settings.replay);
  const Schedule schedule = ParseSchedule(file);
  for (uint64_t i = 0; i < settings.repeat; ++i) {
    const std::string wrong = Run(schedule, settings);
    if (wrong.empty()) continue;
    std::cout << "run " << i << ":\n" << wrong;
    return false;
  }
  return true;
}

bool RunRandom(const Settings& settings) {
  const std::string parameters =
      "seed=" + std::to_string(settings.seed) + " max_success=" + std::to_string(settings.schedules);
  setenv("RC_PARAMS", parameters.c_str(), 0);
  std::cout << "RC_PARAMS=\"" << std::getenv("RC_PARAMS") << "\"\n" << std::flush;
  auto end = steady_clock::now() + seconds(settings.seconds);
  uint64_t ran = 0;
  bool failed = false;
  const bool good = rc::check("every byte of a valid schedule arrives", [&] {
    if (steady_clock::now() >= end) return;
    const Schedule schedule = *AnySchedule(static_cast<uint32_t>(settings.ranks));
    ++ran;
    const std::string wrong = Run(schedule, settings);
    if (wrong.empty()) return;
    if (!failed) {
      failed = true;
      std::cout << "failed, now made smaller:\n" << schedule << wrong << std::flush;
      end = steady_clock::now() + kTimeToShrink;
    }
    RC_FAIL(wrong);
  });
  std::cout << ran << " schedules ran\n";
  return good && ran > 0;
}

}  // namespace
}  // namespace tandem::test

int main(int argc, char** argv) {
  try {
    const tandem::test::Settings settings = tandem::test::ParseCommandLine(argc, argv);
    const bool good =
        settings.replay.empty() ? tandem::test::RunRandom(settings) : tandem::test::Replay(settings);
    return good ? 0 : 1;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "property_test: %s\n", failure.what());
    return 2;
  }
}
