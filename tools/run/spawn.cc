// SPDX-License-Identifier: Apache-2.0
#include "run/spawn.h"
#include "base/cores.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "verb.h"

namespace tandem::tools {
namespace {

struct Pipe {
  UniqueFd read_end;
  UniqueFd write_end;
};

bool OpenPipe(Pipe& result) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  result = {UniqueFd(ends[0]), UniqueFd(ends[1])};
  return true;
}

// What a child that could not become the program writes to its launcher.
struct ChildFailure {
  enum class Step { kBind, kExec } step;
  int error_number;
};

std::vector<char*> PointersTo(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (const std::string& text : strings) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

[[noreturn]] void Fail(const UniqueFd& report, ChildFailure::Step step) {
  const ChildFailure failure{step, errno};
  // When even this cannot be written the launcher sees a rank that exited with 127.
  if (write(report.get(), &failure, sizeof(failure)) < 0) _exit(kExitNotFound);
  _exit(kExitNotFound);
}

[[noreturn]] void BecomeRank(const SpawnRequest& request, pid_t launcher, char* const* argv, char** env,
                             const Pipe& out, const Pipe& err, const UniqueFd& report) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launcher) _exit(kExitInternal);  // it died before the line above took effect
  setpgid(0, 0);
  dup2(request.stdin_fd, STDIN_FILENO);
  dup2(out.write_end.get(), STDOUT_FILENO);
  dup2(err.write_end.get(), STDERR_FILENO);
  request.file_limit.RestoreInChild();
  if (request.core >= 0 && !BindToCore(request.core)) Fail(report, ChildFailure::Step::kBind);
  request.signals.RestoreInChild();
  environ = env;  // before the search, so that --env PATH=... holds for it
  execvp(argv[0], argv);
  Fail(report, ChildFailure::Step::kExec);
}

Spawned Refused(int exit_code, std::string problem) {
  Spawned result;
  result.exit_code = exit_code;
  result.problem = std::move(problem);
  return result;
}

Spawned ExplainExec(const std::string& program, int error_number) {
  struct stat facts {};
  const bool exists = program.find('/') != std::string::npos && stat(program.c_str(), &facts) == 0;
  if (error_number == ENOENT && exists) {
    return Refused(kExitNotFound,
                   program + " exists, but the interpreter it names (its first line, or its dynamic " +
                       "loader) does not");
  }
  if (error_number == ENOENT || error_number == ENOTDIR) {
    const bool searched = program.find('/') == std::string::npos;
    return Refused(kExitNotFound,
                   program + (searched ? ": no such program in PATH (for one in this directory, "
                                         "write ./" +
                                             program + ")"
                                       : ": no such file"));
  }
  if (exists && S_ISDIR(facts.st_mode)) return Refused(kExitNotExecutable, program + " is a directory");
  return Refused(kExitNotExecutable, "cannot execute " + program + ": " + std::strerror(error_number));
}

Spawned OutOf(const char* what) {
  std::string problem = std::string(what) + ": " + std::strerror(errno);
  if (errno == EMFILE)
    problem += " (two descriptors are needed for each rank; raise `ulimit -n` or use fewer ranks)";
  return Refused(kExitInternal, std::move(problem));
}

}  // namespace

Spawned Spawn(const SpawnRequest& request) {
  Pipe out, err, report;
  if (!OpenPipe(out) || !OpenPipe(err) || !OpenPipe(report)) return OutOf("cannot make a pipe for a rank");
  // Built before fork: the child only makes system calls.
  const std::vector<char*> argv = PointersTo(request.command);
  std::vector<char*> env = PointersTo(request.environment);
  const pid_t launcher = getpid();
  const pid_t pid = fork();
  if (pid < 0) return OutOf("cannot start a process for a rank");
  if (pid == 0) BecomeRank(request, launcher, argv.data(), env.data(), out, err, report.write_end);
  setpgid(pid, pid);  // here too: whoever of us is second changes nothing
  report.write_end.Reset();
  ChildFailure failure{};
  ssize_t count = 0;
  do {
    count = read(report.read_end.get(), &failure, sizeof(failure));
  } while (count < 0 && errno == EINTR);
  if (count == static_cast<ssize_t>(sizeof(failure))) {
    waitpid(pid, nullptr, 0);
    if (failure.step == ChildFailure::Step::kExec)
      return ExplainExec(request.command[0], failure.error_number);
    return Refused(kExitInternal, "cannot bind a rank to core " + std::to_string(request.core) + ": " +
                                      std::strerror(failure.error_number));
  }
  Spawned result;
  result.pid = pid;
  for (const UniqueFd* end : {&out.read_end, &err.read_end}) fcntl(end->get(), F_SETFL, O_NONBLOCK);
  result.out = std::move(out.read_end);
  result.err = std::move(err.read_end);
  return result;
}

}  // namespace tandem::tools
