// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/root_info.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace tandem::bootstrap {
namespace {

RootInfo Example() {
  RootInfo info;
  info.address = "fe80::1%eth0";
  info.port = 60001;
  info.identifier = "fe80::1%eth0_60001_3_1700000000000000";
  info.id = Random<16>();
  info.secret = Random<32>();
  info.pid = 4242;
  info.host_name = "node07";
  return info;
}

std::string TextOf(const RootInfoBytes& bytes) {
  const auto decoded = Decode(bytes);
  EXPECT_FALSE(decoded);
  EXPECT_EQ(decoded.status().code(), Code::kInvalidArgument);
  return std::string(decoded.status().text());
}

TEST(RootInfo, ComesBackAsItWas) {
  const RootInfo info = Example();
  const auto decoded = Decode(Encode(info));
  ASSERT_TRUE(decoded) << decoded.status().text();
  EXPECT_EQ(decoded->address, info.address);
  EXPECT_EQ(decoded->port, info.port);
  EXPECT_EQ(decoded->identifier, info.identifier);
  EXPECT_EQ(decoded->id, info.id);
  EXPECT_EQ(decoded->secret, info.secret);
  EXPECT_EQ(decoded->pid, info.pid);
  EXPECT_EQ(decoded->host_name, info.host_name);
  EXPECT_EQ(decoded->Endpoint(), "[fe80::1%eth0]:60001");
}

TEST(RootInfo, EveryDamagedByteIsNoticed) {
  const RootInfoBytes good = Encode(Example());
  for (size_t at = 0; at < good.size(); ++at) {
    RootInfoBytes bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    EXPECT_FALSE(Decode(bad)) << "byte " << at;
  }
}

TEST(RootInfo, WaysToBeWrongAreToldApart) {
  const RootInfoBytes good = Encode(Example());
  EXPECT_NE(TextOf({}).find("all bytes are zero"), std::string::npos);

  RootInfoBytes other = good;
  other[0] = 'X';
  EXPECT_NE(TextOf(other).find("not the bytes that HcclGetRootInfo wrote"), std::string::npos);

  RootInfoBytes newer = good;
  newer[8] = 9;
  EXPECT_NE(TextOf(newer).find("root info version 9, this one has version 1"), std::string::npos);
  EXPECT_EQ(Decode(newer).status().id(), "EI0008");

  RootInfoBytes damaged = good;
  damaged[100] = static_cast<char>(damaged[100] ^ 1);
  EXPECT_NE(TextOf(damaged).find("damaged"), std::string::npos);

  // The first is what copying it as a string leaves.
  for (const size_t kept : {strnlen(good.data(), good.size()), size_t{128}, size_t{1024}, size_t{4107}}) {
    RootInfoBytes cut = good;
    std::fill(cut.begin() + static_cast<ptrdiff_t>(kept), cut.end(), '\0');
    EXPECT_NE(TextOf(cut).find("cut off"), std::string::npos) << kept;
  }
}

}  // namespace
}  // namespace tandem::bootstrap
