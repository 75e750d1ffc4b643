// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/nic.h"

#include <gtest/gtest.h>

#include "base/config_parse.h"
#include "comm/bootstrap/bootstrap.h"
#include "unit/bootstrap/ranks.h"

namespace tandem::bootstrap {
namespace {

std::vector<Nic> Host() {
  return {{"lo", "127.0.0.1"},
          {"docker0", "172.17.0.1"},
          {"enp3s0", "10.0.0.7"},
          {"eth1", "10.1.0.7"},
          {"eth0", "10.2.0.7"},
          {"lo", "::1", true},
          {"eth0", "fe80::1%eth0", true, true},
          {"eth0", "fd00::7", true}};
}

std::string Choose(const NicWishes& wishes, std::vector<Nic> nics = Host()) {
  const auto nic = ChooseNic(std::move(nics), wishes);
  return nic ? nic->address : "error: " + std::string(nic.status().text());
}

std::string ByName(const char* pattern) {
  const auto filter = config::ParseNicFilter(pattern);
  return filter ? Choose({{}, *filter}) : "malformed";
}

TEST(Nic, OrdinaryInterfacesComeFirstByNameThenDockerThenLoopback) {
  EXPECT_EQ(Choose({}), "10.0.0.7");
  EXPECT_EQ(Choose({}, {{"lo", "127.0.0.1"}, {"docker0", "172.17.0.1"}}), "172.17.0.1");
  EXPECT_EQ(Choose({}, {{"lo", "127.0.0.1"}}), "127.0.0.1");
}

TEST(Nic, FourFormsOfPatterns) {
  EXPECT_EQ(ByName("eth"), "10.2.0.7");
  EXPECT_EQ(ByName("eth1,lo"), "10.1.0.7");
  EXPECT_EQ(ByName("^e"), "172.17.0.1");
  EXPECT_EQ(ByName("=eth1"), "10.1.0.7");
  EXPECT_EQ(ByName("=eth").rfind("error", 0), 0U);
  EXPECT_EQ(ByName("^=enp3s0,eth0"), "10.1.0.7");
  for (const char* malformed : {",eth", "eth,", "eth,,lo", "=", "^", "=^eth", "eth,^lo"}) {
    EXPECT_EQ(ByName(malformed), "malformed") << malformed;
  }
}

TEST(Nic, NothingThatMatchesListsWhatThereIs) {
  const auto nic = ChooseNic(Host(), {{}, config::ParseNicFilter("abc")});
  ASSERT_FALSE(nic);
  EXPECT_EQ(nic.status().code(), Code::kNotFound);
  EXPECT_EQ(nic.status().id(), "EI0001");
  const std::string text(nic.status().text());
  EXPECT_NE(text.find("HCCL_SOCKET_IFNAME=\"abc\""), std::string::npos) << text;
  EXPECT_NE(text.find("eth1 10.1.0.7"), std::string::npos) << text;
}

TEST(Nic, AddressMustBeOfThisHostAndGoesBeforeTheName) {
  EXPECT_EQ(Choose({"10.1.0.7", config::ParseNicFilter("=eth0")}), "10.1.0.7");
  EXPECT_EQ(Choose({"fd00:0:0::7", {}}), "fd00::7");
  EXPECT_EQ(Choose({"127.0.0.5", {}}), "127.0.0.5");
  const auto nic = ChooseNic(Host(), {"10.9.9.9", {}});
  ASSERT_FALSE(nic);
  EXPECT_EQ(nic.status().code(), Code::kNotFound);
  EXPECT_NE(nic.status().text().find("enp3s0 10.0.0.7"), std::string_view::npos) << nic.status().text();
}

TEST(Nic, FamilyIsPreferredNotDemanded) {
  EXPECT_EQ(Choose({{}, {}, AddressFamily::kInet6}), "fd00::7");
  EXPECT_EQ(Choose({{}, {}, AddressFamily::kInet}), "10.0.0.7");
  EXPECT_EQ(Choose({{}, {}, AddressFamily::kInet6}, {{"eth0", "10.2.0.7"}}), "10.2.0.7");
  EXPECT_EQ(Choose({}, {{"eth0", "fd00::7", true}}), "fd00::7");
}

TEST(Nic, ThisHostHasLoopback) {
  EXPECT_TRUE(IsAddressOfThisHost("127.0.0.1"));
  EXPECT_FALSE(IsAddressOfThisHost("192.0.2.1"));
}

TEST(Nic, BadEnvironmentStopsTheRoot) {
  const test::Environment environment(test::SettingPairs{{"HCCL_IF_IP", "192.0.2.1"}});
  const auto info = StartRoot(0);
  ASSERT_FALSE(info);
  EXPECT_EQ(info.status().code(), Code::kNotFound);
  EXPECT_EQ(info.status().id(), "EI0001");
}

}  // namespace
}  // namespace tandem::bootstrap
