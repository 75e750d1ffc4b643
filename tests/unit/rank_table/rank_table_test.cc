// SPDX-License-Identifier: Apache-2.0
#include "comm/rank_table/rank_table.h"

#include <gtest/gtest.h>

#include <string>

namespace tandem::rank_table {
namespace {

constexpr uint32_t kDevices = 8;

Result<Table> Read(const std::string& text) {
  Result<Document> document = Parse("t.json", text);
  if (!document) return std::move(document).status();
  return Interpret(*document, kDevices);
}

void ExpectRefused(const std::string& text, Code code, const std::string& id, const std::string& said) {
  const Result<Table> table = Read(text);
  ASSERT_FALSE(table) << text;
  EXPECT_EQ(table.status().code(), code) << table.status().text();
  EXPECT_EQ(table.status().id(), id) << table.status().text();
  EXPECT_NE(table.status().text().find(said), std::string_view::npos) << table.status().text();
}

std::string Replaced(std::string text, const std::string& what, const std::string& by) {
  const size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

const std::string kServers = R"({"status":"completed","version":"1.0","server_count":"1","server_list":[
  {"server_id":"a","device":[{"device_id":"3","rank_id":"1","device_ip":"10.0.0.1","device_port":"17"},
                             {"device_id":"2","rank_id":"0","device_ip":"10.0.0.2"}]}]})";

const std::string kGroups = R"({"status":"completed","group_count":"1","group_list":[{"group_name":"g",
  "instance_count":"2","device_count":"4","instance_list":[
  {"pod_name":"p0","server_id":"a","devices":[{"device_id":"0","device_ip":"10.0.0.1"},
                                              {"device_id":"1","device_ip":"10.0.0.2"}]},
  {"pod_name":"p1","server_id":"b","devices":[{"device_id":"0","device_ip":"10.0.0.3"},
                                              {"device_id":"1","device_ip":"10.0.0.4"}]}]}]})";

const std::string kPods = R"({"status":"completed","version":"1.2","server_count":"2","server_list":[
  {"server_id":"a","device":[{"device_id":"0","rank_id":"0","device_ip":"10.0.0.1","super_device_id":"5"}]},
  {"server_id":"b","device":[{"device_id":"0","rank_id":"1","device_ip":"10.0.0.2","super_device_id":"6"}]}],
  "super_pod_list":[{"super_pod_id":"0","server_list":[{"server_id":"a"},{"server_id":"b"}]}]})";

const std::string kRankList = R"({"version":"2.0","rank_count":2,"rank_list":[
  {"rank_id":1,"local_id":1,"device_id":1,"level_list":[{"net_layer":0,"net_instance_id":"s0",
   "net_type":"TOPO_FILE_DESC","rank_addr_list":[{"addr_type":"EID","addr":"0f","ports":["0/1"]}]}]},
  {"rank_id":0,"local_id":0,"device_id":0,"device_port":17,"level_list":[
   {"net_layer":0,"net_instance_id":"s0","net_type":"TOPO_FILE_DESC","rank_addr_list":[]},
   {"net_layer":2,"net_instance_id":"all","net_type":"CLOS","rank_addr_list":[]}]}]})";

TEST(RankTable, ServersAreOrderedByRank) {
  const Result<Table> table = Read(kServers);
  ASSERT_TRUE(table) << table.status().text();
  ASSERT_EQ(table->entries.size(), 2U);
  EXPECT_EQ(table->entries[0].device, 2);
  EXPECT_EQ(table->entries[1].device, 3);
  EXPECT_EQ(table->entries[1].device_port, 17U);
  EXPECT_EQ(table->entries[1].path, "$.server_list[0].device[0]");
  EXPECT_TRUE(CheckOwnEntry(*table, 1, 3).ok());
  EXPECT_EQ(CheckOwnEntry(*table, 1, 2).code(), Code::kUnavailable);
  EXPECT_EQ(CheckOwnEntry(*table, 2, 2).code(), Code::kInvalidArgument);
}

TEST(RankTable, TemplateTwoTakesRanksInListOrder) {
  const Result<Table> table = Read(kGroups);
  ASSERT_TRUE(table) << table.status().text();
  ASSERT_EQ(table->entries.size(), 4U);
  EXPECT_EQ(table->entries[2].server, "b");
  EXPECT_EQ(table->entries[2].device, 0);
  EXPECT_EQ(CheckOwnEntry(*table, 0, 0).code(), Code::kNotSupported);
}

TEST(RankTable, SuperPodsAndRankListsAreRead) {
  const Result<Table> pods = Read(kPods);
  ASSERT_TRUE(pods) << pods.status().text();
  EXPECT_EQ(pods->entries[1].super_device, "6");
  const Result<Table> list = Read(kRankList);
  ASSERT_TRUE(list) << list.status().text();
  ASSERT_EQ(list->entries.size(), 2U);
  EXPECT_EQ(list->entries[0].device_port, 17U);
  EXPECT_TRUE(CheckOwnEntry(*list, 1, 1).ok());
}

TEST(RankTable, EveryFieldIsChecked) {
  const auto servers = [](const std::string& what, const std::string& by) {
    return Replaced(kServers, what, by);
  };
  const auto groups = [](const std::string& what, const std::string& by) {
    return Replaced(kGroups, what, by);
  };
  const auto pods = [](const std::string& what, const std::string& by) { return Replaced(kPods, what, by); };
  const auto list = [](const std::string& what, const std::string& by) {
    return Replaced(kRankList, what, by);
  };
  const Code wrong = Code::kInvalidArgument;
  ExpectRefused(servers(R"("status":"completed",)", ""), Code::kNotFound, "EI0017", "$.status is missing");
  ExpectRefused(servers(R"("version":"1.0")", R"("version":1.0)"), wrong, "EI0017", "$.version is 1.0");
  ExpectRefused(servers(R"("version":"1.0")", R"("version":"1.3")"), Code::kNotSupported, "EI0014", "1.3");
  ExpectRefused(servers(R"("server_count":"1")", R"("server_count":"0")"), wrong, "EI0014", "$.server_count");
  ExpectRefused(servers(R"("server_id":"a")", R"("server_id":"")"), wrong, "EI0014", "1 to 64");
  ExpectRefused(servers(R"("server_id":"a")", R"("server_id":")" + std::string(65, 'x') + "\""), wrong,
                "EI0014", "1 to 64");
  ExpectRefused(servers(R"("device_id":"3")", R"("device_id":"8")"), wrong, "EI0014", "from 0 to 7");
  ExpectRefused(servers(R"("device_id":"3")", R"("device_id":-3)"), wrong, "EI0017", "device_id is -3");
  ExpectRefused(servers(R"("rank_id":"1")", R"("rank_id":"-1")"), wrong, "EI0014", "rank_id is \"-1\"");
  ExpectRefused(servers(R"(,"rank_id":"1")", ""), Code::kNotFound, "EI0017", "device[0].rank_id is missing");
  ExpectRefused(servers("10.0.0.1", "10.0.0"), wrong, "EI0014", "device_ip is \"10.0.0\"");
  ExpectRefused(servers("10.0.0.1", "10.0.0.2"), wrong, "EI0014", "device_ip is 10.0.0.2");
  ExpectRefused(servers("10.0.0.1", "fd00::1"), wrong, "EI0001", "fd00::1 (IPv6)");
  ExpectRefused(servers("10.0.0.1", "10.0.0.1,10.0.0.3"), wrong, "EI0014", "as many for every device");
  ExpectRefused(servers(R"("device_port":"17")", R"("device_port":"0")"), wrong, "EI0014", "from 1 to 65535");
  ExpectRefused(servers(R"("device":[)", R"("device":[7,)"), wrong, "EI0017", "device[0] is 7");
  ExpectRefused(groups(R"("group_count":"1")", R"("group_count":"2")"), wrong, "EI0014", "$.group_count");
  ExpectRefused(groups(R"("instance_count":"2")", R"("instance_count":"1")"), wrong, "EI0014",
                "instance_count");
  ExpectRefused(groups(R"("device_count":"4")", R"("device_count":"5")"), wrong, "EI0014", "device_count");
  ExpectRefused(groups(R"("pod_name":"p1")", R"("pod_name":"p0")"), wrong, "EI0014", "pod_name");
  ExpectRefused(pods(R"([{"server_id":"a"},)", R"([{"server_id":"c"},)"), wrong, "EI0014",
                "server_id is \"c\"");
  ExpectRefused(pods(R"([{"server_id":"a"},{"server_id":"b"}])", R"([{"server_id":"a"}])"), wrong, "EI0014",
                "super_pod_list names 1");
  ExpectRefused(pods(R"("super_device_id":"6")", R"("super_device_id":"5")"), wrong, "EI0014",
                "super_device_id is \"5\"");
  ExpectRefused(pods(R"(,"device_ip":"10.0.0.1")", ""), wrong, "EI0014", "device_ip is missing");
  ExpectRefused(list(R"("rank_count":2)", R"("rank_count":3)"), wrong, "EI0014", "$.rank_count is 3");
  ExpectRefused(list(R"("rank_id":1)", R"("rank_id":"1")"), wrong, "EI0017", "without quotation marks");
  ExpectRefused(list(R"("local_id":1)", R"("local_id":65)"), wrong, "EI0014", "from 0 to 64");
  ExpectRefused(list(R"("net_layer":2)", R"("net_layer":0)"), wrong, "EI0014", "net_layer is 0");
  ExpectRefused(list(R"("net_type":"CLOS")", R"("net_type":"RING")"), wrong, "EI0014",
                "CLOS or TOPO_FILE_DESC");
  ExpectRefused(list(R"("addr_type":"EID")", R"("addr_type":"MAC")"), wrong, "EI0014", "EID, IPV4 or IPV6");
  ExpectRefused(list(R"(["0/1"])", "[1]"), wrong, "EI0017", "ports");
}

TEST(RankTable, WhatIsNotJsonHasAPlace) {
  ExpectRefused("", Code::kParseFile, "EI0004", "t.json, line 1, column 1");
  ExpectRefused("{\n\"a\": \n}", Code::kParseFile, "EI0004", "line 3, column 1");
  ExpectRefused("[]", Code::kParseFile, "EI0004", "one object");
  ExpectRefused("{\"a\": 1} x", Code::kParseFile, "EI0004", "line 1, column 10");
  ExpectRefused(std::string("{\"a\": \"") + '\xff' + "\"}", Code::kParseFile, "EI0004", "line 1, column 8");
  ExpectRefused("{\"a\": " + std::string(100000, '['), Code::kParseFile, "EI0004", "inside each other");
  // Brackets inside strings do not count.
  ExpectRefused("{\"a\": \"\\\"" + std::string(100, '[') + "\"}", Code::kNotFound, "EI0017", "$.status");
}

TEST(RankTable, FactsTellTablesApart) {
  const Result<Table> one = Read(kServers);
  const Result<Table> other = Read(Replaced(kServers, R"("device_port":"17")", R"("device_port":"18")"));
  ASSERT_TRUE(one && other);
  EXPECT_EQ(Facts(*one), Facts(*Read(kServers)));
  EXPECT_NE(Facts(*one), Facts(*other));
}

}  // namespace
}  // namespace tandem::rank_table
