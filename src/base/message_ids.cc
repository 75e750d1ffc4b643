// SPDX-License-Identifier: Apache-2.0
// Titles, placeholders and results as CANN documents them; causes and remedies in our own words.
#include <algorithm>
#include <array>

#include "base/error_catalogue.h"

namespace tandem {
namespace {

constexpr std::array kMessageIds = {
    MessageId{"EI0001", "Config_Error_Invalid_Environment_Variable", "value, variable, expectation",
              "An environment variable has a value outside its domain, or names something this host does not "
              "have.",
              "Set the variable as the message says, or unset it; `tandem info --settings` lists what each "
              "accepts.",
              "HCCL_E_PARA; HCCL_E_NOT_FOUND for an interface or address that is absent"},
    MessageId{
        "EI0002", "Communication_Error_Timeout",
        "remote rank, task information, operator information, communicator information",
        "Another rank did not reach its side of the operation in time: it failed, is slow, or was given "
        "different work.",
        "Look for the earliest error on the other ranks. Check that every send has its receive. For slow "
        "ranks raise HCCL_EXEC_TIMEOUT.",
        "when the stream is synchronised; HcclGetCommAsyncError gives HCCL_E_TIMEOUT"},
    MessageId{"EI0003", "Invalid_Argument_Collective_Communication_Operator",
              "operator, value, parameter, expectation",
              "An argument of the call is outside what the call accepts.",
              "Pass a value as the message says.", "HCCL_E_PARA, HCCL_E_PTR or HCCL_E_NOT_SUPPORT"},
    MessageId{"EI0004", "File_Operation_Error_Parse", "file, reason",
              "The rank table file is missing, cannot be read, or is not JSON.",
              "Give the path of a correct rank table file.", "HCCL_E_INTERNAL"},
    MessageId{"EI0005", "Invalid_Argument", "operator, group, parameter, local rank, remote rank",
              "Two ranks gave different arguments for the same operation.",
              "Make count and data type equal on both ranks, and check that sends and receives are issued in "
              "the same order on both.",
              "when the stream is synchronised; HcclGetCommAsyncError gives HCCL_E_INTERNAL"},
    MessageId{
        "EI0006", "Communication_Error_Get_Socket", "reason",
        "The connection to another rank was not made in time: that rank is absent, stuck or failed, or "
        "the network does not let it through.",
        "Check that all ranks run and look at their earliest error. Check the network between the hosts. "
        "For slow starts raise HCCL_CONNECT_TIMEOUT.",
        "HCCL_E_TIMEOUT"},
    MessageId{"EI0007", "Resource_Error", "kind of resource, information such as its size",
              "Memory, streams, events or another resource ran out.",
              "Free what is not needed any more, or use less.",
              "HCCL_E_MEMORY, HCCL_E_RUNTIME, HCCL_E_OOM or HCCL_E_ROCE_CONNECT"},
    MessageId{"EI0008", "Package_Error_Incorrect_HCCL_Version", "module, local version, remote version",
              "The ranks run different versions.", "Install the same version everywhere.",
              "HCCL_E_INTERNAL or HCCL_E_PARA"},
    MessageId{"EI0009", "Communication_Error_Initialize_Transport", "device id, reason",
              "The network port is down or cannot be used.",
              "Check the network interface, its address and its cable.", "HCCL_E_NETWORK"},
    MessageId{"EI0010", "Communication_Error_P2P", "reason", "Two devices cannot reach each other's memory.",
              "Use devices that can, or a network path.", "HCCL_E_NOT_SUPPORT"},
    MessageId{"EI0011", "Resource_Error_Insufficient_Device_Memory", "number of bytes, or a range",
              "The device has not enough memory left.",
              "Free device memory, lower HCCL_BUFFSIZE, or raise TANDEM_DEVICE_MEMORY.", "HCCL_E_OOM"},
    MessageId{
        "EI0012", "Execution_Error_SDMA",
        "remote rank, base information, task information, communicator information",
        "Data could not be moved between two ranks: the other rank exited, or a buffer was too small or "
        "freed while the operation ran.",
        "Look for the earliest error on the other rank. Check sizes and lifetimes of the buffers, and "
        "that no rank leaves before the others are done.",
        "when the stream is synchronised; HcclGetCommAsyncError gives HCCL_E_REMOTE"},
    MessageId{"EI0013", "Execution_Error_ROCE_CQE",
              "local server, device id and device address; those of the peer",
              "A network transfer failed: the link broke or the peer is gone.",
              "Check the network and why the peer ended.",
              "when the stream is synchronised; HcclGetCommAsyncError gives HCCL_E_REMOTE"},
    MessageId{"EI0014", "Config_Error_Ranktable", "value, item, expectation",
              "The rank table, or what the ranks told each other, does not fit together.",
              "Correct the entry that the message names.",
              "HCCL_E_PARA, HCCL_E_UNAVAIL or HCCL_E_NOT_SUPPORT"},
    MessageId{
        "EI0015", "Communication_Error_Ranktable_Detect", "reason",
        "The ranks did not find each other: some are missing, cannot reach the root, or disagree on the "
        "number of ranks.",
        "Check that every rank starts with the same root info and number of ranks, and that "
        "HCCL_SOCKET_IFNAME selects a network all of them share. For slow starts raise "
        "HCCL_CONNECT_TIMEOUT.",
        "HCCL_E_TIMEOUT on a rank that cannot connect, HCCL_E_INTERNAL on one that the root told, "
        "HCCL_E_TCP_CONNECT where the root is gone"},
    MessageId{"EI0016", "Config_Error", "value, item, expectation",
              "A setting differs between ranks that must be the same everywhere.",
              "Make it the same on all ranks.", "HCCL_E_PARA"},
    MessageId{"EI0017", "Config_Error_Ranktable", "item", "The rank table lacks an entry.", "Add the entry.",
              "HCCL_E_NOT_FOUND; HCCL_E_PARA for an entry of the wrong JSON type"},
    MessageId{
        "EI0018", "Execution_Error_UB_CQE", "local server, device id and device address; those of the peer",
        "A transfer failed: the link broke or the peer is gone.", "Check the network and why the peer ended.",
        "when the stream is synchronised; HcclGetCommAsyncError gives HCCL_E_REMOTE"},
    MessageId{"EI0019", "Communication_Error_Bind_IP_Port", "reason",
              "A host port is used by another program.",
              "Choose other ports with HCCL_IF_BASE_PORT or HCCL_HOST_SOCKET_PORT_RANGE, and do not start a "
              "job twice.",
              "HCCL_E_UNAVAIL"},
    MessageId{"EI0020", "Communication_Error_Bind_IP_Port", "reason",
              "A device port is used by another program.",
              "Choose other ports with HCCL_NPU_SOCKET_PORT_RANGE.", "HCCL_E_UNAVAIL"},
    MessageId{"EI9999", "Inner_Error", "", "", "", "by cause"},
    MessageId{"EH0001", "Invalid_Argument", "", "", "Pass a value as the message says.",
              "a code of the ACL layer, 1000xx"},
    MessageId{"EH0002", "Invalid_Argument_Null_Pointer", "", "", "Pass a pointer that is not null.",
              "ACL_ERROR_INVALID_PARAM"},
    MessageId{"EH0003", "Invalid_Path", "", "The file does not exist or cannot be read.",
              "Check path and permissions.", "ACL_ERROR_INVALID_FILE"},
    MessageId{"EH0004", "Invalid_File", "", "The file is not valid JSON.", "Correct the file.",
              "ACL_ERROR_PARSE_FILE"},
    MessageId{"EH9999", "Inner_Error", "", "", "", "ACL_ERROR_INTERNAL_ERROR"},
    MessageId{"EE1001", "Invalid_Argument", "", "", "Correct the call as the message says.",
              "a code of the runtime layer, 107xxx"},
    MessageId{"EE1002", "Execution_Error_Timeout", "",
              "Work on a stream did not finish within the given time.",
              "Find out what the stream waits for, or allow more time.",
              "ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, ACL_ERROR_RT_EVENT_SYNC_TIMEOUT or another timeout"},
    MessageId{"EE1005", "Resource_Error", "", "Memory, streams, events or another resource ran out.",
              "Free what is not needed any more, or use less.", "a code of the runtime layer, 207xxx"},
    MessageId{"EE1006", "Not_Supported", "",
              "This function or combination is outside what this library does.", "",
              "ACL_ERROR_RT_FEATURE_NOT_SUPPORT"},
    MessageId{"EE9999", "Inner_Error", "", "", "", "a code of the runtime layer, 507xxx"},
};

template <typename... Lists>
std::string_view NameOf(int value, Lists... lists) {
  std::string_view name;
  const auto look = [&](std::span<const ErrorCode> list) {
    const auto found = std::lower_bound(list.begin(), list.end(), value,
                                        [](const ErrorCode& code, int v) { return code.value < v; });
    if (name.empty() && found != list.end() && found->value == value) name = found->name;
  };
  (look(lists), ...);
  return name;
}

}  // namespace

std::span<const MessageId> MessageIds() { return kMessageIds; }

const MessageId* FindMessageId(std::string_view id) {
  const auto* found = std::find_if(kMessageIds.begin(), kMessageIds.end(),
                                   [id](const MessageId& known) { return known.id == id; });
  return found == kMessageIds.end() ? nullptr : found;
}

std::string_view HcclResultName(int result) { return NameOf(result, HcclResults()); }

std::string_view AclErrorName(int error) { return NameOf(error, AclLayerErrors(), RuntimeErrors()); }

}  // namespace tandem
