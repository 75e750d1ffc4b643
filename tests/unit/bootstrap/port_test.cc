// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/port.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

#include "comm/bootstrap/root_info.h"
#include "unit/bootstrap/ranks.h"

namespace tandem::bootstrap {
namespace {

std::string TextOf(const Result<ListeningSocket>& result) { return std::string(result.status().text()); }

TEST(PortsToTry, StartAtTheDevicesOwnAndGoRoundTheRange) {
  const auto ports = PortsToTry(std::nullopt, 50000, 33);
  ASSERT_EQ(ports.size(), 33U);
  EXPECT_EQ(ports[0], 50001);
  EXPECT_EQ(ports[30], 50031);
  EXPECT_EQ(ports[31], 50000);
  EXPECT_EQ(ports[32], 0);
}

TEST(PortsToTry, HighestBaseKeepsToRealPorts) {
  for (const uint16_t port : PortsToTry(std::nullopt, 65520, 0)) EXPECT_TRUE(port == 0 || port >= 65520);
}

TEST(PortsToTry, ChosenRangesAreAllThereIs) {
  EXPECT_EQ(PortsToTry(PortRanges{true, {}}, 60000, 3), std::vector<uint16_t>{0});
  EXPECT_EQ(PortsToTry(PortRanges{false, {{7, 9}, {5, 5}}}, 60000, 3), (std::vector<uint16_t>{7, 8, 9, 5}));
}

TEST(Listen, TakenPortNamesAddressPortAndOwner) {
  const auto first = Listen("127.0.0.1", {0});
  ASSERT_TRUE(first) << TextOf(first);
  const auto second = Listen("127.0.0.1", {first->port});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.status().code(), Code::kUnavailable);
  EXPECT_EQ(second.status().id(), "EI0019");
  const std::string text = TextOf(second);
  EXPECT_NE(text.find("127.0.0.1 port " + std::to_string(first->port)), std::string::npos) << text;
  EXPECT_NE(text.find("taken by pid " + std::to_string(getpid()) + " ("), std::string::npos) << text;
}

TEST(Listen, NextPortIsTakenWhenTheFirstIsNot) {
  const auto first = Listen("127.0.0.1", {0});
  ASSERT_TRUE(first);
  const auto second = Listen("127.0.0.1", {first->port, 0});
  ASSERT_TRUE(second) << TextOf(second);
  EXPECT_NE(second->port, first->port);
}

// An outgoing connection holds its local port too.
TEST(Listen, PortOfAnOutgoingConnectionIsPassedOver) {
  const auto server = Listen("127.0.0.1", {0});
  ASSERT_TRUE(server);
  const UniqueFd client(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(server->port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(connect(client.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  socklen_t bytes = sizeof(address);
  ASSERT_EQ(getsockname(client.get(), reinterpret_cast<sockaddr*>(&address), &bytes), 0);
  const uint16_t taken = ntohs(address.sin_port);
  EXPECT_FALSE(Listen("127.0.0.1", {taken}));
  const auto other = Listen("127.0.0.1", {taken, 0});
  ASSERT_TRUE(other) << TextOf(other);
  EXPECT_NE(other->port, taken);
}

TEST(Listen, WorksOnIpv6) {
  const auto socket = Listen("::1", {0});
  if (!socket && socket.status().code() == Code::kSystem) GTEST_SKIP() << "no IPv6: " << TextOf(socket);
  ASSERT_TRUE(socket) << TextOf(socket);
}

TEST(RootPorts, TakenRangeFailsWithTheOwner) {
  const auto taken = Listen("127.0.0.1", {0});
  ASSERT_TRUE(taken);
  const test::Environment environment(
      test::SettingPairs{{"HCCL_HOST_SOCKET_PORT_RANGE", std::to_string(taken->port)}});
  const auto info = StartRoot(0);
  ASSERT_FALSE(info);
  EXPECT_EQ(info.status().code(), Code::kUnavailable);
  EXPECT_EQ(info.status().id(), "EI0019");
}

TEST(RootPorts, BasePortIsUsedOrAnotherOneWhenItIsTaken) {
  const auto taken = Listen("127.0.0.1", {0});
  ASSERT_TRUE(taken);
  const uint16_t base = std::min<uint16_t>(taken->port, 65520);
  const test::Environment environment(
      test::SettingPairs{{"HCCL_HOST_SOCKET_PORT_RANGE", ""}, {"HCCL_IF_BASE_PORT", std::to_string(base)}});
  const auto bytes = StartRoot(0);
  ASSERT_TRUE(bytes) << bytes.status().text();
  const auto info = Decode(*bytes);
  ASSERT_TRUE(info);
  EXPECT_NE(info->port, taken->port);
}

TEST(RootPorts, RootsOfOneProcessShareAPort) {
  const test::Environment environment;
  const auto one = StartRoot(0);
  const auto two = StartRoot(1);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(Decode(*one)->port, Decode(*two)->port);
  EXPECT_NE(Decode(*one)->id, Decode(*two)->id);
}

TEST(RootPorts, JoinWorksOverIpv6) {
  const auto probe = Listen("::1", {0});
  if (!probe) GTEST_SKIP() << "no IPv6: " << TextOf(probe);
  const test::Environment environment(test::SettingPairs{{"HCCL_IF_IP", "::1"}});
  const auto info = StartRoot(0);
  ASSERT_TRUE(info) << info.status().text();
  for (const auto& one : test::JoinAll(*info, test::Ranks(3, [](uint32_t rank) { return rank != 0; }))) {
    EXPECT_TRUE(one) << one.status().text();
  }
}

}  // namespace
}  // namespace tandem::bootstrap
