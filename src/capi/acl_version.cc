// SPDX-License-Identifier: Apache-2.0
// Names and versions. Package versions come from the files of the toolkit that ASCEND_HOME_PATH names.
#include <acl/acl_rt.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

#include "capi/enter.h"
#include "capi/handles.h"

namespace tandem::capi {
namespace {

constexpr std::string_view kKey = "Version=";

Result<std::string> PackageVersion(std::string_view package) {
  if (package.empty() || package.find('/') != std::string_view::npos) {
    return Status::Error(Code::kInvalidArgument, "the package name \"%.*s\" is not a plain name",
                         static_cast<int>(package.size()), package.data());
  }
  const char* home = std::getenv("ASCEND_HOME_PATH");
  if (home == nullptr || *home == '\0') {
    return Status::Error(Code::kInvalidFile,
                         "ASCEND_HOME_PATH is not set; it names the folder whose "
                         "share/info/%.*s/version.info has the version",
                         static_cast<int>(package.size()), package.data());
  }
  const std::string path = std::string(home) + "/share/info/" + std::string(package) + "/version.info";
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with(kKey)) continue;
    line.erase(0, kKey.size());
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    return line;
  }
  return Status::Error(Code::kInvalidFile, "%s does not exist or has no line Version=", path.c_str());
}

// "9.1.0-beta.2" in parts; what is missing stays 0.
struct Version {
  std::array<int32_t, 3> numbers{};
  std::string_view stage;  // "alpha", "beta", "rc" or ""
  int32_t stage_number = 0;
};

Version Split(std::string_view text) {
  Version version;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int32_t& number : version.numbers) {
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) break;
    at = next;
    if (at == end || *at != '.') break;
    ++at;
  }
  std::string lower(at, end);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const std::string_view stage : {"alpha", "beta", "rc"}) {
    const size_t found = lower.find(stage);
    if (found == std::string::npos) continue;
    version.stage = stage;
    const size_t digits = lower.find_first_of("0123456789", found);
    if (digits != std::string::npos) {
      std::from_chars(lower.data() + digits, lower.data() + lower.size(), version.stage_number);
    }
    break;
  }
  return version;
}

int32_t AsNumber(const Version& version) {
  int64_t number = version.numbers[0] * int64_t{10'000'000} + version.numbers[1] * int64_t{100'000} +
                   version.numbers[2] * int64_t{1'000};
  if (version.stage == "alpha") number -= 300;
  if (version.stage == "beta") number -= 200;
  if (version.stage == "rc") number -= 100;
  number += version.stage_number;
  // What a damaged file says need not fit.
  return static_cast<int32_t>(std::clamp<int64_t>(number, INT32_MIN, INT32_MAX));
}

template <size_t kSize>
void CopyText(std::string_view text, char (&to)[kSize]) {
  const size_t bytes = std::min(text.size(), kSize - 1);
  std::memcpy(to, text.data(), bytes);
  to[bytes] = '\0';
}

constexpr std::array<std::string_view, 8> kPackageNames = {"cann",    "runtime", "compiler",   "hccl",
                                                           "toolkit", "opp",     "opp_kernel", "driver"};

}  // namespace
}  // namespace tandem::capi

using namespace tandem;        // NOLINT(google-build-using-namespace): the functions below are outside every
                               // namespace
using namespace tandem::capi;  // NOLINT(google-build-using-namespace)

// What any chip accepts is accepted here; programs that ask get a common one.
extern "C" const char* aclrtGetSocName(void) { return "Ascend910B3"; }

extern "C" aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion, int32_t* patchVersion) {
  return EnterAcl("aclrtGetVersion", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(majorVersion, "majorVersion"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(minorVersion, "minorVersion"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(patchVersion, "patchVersion"));
    *majorVersion = ACL_MAJOR_VERSION;
    *minorVersion = ACL_MINOR_VERSION;
    *patchVersion = ACL_PATCH_VERSION;
    return Status::Ok();
  });
}

extern "C" aclError aclsysGetVersionStr(char* pkgName, char* versionStr) {
  return EnterAcl("aclsysGetVersionStr", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(pkgName, "pkgName"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(versionStr, "versionStr"));
    const Result<std::string> version = PackageVersion(pkgName);
    if (!version) return version.status();
    const size_t bytes = std::min<size_t>(version->size(), ACL_PKG_VERSION_MAX_SIZE - 1);
    std::memcpy(versionStr, version->data(), bytes);
    versionStr[bytes] = '\0';
    return Status::Ok();
  });
}

extern "C" aclError aclsysGetVersionNum(char* pkgName, int32_t* versionNum) {
  return EnterAcl("aclsysGetVersionNum", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(pkgName, "pkgName"));
    TANDEM_RETURN_IF_ERROR(CheckNotNull(versionNum, "versionNum"));
    const Result<std::string> version = PackageVersion(pkgName);
    if (!version) return version.status();
    *versionNum = AsNumber(Split(*version));
    return Status::Ok();
  });
}

extern "C" aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion* version) {
  return EnterAcl("aclsysGetCANNVersion", [&]() -> Status {
    TANDEM_RETURN_IF_ERROR(CheckNotNull(version, "version"));
    if (name < 0 || static_cast<size_t>(name) >= kPackageNames.size()) {
      return Status::Error(Code::kInvalidArgument, "name is %d, expected 0 to %zu", static_cast<int>(name),
                           kPackageNames.size() - 1);
    }
    const Result<std::string> text = PackageVersion(kPackageNames[static_cast<size_t>(name)]);
    if (!text) return text.status();
    const Version parts = Split(*text);
    *version = {};
    CopyText(*text, version->version);
    CopyText(std::to_string(parts.numbers[0]), version->majorVersion);
    CopyText(std::to_string(parts.numbers[1]), version->minorVersion);
    CopyText(std::to_string(parts.numbers[2]), version->releaseVersion);
    CopyText(std::to_string(parts.stage_number), version->patchVersion);
    return Status::Ok();
  });
}
