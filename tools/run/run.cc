// SPDX-License-Identifier: Apache-2.0
#include "run/run.h"

#include <cmath>
#include <cstdio>
#include <string>

#include "command_line.h"
#include "run/job.h"
#include "run/options.h"
#include "verb.h"

namespace tandem::tools {
namespace {

constexpr const char* kDescription =
    "Starts PROGRAM as N processes (ranks) on this machine and waits for them.\n\n"
    "Every line a rank writes is shown with its rank in front, `[3] text`. Rank 0 reads the standard input "
    "of\n"
    "this command, the others read nothing. When a rank fails, this command says which and why, stops the\n"
    "others (SIGTERM, then SIGKILL after the grace time) and exits with that rank's code. Processes that "
    "ranks\n"
    "leave behind are stopped too.";

constexpr const char* kFooter =
    "environment of each rank:\n"
    "  RANK LOCAL_RANK WORLD_SIZE LOCAL_WORLD_SIZE GROUP_RANK NODE_RANK MASTER_ADDR MASTER_PORT   as "
    "torchrun\n"
    "  OMPI_COMM_WORLD_RANK, _SIZE, _LOCAL_RANK, _LOCAL_SIZE                                      as mpirun\n"
    "  RANK_ID RANK_SIZE DEVICE_ID ASCEND_DEVICE_ID                                               as on "
    "Ascend\n"
    "  TANDEM_RUN_DIR   an empty directory, private to this run, for a root info file; removed at the end\n"
    "  TANDEM_DEVICES   raised to N when N is above 8, unless it is set already\n"
    "  PMI_RANK and PMI_SIZE are not set: MPI programs take them to mean that a process manager answers.\n"
    "  A program that calls MPI_Init belongs under mpirun, which works with Tandem as it is.\n\n"
    "exit code:\n"
    "  0 all ranks returned 0; otherwise that of the first rank that failed, 128+n when signal n killed it;\n"
    "  2 wrong arguments; 124 --timeout passed; 125 tandem itself failed; 126 PROGRAM cannot be executed;\n"
    "  127 PROGRAM not found; 130 after Ctrl-C (a second Ctrl-C kills at once), 143 after SIGTERM\n\n"
    "examples:\n"
    "  tandem run -n 8 ./ring\n"
    "  tandem run -n 4 --env HCCL_CONNECT_TIMEOUT=120 --timeout 60 ./train --epochs 3\n"
    "  tandem run -n 2 python3 pair.py\n"
    "  tandem run -n 1 --no-label ./dump > dump.bin";

// The arguments as CLI11 sees them; checked by ToOptions.
struct RawArguments {
  std::string ranks;
  std::vector<std::string> env;
  double timeout_s = 0;
  double grace_s = 5;
  bool no_label = false;
  std::string bind = "none";
  std::string master_port;
};

void Declare(CLI::App& app, RawArguments& raw) {
  app.name("tandem run");
  SetUsage(app, "tandem run -n N [OPTIONS] PROGRAM [ARGUMENTS...]");
  app.footer(kFooter);
  app.prefix_command();
  app.add_option("-n,--ranks", raw.ranks, "Number of ranks, 1 to " + std::to_string(kMaxRanks))
      ->type_name("N");
  app.add_option("--env", raw.env, "Set a variable for all ranks; may be repeated, and wins over all others")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  app.add_option("--timeout", raw.timeout_s, "Stop all ranks after this many seconds and exit with 124")
      ->type_name("SECONDS");
  app.add_option("--grace", raw.grace_s, "Seconds between SIGTERM and SIGKILL (default 5)")
      ->type_name("SECONDS");
  app.add_flag("--no-label", raw.no_label,
               "Pass the output on as it is: nothing put in front, nothing added");
  app.add_option("--bind", raw.bind,
                 "core: rank i may only use the i-th allowed core, round and round; none (default)")
      ->type_name("core|none");
  app.add_option("--master-port", raw.master_port, "MASTER_PORT of the ranks (default: a free port)")
      ->type_name("PORT");
}

std::optional<long> WholeNumber(const std::string& text, long low, long high) {
  if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != std::string::npos) {
    return std::nullopt;
  }
  const long value = std::stol(text);
  return value >= low && value <= high ? std::optional(value) : std::nullopt;
}

// What is wrong with the arguments, or "".
std::string ToOptions(const RawArguments& raw, std::vector<std::string> command, RunOptions& options) {
  constexpr double kLongestWait_s = 1e9;
  if (raw.ranks.empty()) return "-n is missing: say how many ranks to start, for example -n 8";
  const auto ranks = WholeNumber(raw.ranks, 1, kMaxRanks);
  if (!ranks)
    return "-n " + raw.ranks + ": expected a number of ranks from 1 to " + std::to_string(kMaxRanks);
  options.ranks = static_cast<int>(*ranks);
  for (const std::string& item : raw.env) {
    const size_t equals = item.find('=');
    if (equals == 0 || equals == std::string::npos) return "--env " + item + ": expected KEY=VALUE";
    options.env.emplace_back(item.substr(0, equals), item.substr(equals + 1));
  }
  if (!(raw.timeout_s >= 0 && raw.timeout_s <= kLongestWait_s))
    return "--timeout: expected a number of seconds";
  if (!(raw.grace_s >= 0 && raw.grace_s <= kLongestWait_s)) return "--grace: expected a number of seconds";
  if (raw.timeout_s > 0)
    options.timeout = std::chrono::milliseconds(std::llround(std::ceil(raw.timeout_s * 1000)));
  options.grace = std::chrono::milliseconds(std::llround(raw.grace_s * 1000));
  if (raw.bind != "core" && raw.bind != "none") return "--bind " + raw.bind + ": expected core or none";
  options.bind_to_cores = raw.bind == "core";
  if (!raw.master_port.empty()) {
    const auto port = WholeNumber(raw.master_port, 1, 65535);
    if (!port) return "--master-port " + raw.master_port + ": expected a port from 1 to 65535";
    options.master_port = static_cast<uint16_t>(*port);
  }
  options.label = !raw.no_label;
  if (!command.empty() && command.front() == "--") {
    command.erase(command.begin());
  } else if (!command.empty() && command.front().starts_with('-')) {
    return "unknown option " + command.front() + " (put -- before a program whose name starts with -)";
  }
  if (command.empty()) return "no program given";
  options.command = std::move(command);
  return {};
}

}  // namespace

int RunVerb(int argc, char** argv) {
  CLI::App app{kDescription};
  RawArguments raw;
  Declare(app, raw);
  if (const auto code = ParseCommandLine(app, argc, argv)) return *code;
  RunOptions options;
  if (const std::string wrong = ToOptions(raw, app.remaining(), options); !wrong.empty()) {
    std::fprintf(stderr, "tandem run: %s\ntandem run --help explains the arguments.\n", wrong.c_str());
    return kExitUsage;
  }
  return RunJob(options);
}

}  // namespace tandem::tools
