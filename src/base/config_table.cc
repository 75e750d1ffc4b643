// SPDX-License-Identifier: Apache-2.0
// The one list of settings: what is parsed, what `tandem info` prints, and what docs/settings.md says.
#include <algorithm>
#include <array>

#include "base/config.h"
#include "base/config_parse.h"

namespace tandem {
namespace {

using config::IsChoice;
using config::ParseSeconds;
using config::ParseWhole;
using Text = std::string_view;

template <uint64_t low, uint64_t high>
bool Whole(Text text) {
  return ParseWhole(text, low, high).has_value();
}

bool Switch(Text text) { return text == "0" || text == "1"; }

bool HcclSeconds(Text text) { return ParseSeconds(text, 2'147'483'647, 2).has_value(); }

template <uint64_t high>
bool Seconds(Text text) {
  return ParseSeconds(text, high, 9).has_value();
}

bool SecondsAboveZero(Text text) {
  const auto value = ParseSeconds(text, 100'000'000, 9);
  return value && value->count() > 0;
}

bool Nics(Text text) { return config::ParseNicFilter(text).has_value(); }
bool Ports(Text text) { return config::ParsePortRanges(text).has_value(); }
bool Bytes(Text text) { return config::ParseBytes(text).has_value(); }
bool Family(Text text) { return text == "AF_INET" || text == "AF_INET6"; }
bool Path(Text text) { return text.size() <= 4096; }
bool SuperpodId(Text text) { return text.size() < 128; }
bool Deterministic(Text text) { return IsChoice(text, {"false", "true", "strict"}); }

// Every product's; which of them one product takes makes no difference here.
bool ExpansionMode(Text text) {
  constexpr std::array kModes = {"AI_CPU",  "AICPU_CacheDisable", "AIV",    "HOST",
                                 "HOST_TS", "AICPU_TS",           "CCU_MS", "CCU_SCHED"};
  return std::find(kModes.begin(), kModes.end(), text) != kModes.end();
}

// Releases before 8.2 knew a level L0, too.
bool RetryEnable(Text text) {
  return config::IsPairList(text, [](Text key, Text value) {
    return (key == "L0" || key == "L1" || key == "L2") && Switch(value);
  });
}

bool RetryParams(Text text) {
  return config::IsPairList(text, [](Text key, Text value) {
    if (key == "MaxCnt") return Whole<1, 10>(value);
    return (key == "HoldTime" || key == "IntervalTime") && Whole<0, 60000>(value);
  });
}

bool TrafficClass(Text text) {
  const auto value = ParseWhole(text, 0, 255);
  return value && *value % 4 == 0;
}

// Some releases spell the first key without its second e.
bool FaultDetection(Text text) {
  return config::IsPairList(text, [](Text key, Text value) {
    if (key == "connection_fault_detection_time" || key == "connection_fault_detction_time") {
      return value == "0" || Whole<20, 7200>(value);
    }
    if (key == "task_monitor_interval") return Whole<0, 7'200'000>(value);
    if (key == "inconsistent_check" && value == "first") return true;
    return (key == "cluster_heartbeat" || key == "stuck_detection" || key == "inconsistent_check" ||
            key == "task_exception") &&
           (value == "on" || value == "off");
  });
}

bool Duplicates(Text text) { return text == "reject" || text == "list" || text == "sorted"; }

constexpr const char* kPortList =
    "auto, or ports and ranges a-b from 1 to 65535 separated by commas, without overlap";
constexpr const char* kSwitch = "0 or 1";
constexpr auto kEffect = SettingEffect::kObeyed;
constexpr auto kNone = SettingEffect::kChecked;
constexpr auto kComm = SettingReader::kCommunicator;
constexpr auto kRuntime = SettingReader::kRuntime;
constexpr auto kLog = SettingReader::kLog;

// In the order in which they are checked; the first invalid one is the error.
constexpr std::array kSettings = {
    // Meeting other ranks.
    Setting{"HCCL_CONNECT_TIMEOUT", "seconds", "120", "a whole number of seconds from 120 to 7200",
            "How long creating a communicator or a link waits for the other ranks; the root exchange waits "
            "20 s longer, to tell every rank why it failed.",
            kComm, kEffect, Whole<120, 7200>},
    Setting{"HCCL_EXEC_TIMEOUT", "seconds", "1836",
            "a number of seconds from 0 to 2147483647 with at most two decimals (0: never)",
            "How long an operation on a stream waits for its other side.", kComm, kEffect, HcclSeconds},
    Setting{"CM_WORKER_IP", "address", "", "an IPv4 or IPv6 address of a network interface of this host",
            "Address of this host for meeting other ranks; goes before HCCL_IF_IP.", kComm, kEffect,
            config::IsAddress},
    Setting{"HCCL_IF_IP", "address", "", "an IPv4 or IPv6 address of a network interface of this host",
            "Address of this host for meeting other ranks; goes before HCCL_SOCKET_IFNAME.", kComm, kEffect,
            config::IsAddress},
    Setting{"HCCL_SOCKET_IFNAME", "pattern", "",
            "eth,enp (prefixes), ^eth,enp (all but these prefixes), =eth0,enp0 (names) or ^=eth0,enp0 (all "
            "but these names), without empty parts",
            "Which network interface to meet other ranks on: the first that matches.", kComm, kEffect, Nics},
    Setting{"HCCL_SOCKET_FAMILY", "choice", "", "AF_INET or AF_INET6",
            "Address family to prefer; IPv4 unless set. The other one is used when this one is missing.",
            kComm, kEffect, Family},
    Setting{"HCCL_IF_BASE_PORT", "port", "60000", "a whole number from 1024 to 65520",
            "First of 32 ports that a root rank listens on; it starts at base + device id and takes any "
            "free port when all are in use.",
            kComm, kEffect, Whole<1024, 65520>},
    Setting{"HCCL_HOST_SOCKET_PORT_RANGE", "ports", "", kPortList,
            "Ports that a root rank may listen on; goes before HCCL_IF_BASE_PORT. auto: any free port.",
            kComm, kEffect, Ports},
    Setting{"HCCL_NPU_SOCKET_PORT_RANGE", "ports", "", kPortList,
            "Ports that an NPU listens on. There is no NPU.", kComm, kNone, Ports},
    Setting{"HCCL_WHITELIST_DISABLE", "switch", "1", "0 (check the list) or 1 (no check)",
            "Whether only addresses of HCCL_WHITELIST_FILE may join a root of this process.", kComm, kEffect,
            Switch},
    Setting{
        "HCCL_WHITELIST_FILE", "path", "", "a path of at most 4096 bytes",
        "JSON file with the addresses that may join, {\"host_ip\": [\"127.0.0.1\"], \"device_ip\": []}; read "
        "when HCCL_WHITELIST_DISABLE is 0.",
        kComm, kEffect, Path},
    Setting{"HCCL_LOGIC_SUPERPOD_ID", "text", "", "a text of less than 128 bytes",
            "Logical super-pod of this process. There are no super-pods.", kComm, kNone, SuperpodId},
    Setting{"HCCL_INTER_HCCS_DISABLE", "choice", "FALSE", "TRUE or FALSE",
            "RoCE in place of HCCS inside a super-pod. There is neither.", kComm, kNone,
            config::IsTrueOrFalse},
    // Links inside a server.
    Setting{
        "HCCL_INTRA_PCIE_ENABLE", "switch", "1", kSwitch,
        "PCIe between the devices of a server. With HCCL_INTRA_ROCE_ENABLE allowed: both unset, both 0, 1 "
        "and 0, 0 and 1, 1 and unset, unset and 1. Devices here share memory.",
        kComm, kNone, Switch},
    Setting{"HCCL_INTRA_ROCE_ENABLE", "switch", "0", kSwitch,
            "RoCE between the devices of a server; see HCCL_INTRA_PCIE_ENABLE.", kComm, kNone, Switch},
    // Buffers and execution.
    Setting{"HCCL_BUFFSIZE", "MiB", "200", "a whole number from 1",
            "Size of HCCL's communication buffer. Tandem copies straight between arenas and needs none.",
            kComm, kNone, Whole<1, 9'999'999'999>},
    Setting{"HCCL_DETERMINISTIC", "choice", "false", "false, true or strict",
            "Order of reductions. Point-to-point operations reduce nothing.", kComm, kNone, Deterministic},
    Setting{"HCCL_OP_EXPANSION_MODE", "choice", "",
            "AI_CPU, AICPU_CacheDisable, AIV, HOST, HOST_TS, AICPU_TS, CCU_MS or CCU_SCHED",
            "Which unit of a device runs an operation. Tandem has threads of the host only.", kComm, kNone,
            ExpansionMode},
    Setting{"HCCL_OP_RETRY_ENABLE", "pairs", "L1:0,L2:0", "L1:x,L2:y where x and y are 0 or 1",
            "Repeating an operation after a link error. Shared memory has no link errors.", kComm, kNone,
            RetryEnable},
    Setting{"HCCL_OP_RETRY_PARAMS", "pairs", "MaxCnt:1,HoldTime:5000,IntervalTime:1000",
            "MaxCnt:a,HoldTime:b,IntervalTime:c where a is 1 to 10, b and c are 0 to 60000 (ms)",
            "How to repeat; see HCCL_OP_RETRY_ENABLE.", kComm, kNone, RetryParams},
    Setting{"HCCL_ALGO", "text", "", "any text", "Algorithms of collectives.", kComm, kNone, nullptr},
    // RDMA.
    Setting{"HCCL_RDMA_TC", "number", "132", "a multiple of 4 from 0 to 255", "Traffic class of RDMA.", kComm,
            kNone, TrafficClass},
    Setting{"HCCL_RDMA_SL", "number", "4", "a whole number from 0 to 7", "Service level of RDMA.", kComm,
            kNone, Whole<0, 7>},
    Setting{"HCCL_RDMA_TIMEOUT", "number", "20", "a whole number from 0 to 31",
            "Retransmission of RDMA, 4.096 us x 2^value.", kComm, kNone, Whole<0, 31>},
    Setting{"HCCL_RDMA_RETRY_CNT", "count", "7", "a whole number from 1 to 7", "Retransmissions of RDMA.",
            kComm, kNone, Whole<1, 7>},
    Setting{"HCCL_RDMA_QPS_PER_CONNECTION", "count", "1", "a whole number from 1 to 32",
            "RDMA queue pairs for each pair of ranks.", kComm, kNone, Whole<1, 32>},
    Setting{"HCCL_MULTI_QP_THRESHOLD", "KiB", "512", "a whole number from 1 to 8192",
            "Least share of each RDMA queue pair.", kComm, kNone, Whole<1, 8192>},
    Setting{"HCCL_RDMA_QP_PORT_CONFIG_PATH", "path", "", "a path of at most 4096 bytes",
            "Folder of MultiQpSrcPort.cfg, source ports of RDMA.", kComm, kNone, Path},
    Setting{"HCCL_RDMA_PCIE_DIRECT_POST_NOSTRICT", "choice", "FALSE", "TRUE or FALSE",
            "How RDMA work is posted on hosts with large pages.", kComm, kNone, config::IsTrueOrFalse},
    Setting{"HCCL_UB_TIMEOUT", "number", "8", "a whole number from 0 to 31", "Retransmission of UB links.",
            kComm, kNone, Whole<0, 31>},
    Setting{"HCCL_UBOE_TIMEOUT", "number", "16", "a whole number from 0 to 31",
            "Retransmission of UB over Ethernet.", kComm, kNone, Whole<0, 31>},
    // Diagnosis.
    Setting{
        "HCCL_ENTRY_LOG_ENABLE", "switch", "0", kSwitch,
        "A line of the run log for each operator call, and one for each item of a batch: in the folder of "
        "the log files run/plog/plog-PID_TIME.log, else where log lines go, whatever their level.",
        kComm, kEffect, Switch},
    Setting{"HCCL_DIAGNOSE_ENABLE", "switch", "0", kSwitch,
            "Tracking of device tasks for failure texts. Tandem's texts have it always.", kComm, kNone,
            Switch},
    Setting{"HCCL_DEBUG_CONFIG", "list", "",
            "ALG, TASK, RESOURCE or AIV_OPS_EXC separated by commas, after ^ for all others, without blanks",
            "Modules that write to the device's run log.", kComm, kNone, config::IsModuleList},
    Setting{
        "HCCL_DFS_CONFIG", "pairs",
        "connection_fault_detection_time:20,cluster_heartbeat:on,stuck_detection:on,"
        "inconsistent_check:first,task_exception:on,task_monitor_interval:0",
        "key:value separated by commas: connection_fault_detection_time 0 or 20 to 7200 (s), "
        "cluster_heartbeat, stuck_detection and task_exception on or off, inconsistent_check on, first or "
        "off, task_monitor_interval 0 to 7200000 (ms)",
        "Detection of failures on a cluster. Tandem notices a rank that ends at once and compares every "
        "operation.",
        kComm, kNone, FaultDetection},
    // TensorFlow's way without a rank table.
    Setting{"CM_CHIEF_IP", "address", "", "an IPv4 or IPv6 address", "Where TensorFlow's adapter meets.",
            kComm, kNone, config::IsAddress},
    Setting{"CM_CHIEF_PORT", "port", "", "a whole number from 0 to 65520",
            "Where TensorFlow's adapter meets.", kComm, kNone, Whole<0, 65520>},
    Setting{"CM_CHIEF_DEVICE", "device", "", "a whole number", "Device of the chief of TensorFlow's adapter.",
            kComm, kNone, Whole<0, 4'294'967'295>},
    Setting{"CM_WORKER_SIZE", "count", "", "a whole number from 0 to 32768",
            "Number of workers of TensorFlow's adapter.", kComm, kNone, Whole<0, 32768>},
    // Tandem's own.
    Setting{"TANDEM_CONNECT_TIMEOUT", "seconds", "", "a number of seconds above 0, fractions allowed",
            "Goes before HCCL_CONNECT_TIMEOUT, for waits shorter than HCCL allows.", kComm, kEffect,
            SecondsAboveZero},
    Setting{"TANDEM_EXEC_TIMEOUT", "seconds", "", "a number of seconds, fractions allowed (0: never)",
            "Goes before HCCL_EXEC_TIMEOUT, for waits shorter than HCCL allows.", kComm, kEffect,
            Seconds<2'147'483'647>},
    Setting{
        "TANDEM_NOTE_AFTER_MS", "milliseconds", "5000", "a whole number from 0 to 86400000 (0: no notes)",
        "How long something waits before a note on the standard error names what it waits for. Later notes "
        "come each time the wait has doubled.",
        kComm, kEffect, Whole<0, 86'400'000>},
    Setting{"TANDEM_DEVICES", "count", "8", "a whole number from 1 to 65536",
            "Number of devices of this host.", kRuntime, kEffect, Whole<1, 65536>},
    Setting{"TANDEM_DEVICE_MEMORY", "bytes", "64G, or the memory of this host when that is less",
            "a whole number of bytes above 0, with K, M, G or T for powers of 1024",
            "Memory of each device. Pages are taken from the host only when they are touched.", kRuntime,
            kEffect, Bytes},
    Setting{"TANDEM_BATCH_DUPLICATES", "choice", "reject", "reject, list or sorted",
            "Same peer twice in one direction of a batch: refuse, pair in list order, or pair as the newest "
            "HCCL.",
            kComm, kEffect, Duplicates},
    Setting{"TANDEM_BATCH_SCHEDULE", "choice", "free", "free",
            "Order in which the items of a batch progress. free: all at once.", kComm, kEffect, nullptr},
    Setting{"TANDEM_SPIN_US", "microseconds", "chosen from cores and ranks",
            "a whole number from 0 to 1000000", "How long a waiting thread polls before it sleeps.", kComm,
            kEffect, Whole<0, 1'000'000>},
    Setting{"TANDEM_RUN_DIR", "path", "", "any text of at most 4096 characters",
            "Set by `tandem run`, different for each run. Ranks that read the same rank table meet only when "
            "it is the same for all of them.",
            kComm, kEffect, Path},
    Setting{
        "TANDEM_HCCN_CONF", "path", "/etc/hccn.conf", "a path of at most 4096 bytes",
        "File with the addresses of this host's devices, lines such as address_0=10.1.0.1. A rank table that "
        "gives the own device another one is refused; without the file nothing is compared.",
        kComm, kEffect, Path},
    // The runtime and its log. Where CANN's default is used in place of an invalid value, so it is here.
    Setting{"ASCEND_RT_VISIBLE_DEVICES", "list", "", "device ids separated by commas, ascending",
            "Devices that this process sees, in the order of their logical ids.", kRuntime, kEffect, nullptr},
    Setting{"ASCEND_GLOBAL_LOG_LEVEL", "choice", "2",
            "0 (debug), 1 (info), 2 (warning), 3 (error) or 4 (none)",
            "Least severe lines that are logged. CANN's default is 3.", kLog, kEffect, Whole<0, 4>},
    Setting{"ASCEND_SLOG_PRINT_TO_STDOUT", "choice", "0", kSwitch,
            "1: log lines go to the standard output and to no file.", kLog, kEffect, Switch},
    Setting{
        "ASCEND_PROCESS_LOG_PATH", "path", "", "a path of at most 4096 bytes",
        "Folder for log files, made when it is missing; lines go to debug/plog/plog-PID_TIME.log below it. "
        "Without a folder, or where it cannot be written, lines go to the standard error.",
        kLog, kEffect, Path},
    Setting{"ASCEND_WORK_PATH", "path", "", "a path of at most 4096 bytes",
            "Folder in whose folder log the log files are, unless ASCEND_PROCESS_LOG_PATH is set.", kLog,
            kEffect, Path},
    Setting{"ASCEND_HOST_LOG_FILE_NUM", "count", "10", "a whole number from 1 to 1000",
            "Log files of 20 MiB that one process keeps; the oldest goes first.", kLog, kEffect,
            Whole<1, 1000>},
    Setting{"ASCEND_MODULE_LOG_LEVEL", "pairs", "", "any text", "Log levels of CANN's modules.", kLog, kNone,
            nullptr},
    Setting{"ASCEND_GLOBAL_EVENT_ENABLE", "switch", "1", kSwitch, "Event lines of CANN's run log.", kLog,
            kNone, Switch},
    Setting{"ASCEND_LOG_DEVICE_FLUSH_TIMEOUT", "milliseconds", "2000", "a whole number from 0 to 180000",
            "How long a process waits at its end for the log of its devices.", kLog, kNone, Whole<0, 180000>},
};

}  // namespace

std::span<const Setting> Settings() { return kSettings; }

}  // namespace tandem
