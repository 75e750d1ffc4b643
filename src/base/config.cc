// SPDX-License-Identifier: Apache-2.0
#include "base/config.h"

#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <map>
#include <mutex>

#include "base/config_parse.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/run_log.h"

namespace tandem {
namespace {

using std::chrono::nanoseconds;

// Bounds are those of the table; these only keep the numbers from overflowing.
constexpr uint64_t kAny = 9'999'999'999;
constexpr uint64_t kAnySeconds = 9'000'000'000;
constexpr nanoseconds kTellOthers = std::chrono::seconds(20);

const Setting& Find(std::string_view name) {
  const auto table = Settings();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Setting& s) { return name == s.name; });
  assert(found != table.end());
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

Status CheckText(const Setting& setting) {
  const auto text = SettingText(setting.name);
  if (!text || setting.accepts == nullptr || setting.accepts(*text)) return Status::Ok();
  return Invalid(setting, *text);
}

// The parsed value, nothing when the variable is unset, or EI0001.
template <typename Parse>
auto Read(std::string_view name, Parse parse) -> Result<decltype(parse(std::string_view()))> {
  using Parsed = decltype(parse(std::string_view()));
  TANDEM_RETURN_IF_ERROR(CheckText(Find(name)));
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

std::optional<uint64_t> Number(std::string_view text) { return config::ParseWhole(text, 0, kAny); }

uint64_t DefaultDeviceMemory() {
  constexpr uint64_t kCard = uint64_t{64} << 30;
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return kCard;
  return std::min(kCard, static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes));
}

Result<std::optional<nanoseconds>> ReadSeconds(const char* name) {
  return Read(name, [](std::string_view text) { return config::ParseSeconds(text, kAnySeconds, 9); });
}

Result<std::optional<nanoseconds>> OwnConnectTimeout() { return ReadSeconds("TANDEM_CONNECT_TIMEOUT"); }

Result<nanoseconds> HcclConnectTimeout() {
  return OrDefault(ReadSeconds("HCCL_CONNECT_TIMEOUT"), nanoseconds(std::chrono::seconds(120)));
}

// Whether the value of one setting is acceptable; for the communicator's check and for display.
Status Check(const Setting& setting) {
  if (std::string_view(setting.name) == "TANDEM_BATCH_SCHEDULE") return config::CheckBatchSchedule();
  return CheckText(setting);
}

// Source: HCCL guide, both variables of the link type (spec hccl.md 5.3).
Status CheckIntraLinks() {
  const auto pcie = SettingText("HCCL_INTRA_PCIE_ENABLE");
  const auto roce = SettingText("HCCL_INTRA_ROCE_ENABLE");
  const bool both = pcie == "1" && roce == "1";
  const bool neither = (pcie == "0" && !roce) || (!pcie && roce == "0");
  if (!both && !neither) return Status::Ok();
  const auto shown = [](const std::optional<std::string>& text) {
    return text ? "\"" + *text + "\"" : std::string("unset");
  };
  return Status::Error(Code::kInvalidArgument,
                       "HCCL_INTRA_PCIE_ENABLE=%s with HCCL_INTRA_ROCE_ENABLE=%s is not valid; expected both "
                       "unset, both 0, 1 and 0, 0 and 1, 1 and unset, or unset and 1",
                       shown(pcie).c_str(), shown(roce).c_str())
      .WithId("EI0001");
}

// One line each for what is set and for what of it does nothing here.
void ReportOnce() {
  static std::once_flag once;
  std::call_once(once, [] {
    std::string set;
    std::string idle;
    for (const Setting& setting : Settings()) {
      const auto text = SettingText(setting.name);
      if (!text) continue;
      set += " " + std::string(setting.name) + "=" + *text;
      if (setting.effect == SettingEffect::kChecked) idle += " " + std::string(setting.name);
    }
    if (!set.empty()) TANDEM_LOG(kInfo, "[InitGroupStage][EnvConfig] [HCCL_ENV]%s", set.c_str());
    if (!idle.empty()) TANDEM_LOG(kInfo, "set, but without effect on a host without NPU:%s", idle.c_str());
  });
}

}  // namespace

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
  value.valid = Check(setting);
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
  const auto own = ReadSeconds("TANDEM_EXEC_TIMEOUT");
  if (!own) return own.status();
  const auto hccl = ReadSeconds("HCCL_EXEC_TIMEOUT");
  if (!hccl) return hccl.status();
  const nanoseconds value = own->value_or(hccl->value_or(std::chrono::seconds(1836)));
  if (value.count() == 0) return std::optional<nanoseconds>();
  return std::optional<nanoseconds>(value);
}

Result<std::optional<nanoseconds>> NoteAfter() {
  const auto value = Read("TANDEM_NOTE_AFTER_MS", Number);
  if (!value) return value.status();
  const nanoseconds after = std::chrono::milliseconds((*value).value_or(5000));
  if (after.count() == 0) return std::optional<nanoseconds>();
  return std::optional<nanoseconds>(after);
}

const char* HostAddressVariable() { return SettingText("CM_WORKER_IP") ? "CM_WORKER_IP" : "HCCL_IF_IP"; }

Result<std::optional<std::string>> HostAddress() {
  return Read(HostAddressVariable(), [](std::string_view text) { return std::optional<std::string>(text); });
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
  const auto value = Read("HCCL_IF_BASE_PORT", Number);
  if (!value) return value.status();
  return static_cast<uint16_t>((*value).value_or(60000));
}

Result<std::optional<PortRanges>> HostPorts() { return Read("HCCL_HOST_SOCKET_PORT_RANGE", ParsePortRanges); }

Result<std::optional<std::string>> WhitelistFile() {
  TANDEM_RETURN_IF_ERROR(CheckText(Find("HCCL_WHITELIST_DISABLE")));
  TANDEM_RETURN_IF_ERROR(CheckText(Find("HCCL_WHITELIST_FILE")));
  if (SettingText("HCCL_WHITELIST_DISABLE") != "0") return std::optional<std::string>();
  return std::optional<std::string>(SettingText("HCCL_WHITELIST_FILE").value_or(""));
}

Result<uint64_t> BufferMebibytes() { return OrDefault(Read("HCCL_BUFFSIZE", Number), uint64_t{200}); }

Result<std::optional<uint32_t>> Deterministic() {
  return Read("HCCL_DETERMINISTIC", [](std::string_view text) -> std::optional<uint32_t> {
    if (IsChoice(text, {"false"})) return 0;
    if (IsChoice(text, {"true"})) return 1;
    if (IsChoice(text, {"strict"})) return 2;
    return std::nullopt;
  });
}

Result<uint32_t> DeviceCount() {
  const auto value = Read("TANDEM_DEVICES", Number);
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
    const auto value = Number(text);
    if (!value) return std::nullopt;
    return std::chrono::microseconds(*value);
  });
}

Status CheckCommunicatorSettings() {
  for (const Setting& setting : Settings()) {
    if (setting.reader == SettingReader::kCommunicator) TANDEM_RETURN_IF_ERROR(Check(setting));
  }
  TANDEM_RETURN_IF_ERROR(CheckIntraLinks());
  entry_log_wanted.store(SettingText("HCCL_ENTRY_LOG_ENABLE") == "1", std::memory_order_relaxed);
  ReportOnce();
  return Status::Ok();
}

void ReadAgainForTest() {
  Snapshot& snapshot = Environment();
  const MutexLock lock(snapshot.mutex);
  snapshot.texts.clear();
}

}  // namespace config
}  // namespace tandem
