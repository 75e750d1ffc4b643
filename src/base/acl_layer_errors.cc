// SPDX-License-Identifier: Apache-2.0
// Every code of the outer layer of ACL. Causes and remedies only for what Tandem returns.
#include <acl/acl_base.h>

#include <algorithm>
#include <array>

#include "base/error_catalogue.h"

namespace tandem {
namespace {

#define CODE(name, ...) \
  ErrorCode { name, #name, __VA_ARGS__ }

constexpr std::array kAclLayerErrors = {
    CODE(ACL_ERROR_INVALID_EXCEPTION_INFO, "there is no information about an exception", "", ""),
    CODE(ACL_ERROR_NONE, "the call did what it should", "nothing failed",
         "Nothing. Work on a stream may still fail later: check the synchronise."),
    CODE(ACL_ERROR_INVALID_PARAM, "an argument is null, zero or outside its set",
         "a null output; a size of 0; an enumeration value that does not exist",
         "Read aclGetRecentErrMsg: it names the argument, the value and what is expected."),
    CODE(ACL_ERROR_UNINITIALIZE, "aclInit was not called", "", ""),
    CODE(ACL_ERROR_REPEAT_INITIALIZE, "aclInit was called before",
         "two libraries in one program both call aclInit",
         "Treat it as success, and leave aclFinalize to whoever was first."),
    CODE(ACL_ERROR_INVALID_FILE, "the configuration file of aclInit cannot be read",
         "a wrong path; missing permission", "Check the path, or pass a null pointer for defaults."),
    CODE(ACL_ERROR_WRITE_FILE, "a file cannot be written", "", ""),
    CODE(ACL_ERROR_INVALID_FILE_SIZE, "a file has a size that is not allowed", "", ""),
    CODE(ACL_ERROR_PARSE_FILE, "the configuration file of aclInit is not valid JSON",
         "a comma too much; an empty file; too many levels", "Correct the file; an empty object is enough."),
    CODE(ACL_ERROR_FILE_MISSING_ATTR, "a file lacks an entry", "", ""),
    CODE(ACL_ERROR_FILE_ATTR_INVALID, "an entry of a file has a value that is not allowed", "", ""),
    CODE(ACL_ERROR_INVALID_DUMP_CONFIG, "the configuration of data dumps is not valid", "", ""),
    CODE(ACL_ERROR_INVALID_PROFILING_CONFIG, "the configuration of profiling is not valid", "", ""),
    CODE(ACL_ERROR_INVALID_MODEL_ID, "there is no model with this id", "", ""),
    CODE(ACL_ERROR_DESERIALIZE_MODEL, "a model could not be read", "", ""),
    CODE(ACL_ERROR_PARSE_MODEL, "a model could not be understood", "", ""),
    CODE(ACL_ERROR_READ_MODEL_FAILURE, "reading a model failed", "", ""),
    CODE(ACL_ERROR_MODEL_SIZE_INVALID, "a model has a size that is not allowed", "", ""),
    CODE(ACL_ERROR_MODEL_MISSING_ATTR, "a model lacks an attribute", "", ""),
    CODE(ACL_ERROR_MODEL_INPUT_NOT_MATCH, "inputs do not fit the model", "", ""),
    CODE(ACL_ERROR_MODEL_OUTPUT_NOT_MATCH, "outputs do not fit the model", "", ""),
    CODE(ACL_ERROR_MODEL_NOT_DYNAMIC, "the model has fixed shapes", "", ""),
    CODE(ACL_ERROR_OP_TYPE_NOT_MATCH, "the kind of an operator does not fit", "", ""),
    CODE(ACL_ERROR_OP_INPUT_NOT_MATCH, "inputs do not fit the operator", "", ""),
    CODE(ACL_ERROR_OP_OUTPUT_NOT_MATCH, "outputs do not fit the operator", "", ""),
    CODE(ACL_ERROR_OP_ATTR_NOT_MATCH, "attributes do not fit the operator", "", ""),
    CODE(ACL_ERROR_OP_NOT_FOUND, "there is no such operator", "", ""),
    CODE(ACL_ERROR_OP_LOAD_FAILED, "an operator could not be loaded", "", ""),
    CODE(ACL_ERROR_UNSUPPORTED_DATA_TYPE, "the operator does not take this data type", "", ""),
    CODE(ACL_ERROR_FORMAT_NOT_MATCH, "the data format does not fit", "", ""),
    CODE(ACL_ERROR_BIN_SELECTOR_NOT_REGISTERED, "no function that chooses a binary is registered", "", ""),
    CODE(ACL_ERROR_KERNEL_NOT_FOUND, "there is no such kernel", "", ""),
    CODE(ACL_ERROR_BIN_SELECTOR_ALREADY_REGISTERED, "a function that chooses a binary is registered already",
         "", ""),
    CODE(ACL_ERROR_KERNEL_ALREADY_REGISTERED, "the kernel is registered already", "", ""),
    CODE(ACL_ERROR_INVALID_QUEUE_ID, "there is no queue with this id", "", ""),
    CODE(ACL_ERROR_REPEAT_SUBSCRIBE, "the subscription exists already", "", ""),
    CODE(ACL_ERROR_STREAM_NOT_SUBSCRIBE, "the stream has no subscription", "", ""),
    CODE(ACL_ERROR_THREAD_NOT_SUBSCRIBE, "the thread has no subscription", "", ""),
    CODE(ACL_ERROR_WAIT_CALLBACK_TIMEOUT, "no callback came in the given time", "", ""),
    CODE(ACL_ERROR_REPEAT_FINALIZE, "aclFinalize was called before, or more often than aclInit",
         "two libraries in one program both finalise; one aclFinalize undoes all aclInit",
         "Treat it as success, or call aclFinalize in one place only."),
    CODE(ACL_ERROR_NOT_STATIC_AIPP, "the image preprocessing is not of the static kind", "", ""),
    CODE(ACL_ERROR_COMPILING_STUB_MODE, "the program runs with the stub library of the toolkit", "", ""),
    CODE(ACL_ERROR_GROUP_NOT_SET, "no group was set", "", ""),
    CODE(ACL_ERROR_GROUP_NOT_CREATE, "no group was created", "", ""),
    CODE(ACL_ERROR_PROF_ALREADY_RUN, "profiling runs already", "", ""),
    CODE(ACL_ERROR_PROF_NOT_RUN, "profiling does not run", "", ""),
    CODE(ACL_ERROR_DUMP_ALREADY_RUN, "a data dump runs already", "", ""),
    CODE(ACL_ERROR_DUMP_NOT_RUN, "no data dump runs", "", ""),
    CODE(ACL_ERROR_PROF_REPEAT_SUBSCRIBE, "profiling of the model is subscribed already", "", ""),
    CODE(ACL_ERROR_PROF_API_CONFLICT, "another way of profiling is in use", "", ""),
    CODE(ACL_ERROR_INVALID_MAX_OPQUEUE_NUM_CONFIG,
         "the configured number of operators in the queue is not valid", "", ""),
    CODE(ACL_ERROR_INVALID_OPP_PATH, "the folder of operators is not valid", "", ""),
    CODE(ACL_ERROR_OP_UNSUPPORTED_DYNAMIC, "the operator does not take shapes that change", "", ""),
    CODE(ACL_ERROR_RELATIVE_RESOURCE_NOT_CLEARED, "something that belongs to the object still exists", "",
         ""),
    CODE(ACL_ERROR_UNSUPPORTED_JPEG, "the JPEG image is of an unknown kind", "", ""),
    CODE(ACL_ERROR_INVALID_BUNDLE_MODEL_ID, "there is no bundle of models with this id", "", ""),
    CODE(ACL_ERROR_BAD_ALLOC, "memory could not be allocated", "", ""),
    CODE(ACL_ERROR_API_NOT_SUPPORT, "the function is not available", "", ""),
    CODE(ACL_ERROR_INVALID_DEVICE, "there is no such device", "", ""),
    CODE(ACL_ERROR_MEMORY_ADDRESS_UNALIGNED, "an address is not aligned", "", ""),
    CODE(ACL_ERROR_RESOURCE_NOT_MATCH, "objects do not belong together", "", ""),
    CODE(ACL_ERROR_INVALID_RESOURCE_HANDLE, "a handle is not valid", "", ""),
    CODE(ACL_ERROR_FEATURE_UNSUPPORTED, "the feature is not available",
         "a function or combination outside what the library does", "Treat the feature as absent."),
    CODE(ACL_ERROR_PROF_MODULES_UNSUPPORTED, "a module cannot be profiled", "", ""),
    CODE(ACL_ERROR_STORAGE_OVER_LIMIT, "a limit for stored data is exceeded", "", ""),
    CODE(ACL_ERROR_INTERNAL_ERROR, "failed inside, or a registration was refused",
         "a callback for initialising or finalising is registered twice, or is not registered",
         "Read aclGetRecentErrMsg: it names the argument, the value and what is expected."),
    CODE(ACL_ERROR_FAILURE, "a value of the configuration is outside its domain",
         "default_device in the file of aclInit names no device",
         "Correct the entry that the message names."),
    CODE(ACL_ERROR_GE_FAILURE, "the graph engine failed", "", ""),
    CODE(ACL_ERROR_RT_FAILURE, "the runtime failed", "", ""),
    CODE(ACL_ERROR_DRV_FAILURE, "the driver failed", "", ""),
    CODE(ACL_ERROR_PROFILING_FAILURE, "profiling failed", "", ""),
};

#undef CODE

static_assert(std::is_sorted(kAclLayerErrors.begin(), kAclLayerErrors.end(),
                             [](const ErrorCode& a, const ErrorCode& b) { return a.value < b.value; }));

}  // namespace

std::span<const ErrorCode> AclLayerErrors() { return kAclLayerErrors; }

}  // namespace tandem
