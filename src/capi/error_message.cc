// SPDX-License-Identifier: Apache-2.0
#include "capi/error_message.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <deque>
#include <utility>

#include "base/mutex.h"

namespace tandem::capi {
namespace {

struct Explanation {
  std::string_view id;
  std::string_view title;
  std::string_view cause;
  std::string_view solution;
};

// Titles as CANN's error code pages give them; the help is in our own words.
constexpr std::array kExplanations = {
    Explanation{
        "EI0001", "Config_Error_Invalid_Environment_Variable",
        "An environment variable has a value outside its domain, or names something this host does not have.",
        "Set the variable as the message says, or unset it."},
    Explanation{"EI0002", "Communication_Error_Timeout",
                "Another rank did not reach its side of the operation in time: it failed, is slow, or was "
                "given different "
                "work.",
                "Look for the earliest error on the other ranks. Check that every send has its receive. For "
                "slow ranks "
                "raise HCCL_EXEC_TIMEOUT."},
    Explanation{"EI0003", "Invalid_Argument_Collective_Communication_Operator",
                "An argument of the call is outside what the call accepts.",
                "Pass a value as the message says."},
    Explanation{"EI0004", "File_Operation_Error_Parse",
                "The rank table file is missing, cannot be read, or is not JSON.",
                "Give the path of a correct rank table file."},
    Explanation{"EI0005", "Invalid_Argument", "Two ranks gave different arguments for the same operation.",
                "Make count and data type equal on both ranks, and check that sends and receives are issued "
                "in the same "
                "order on both."},
    Explanation{
        "EI0006", "Communication_Error_Get_Socket",
        "The connection to another rank was not made in time: that rank is absent, stuck or failed, or the "
        "network does not let it through.",
        "Check that all ranks run and look at their earliest error. Check the network between the hosts. For "
        "slow "
        "starts raise HCCL_CONNECT_TIMEOUT."},
    Explanation{"EI0007", "Resource_Error", "Memory, streams, events or another resource ran out.",
                "Free what is not needed any more, or use less."},
    Explanation{"EI0008", "Package_Error_Incorrect_HCCL_Version", "The ranks run different versions.",
                "Install the same version everywhere."},
    Explanation{"EI0009", "Communication_Error_Initialize_Transport",
                "The network port is down or cannot be used.",
                "Check the network interface, its address and its cable."},
    Explanation{"EI0010", "Communication_Error_P2P", "Two devices cannot reach each other's memory.",
                "Use devices that can, or a network path."},
    Explanation{"EI0011", "Resource_Error_Insufficient_Device_Memory",
                "The device has not enough memory left.",
                "Free device memory, lower HCCL_BUFFSIZE, or raise TANDEM_DEVICE_MEMORY."},
    Explanation{"EI0012", "Execution_Error_SDMA",
                "Data could not be moved between two ranks: the other rank exited, or a buffer was too small "
                "or freed "
                "while the operation ran.",
                "Look for the earliest error on the other rank. Check sizes and lifetimes of the buffers, "
                "and that no "
                "rank leaves before the others are done."},
    Explanation{"EI0013", "Execution_Error_ROCE_CQE",
                "A network transfer failed: the link broke or the peer is gone.",
                "Check the network and why the peer ended."},
    Explanation{"EI0014", "Config_Error_Ranktable",
                "The rank table, or what the ranks told each other, does not fit together.",
                "Correct the entry that the message names."},
    Explanation{"EI0015", "Communication_Error_Ranktable_Detect",
                "The ranks did not find each other: some are missing, cannot reach the root, or disagree on "
                "the number of "
                "ranks.",
                "Check that every rank starts with the same root info and number of ranks, and that "
                "HCCL_SOCKET_IFNAME "
                "selects a network all of them share. For slow starts raise HCCL_CONNECT_TIMEOUT."},
    Explanation{"EI0016", "Config_Error", "A setting differs between ranks that must be the same everywhere.",
                "Make it the same on all ranks."},
    Explanation{"EI0017", "Config_Error_Ranktable", "The rank table lacks an entry.", "Add the entry."},
    Explanation{"EI0018", "Execution_Error_UB_CQE", "A transfer failed: the link broke or the peer is gone.",
                "Check the network and why the peer ended."},
    Explanation{"EI0019", "Communication_Error_Bind_IP_Port", "A host port is used by another program.",
                "Choose other ports with HCCL_IF_BASE_PORT or HCCL_HOST_SOCKET_PORT_RANGE, and do not start "
                "a job twice."},
    Explanation{"EI0020", "Communication_Error_Bind_IP_Port", "A device port is used by another program.",
                "Choose other ports with HCCL_NPU_SOCKET_PORT_RANGE."},
    Explanation{"EI9999", "Inner_Error", "", ""},
    Explanation{"EH0001", "Invalid_Argument", "", "Pass a value as the message says."},
    Explanation{"EH0002", "Invalid_Argument_Null_Pointer", "", "Pass a pointer that is not null."},
    Explanation{"EH0003", "Invalid_Path", "The file does not exist or cannot be read.",
                "Check path and permissions."},
    Explanation{"EH0004", "Invalid_File", "The file is not valid JSON.", "Correct the file."},
    Explanation{"EH9999", "Inner_Error", "", ""},
    Explanation{"EE1001", "Invalid_Argument", "", "Correct the call as the message says."},
    Explanation{"EE1002", "Execution_Error_Timeout", "Work on a stream did not finish within the given time.",
                "Find out what the stream waits for, or allow more time."},
    Explanation{"EE1005", "Resource_Error", "Memory, streams, events or another resource ran out.",
                "Free what is not needed any more, or use less."},
    Explanation{"EE1006", "Not_Supported", "This function or combination is outside what this library does.",
                ""},
    Explanation{"EE9999", "Inner_Error", "", ""},
};

std::string Now() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto micros =
      std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count() % 1'000'000;
  std::tm local{};
  localtime_r(&seconds, &local);
  std::array<char, 40> day{};
  std::strftime(day.data(), day.size(), "%Y-%m-%d-%H:%M:%S", &local);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%s.%03d.%03d", day.data(), static_cast<int>(micros / 1000),
                static_cast<int>(micros % 1000));
  return text.data();
}

// A program that never asks must not collect messages for ever.
constexpr size_t kMostMessages = 64;

struct Store {
  std::deque<std::string> messages;  // newest first
  std::string handed_out;

  void Add(std::string message) {
    messages.push_front(std::move(message));
    if (messages.size() > kMostMessages) messages.pop_back();
  }
  const char* Take() {
    if (messages.empty()) return nullptr;
    handed_out.clear();
    for (const std::string& message : messages) handed_out += message;
    messages.clear();
    return handed_out.c_str();
  }
};

struct ProcessStore {
  Mutex mutex;
  Store store TANDEM_GUARDED_BY(mutex);
};

ProcessStore& Shared() {
  static ProcessStore* const store = new ProcessStore;
  return *store;
}

Store& Own() {
  static thread_local Store store;
  return store;
}

std::atomic<MessageScope> message_scope{MessageScope::kThread};
constinit thread_local aclError last_error = 0;

}  // namespace

std::string FormatErrorMessage(std::string_view id, std::string_view what) {
  const auto* known = std::find_if(kExplanations.begin(), kExplanations.end(),
                                   [id](const Explanation& explanation) { return explanation.id == id; });
  std::string text(id);
  text += ": [PID: " + std::to_string(getpid()) + "] " + Now() + " ";
  if (known != kExplanations.end()) text += std::string(known->title) + "(" + std::string(id) + "): ";
  text += what;
  text += '\n';
  if (known == kExplanations.end()) return text;
  if (!known->cause.empty()) text += "        Possible Cause: " + std::string(known->cause) + '\n';
  if (!known->solution.empty()) text += "        Solution: " + std::string(known->solution) + '\n';
  return text;
}

void SetMessageScope(MessageScope scope) { message_scope.store(scope, std::memory_order_relaxed); }

void StoreMessage(std::string message) {
  if (message_scope.load(std::memory_order_relaxed) == MessageScope::kThread)
    return Own().Add(std::move(message));
  MutexLock lock(Shared().mutex);
  Shared().store.Add(std::move(message));
}

const char* TakeMessages() {
  if (message_scope.load(std::memory_order_relaxed) == MessageScope::kThread) return Own().Take();
  MutexLock lock(Shared().mutex);
  return Shared().store.Take();
}

void SetLastError(aclError error) { last_error = error; }
aclError PeekLastError() { return last_error; }
aclError TakeLastError() { return std::exchange(last_error, 0); }

}  // namespace tandem::capi
