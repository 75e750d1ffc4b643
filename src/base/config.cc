// SPDX-License-Identifier: Apache-2.0
#include "base/config.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>
#include <map>

#include "base/config_parse.h"
#include "base/mutex.h"

namespace tandem {
namespace {

using std::chrono::nanoseconds;

constexpr uint64_t kMaxExecSeconds = 2147483647;
constexpr uint64_t kMaxOwnSeconds = 100'000'000;
constexpr uint64_t kMaxSpinMicroseconds = 1'000'000;
constexpr nanoseconds kTellOthers = std::chrono::seconds(20);

constexpr std::array kSettings = {
    Setting{
        "HCCL_CONNECT_TIMEOUT", "seconds", "120", "a whole number of seconds from 120 to 7200",
        "How long creating a communicator or a link waits for the other ranks; the root exchange waits 20 s "
        "longer, to tell every rank why it failed."},
    Setting{"HCCL_EXEC_TIMEOUT", "seconds", "1836",
            "a number of seconds from 0 to 2147483647 with at most two decimals (0: never)",
            "How long an operation on a stream waits for its other side."},
    Setting{"HCCL_IF_IP", "address", "", "an IPv4 or IPv6 address of a network interface of this host",
            "Address of this host for meeting other ranks; goes before HCCL_SOCKET_IFNAME."},
    Setting{"HCCL_SOCKET_IFNAME", "pattern", "",
            "eth,enp (prefixes), ^eth,enp (all but these prefixes), =eth0,enp0 (names) or ^=eth0,enp0 (all "
            "but these "
            "names), without empty parts",
            "Which network interface to meet other ranks on: the first that matches."},
    Setting{"HCCL_SOCKET_FAMILY", "choice", "", "AF_INET or AF_INET6",
            "Address family to prefer; IPv4 unless set. The other one is used when this one is missing."},
    Setting{"HCCL_IF_BASE_PORT", "port", "60000", "a whole number from 1024 to 65520",
            "First of 32 ports that a root rank listens on; it starts at base + device id and takes any free "
            "port "
            "when all are in use."},
    Setting{"HCCL_HOST_SOCKET_PORT_RANGE", "ports", "",
            "auto, or ports and ranges a-b from 1 to 65535 separated by commas, without overlap",
            "Ports that a root rank may listen on; goes before HCCL_IF_BASE_PORT. auto: any free port."},
    Setting{"HCCL_BUFFSIZE", "MiB", "200", "a whole number from 1",
            "Size of HCCL's communication buffer. Tandem copies straight between arenas and only checks it."},
    Setting{"TANDEM_CONNECT_TIMEOUT", "seconds", "", "a number of seconds above 0, fractions allowed",
            "Goes before HCCL_CONNECT_TIMEOUT, for waits shorter than HCCL allows."},
    Setting{"TANDEM_EXEC_TIMEOUT", "seconds", "", "a number of seconds, fractions allowed (0: never)",
            "Goes before HCCL_EXEC_TIMEOUT, for waits shorter than HCCL allows."},
    Setting{"TANDEM_DEVICES", "count", "8", "a whole number from 1 to 65536",
            "Number of devices of this host."},
    Setting{"TANDEM_DEVICE_MEMORY", "bytes", "64G, or the memory of this host when that is less",
            "a whole number of bytes above 0, with K, M, G or T for powers of 1024",
            "Memory of each device. Pages are taken from the host only when they are touched."},
    Setting{"TANDEM_BATCH_DUPLICATES", "choice", "reject", "reject, list or sorted",
            "Same peer twice in one direction of a batch: refuse, pair in list order, or pair as the newest "
            "HCCL."},
    Setting{"TANDEM_BATCH_SCHEDULE", "choice", "free", "free",
            "Order in which the items of a batch progress. free: all at once."},
    Setting{"TANDEM_SPIN_US", "microseconds", "chosen from cores and ranks",
            "a whole number from 0 to 1000000", "How long a waiting thread polls before it sleeps."},
    Setting{"ASCEND_GLOBAL_LOG_LEVEL", "choice", "2 for Tandem's own lines",
            "0 (debug), 1 (info), 2 (warning), 3 (error) or 4 (none)", "Least severe lines that are logged."},
    Setting{"ASCEND_SLOG_PRINT_TO_STDOUT", "choice", "0", "0 or 1",
            "1: log lines go to standard output, not error."},
    Setting{"ASCEND_RT_VISIBLE_DEVICES", "list", "", "device ids separated by commas",
            "Devices that this process sees, in the order of their logical ids."},
};

const Setting& Find(std::string_view name) {
  const auto* found =
      std::find_if(kSettings.begin(), kSettings.end(), [&](const Setting& s) { return name == s.name; });
  assert(found != kSettings.end());
  return *found;
}

struct Snapshot {
  Mutex mutex;
  std::map<std::string, std::optional<std::string>, std::less<>> texts TANDEM_GUARDED_BY(mutex);
};

Snapshot& Environment() {
  // Never destroyed: threads may still ask while the process ends.
  static Snapshot* snapshot = new Snapshot;
  return *snapshot;
}

Status Invalid(const Setting& setting, const std::string& value) {
  return Status::Error(Code::kInvalidArgument, "%s=\"%s\" is not valid; expected %s", setting.name,
                       value.c_str(), setting.range)
      .WithId("EI0001");
}

// The parsed value, nothing when the variable is unset, or EI0001.
template <typename Parse>
auto Read(std::string_view name, Parse parse) -> Result<decltype(parse(std::string_view()))> {
  using Parsed = decltype(parse(std::string_view()));
  const auto text = SettingText(name);
  if (!text) return Parsed(std::nullopt);
  Parsed value = parse(std::string_view(*text));
  if (!value) return Invalid(Find(name), *text);
  return value;
}

template <typename T>
Result<T> OrDefault(Result<std::optional<T>> value, T fallback) {
  if (!value) return std::move(value).status();
  return (*value).value_or(fallback);
}

auto Whole(uint64_t low, uint64_t high) {
  return [=](std::string_view text) { return config::ParseWhole(text, low, high); };
}

uint64_t DefaultDeviceMemory() {
  constexpr uint64_t kCard = uint64_t{64} << 30;
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return kCard;
  return std::min(kCard, static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes));
}

Result<std::optional<nanoseconds>> OwnConnectTimeout() {
  return Read("TANDEM_CONNECT_TIMEOUT", [](std::string_view text) {
    auto value = config::ParseSeconds(text, kMaxOwnSeconds, 9);
    return value && value->count() > 0 ? value : std::nullopt;
  });
}

Result<nanoseconds> HcclConnectTimeout() {
  const auto value = Read("HCCL_CONNECT_TIMEOUT", Whole(120, 7200));
  if (!value) return value.status();
  return nanoseconds(std::chrono::seconds((*value).value_or(120)));
}

Result<std::optional<nanoseconds>> ReadExecTimeout(const char* name, size_t decimals) {
  return Read(name,
              [=](std::string_view text) { return config::ParseSeconds(text, kMaxExecSeconds, decimals); });
}

template <typename T>
Status StatusOf(const Result<T>& result) {
  return result.status();
}

// Whether the value of one setting is acceptable; for the communicator's check and for display.
Status Check(std::string_view name) {
  if (name == "HCCL_CONNECT_TIMEOUT") return StatusOf(HcclConnectTimeout());
  if (name == "HCCL_EXEC_TIMEOUT") return StatusOf(ReadExecTimeout("HCCL_EXEC_TIMEOUT", 2));
  if (name == "HCCL_IF_IP") return StatusOf(config::HostAddress());
  if (name == "HCCL_SOCKET_IFNAME") return StatusOf(config::HostNics());
  if (name == "HCCL_SOCKET_FAMILY") return StatusOf(config::SocketFamily());
  if (name == "HCCL_IF_BASE_PORT") return StatusOf(config::BasePort());
  if (name == "HCCL_HOST_SOCKET_PORT_RANGE") return StatusOf(config::HostPorts());
  if (name == "HCCL_BUFFSIZE") return StatusOf(config::BufferMebibytes());
  if (name == "TANDEM_CONNECT_TIMEOUT") return StatusOf(OwnConnectTimeout());
  if (name == "TANDEM_EXEC_TIMEOUT") return StatusOf(ReadExecTimeout("TANDEM_EXEC_TIMEOUT", 9));
  if (name == "TANDEM_DEVICES") return StatusOf(config::DeviceCount());
  if (name == "TANDEM_DEVICE_MEMORY") return StatusOf(config::DeviceMemoryBytes());
  if (name == "TANDEM_BATCH_DUPLICATES") return StatusOf(config::BatchDuplicatesRule());
  if (name == "TANDEM_BATCH_SCHEDULE") return config::CheckBatchSchedule();
  if (name == "TANDEM_SPIN_US") return StatusOf(config::SpinTime());
  if (name == "ASCEND_GLOBAL_LOG_LEVEL") return StatusOf(Read(name, Whole(0, 4)));
  if (name == "ASCEND_SLOG_PRINT_TO_STDOUT") return StatusOf(Read(name, Whole(0, 1)));
  return Status::Ok();
}

}  // namespace

std::span<const Setting> Settings() { return kSettings; }

std::optional<std::string> SettingText(std::string_view name) {
  Snapshot& snapshot = Environment();
  const MutexLock lock(snapshot.mutex);
  const auto known = snapshot.texts.find(name);
  if (known != snapshot.texts.end()) return known->second;
  const std::string key(Find(name).name);
  const char* text = std::getenv(key.c_str());
  std::optional<std::string> value;
  if (text != nullptr && *text != '\0') value = text;
  snapshot.texts.emplace(key, value);
  return value;
}

SettingValue EffectiveValue(const Setting& setting) {
  SettingValue value;
  const auto text = SettingText(setting.name);
  value.from_environment = text.has_value();
  value.text = text.value_or(setting.default_text);
  if (!text && std::string_view(setting.name) == "TANDEM_DEVICE_MEMORY") {
    value.text = std::to_string(DefaultDeviceMemory());
  }
  value.valid = Check(setting.name);
  return value;
}

namespace config {

Result<nanoseconds> ConnectTimeout() {
  const auto own = OwnConnectTimeout();
  if (!own) return own.status();
  if (*own) return **own;
  return HcclConnectTimeout();
}

Result<nanoseconds> RootExchangeTimeout() {
  const auto own = OwnConnectTimeout();
  if (!own) return own.status();
  if (*own) return **own;
  const auto hccl = HcclConnectTimeout();
  if (!hccl) return hccl.status();
  return *hccl + kTellOthers;
}

Result<std::optional<nanoseconds>> ExecTimeout() {
  const auto own = ReadExecTimeout("TANDEM_EXEC_TIMEOUT", 9);
  if (!own) return own.status();
  const auto hccl = ReadExecTimeout("HCCL_EXEC_TIMEOUT", 2);
  if (!hccl) return hccl.status();
  const nanoseconds value = own->value_or(hccl->value_or(std::chrono::seconds(1836)));
  if (value.count() == 0) return std::optional<nanoseconds>();
  return std::optional<nanoseconds>(value);
}

Result<std::optional<std::string>> HostAddress() {
  return Read("HCCL_IF_IP", [](std::string_view text) {
    return IsAddress(text) ? std::optional<std::string>(text) : std::nullopt;
  });
}

Result<std::optional<NicFilter>> HostNics() { return Read("HCCL_SOCKET_IFNAME", ParseNicFilter); }

Result<AddressFamily> SocketFamily() {
  return OrDefault(Read("HCCL_SOCKET_FAMILY",
                        [](std::string_view text) -> std::optional<AddressFamily> {
                          if (text == "AF_INET") return AddressFamily::kInet;
                          if (text == "AF_INET6") return AddressFamily::kInet6;
                          return std::nullopt;
                        }),
                   AddressFamily::kUnset);
}

Result<uint16_t> BasePort() {
  const auto value = Read("HCCL_IF_BASE_PORT", Whole(1024, 65520));
  if (!value) return value.status();
  return static_cast<uint16_t>((*value).value_or(60000));
}

Result<std::optional<PortRanges>> HostPorts() { return Read("HCCL_HOST_SOCKET_PORT_RANGE", ParsePortRanges); }

Result<uint64_t> BufferMebibytes() {
  return OrDefault(Read("HCCL_BUFFSIZE", Whole(1, 9'999'999'999)), uint64_t{200});
}

Result<uint32_t> DeviceCount() {
  const auto value = Read("TANDEM_DEVICES", Whole(1, 65536));
  if (!value) return value.status();
  return static_cast<uint32_t>((*value).value_or(8));
}

Result<uint64_t> DeviceMemoryBytes() {
  return OrDefault(Read("TANDEM_DEVICE_MEMORY", ParseBytes), DefaultDeviceMemory());
}

Result<BatchDuplicates> BatchDuplicatesRule() {
  return OrDefault(Read("TANDEM_BATCH_DUPLICATES",
                        [](std::string_view text) -> std::optional<BatchDuplicates> {
                          if (text == "reject") return BatchDuplicates::kReject;
                          if (text == "list") return BatchDuplicates::kList;
                          if (text == "sorted") return BatchDuplicates::kSorted;
                          return std::nullopt;
                        }),
                   BatchDuplicates::kReject);
}

Status CheckBatchSchedule() {
  const auto text = SettingText("TANDEM_BATCH_SCHEDULE");
  if (!text || *text == "free") return Status::Ok();
  if (*text != "hccl") return Invalid(Find("TANDEM_BATCH_SCHEDULE"), *text);
  return Status::Error(
             Code::kNotSupported,
             "TANDEM_BATCH_SCHEDULE=\"hccl\" is not available yet in this version; unset it or use \"free\"")
      .WithId("EI0001");
}

Result<std::optional<std::chrono::microseconds>> SpinTime() {
  return Read("TANDEM_SPIN_US", [](std::string_view text) -> std::optional<std::chrono::microseconds> {
    const auto value = ParseWhole(text, 0, kMaxSpinMicroseconds);
    if (!value) return std::nullopt;
    return std::chrono::microseconds(*value);
  });
}

Status CheckCommunicatorSettings() {
  for (const Setting& setting : kSettings) {
    // What the runtime and the log use says so when it is used.
    const std::string_view name = setting.name;
    if (name.starts_with("ASCEND_") || name.starts_with("TANDEM_DEVICE")) continue;
    TANDEM_RETURN_IF_ERROR(Check(name));
  }
  return Status::Ok();
}

void ReadAgainForTest() {
  Snapshot& snapshot = Environment();
  const MutexLock lock(snapshot.mutex);
  snapshot.texts.clear();
}

}  // namespace config
}  // namespace tandem
