// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "unit/bootstrap/ranks.h"

namespace tandem::bootstrap::test {
namespace {

bool Odd(uint32_t rank) { return rank % 2 == 1; }

class JoinTest : public testing::Test {
 protected:
  void SetUp() override {
    auto info = StartRoot(0);
    ASSERT_TRUE(info) << info.status().text();
    info_ = *info;
  }
  Environment environment_;
  RootInfoBytes info_{};
};

using Placement = bool (*)(uint32_t);
class JoinPlacementTest : public JoinTest,
                          public testing::WithParamInterface<std::tuple<uint32_t, Placement>> {};

TEST_P(JoinPlacementTest, EveryRankGetsTheSameTable) {
  const auto [count, is_far] = GetParam();
  const auto ranks = Ranks(count, is_far);
  const auto joined = JoinAll(info_, ranks);
  for (const Joined& one : joined) {
    ASSERT_TRUE(one) << one.status().text();
    const RankTable& table = (*one)->table();
    ASSERT_EQ(table.ranks.size(), count);
    EXPECT_EQ(table.name.rfind("127.0.0.1_", 0), 0U) << table.name;
    EXPECT_EQ(table.name, (*joined[0])->table().name);
    for (uint32_t rank = 0; rank < count; ++rank) {
      const RankRecord& record = table.ranks[rank];
      const RankRecord& sent = ranks[rank].record;
      EXPECT_EQ(record.rank, rank);
      EXPECT_EQ(record.device, sent.device);
      EXPECT_EQ(record.host, sent.host);
      EXPECT_EQ(record.host_name, sent.host_name);
      EXPECT_EQ(record.uid, sent.uid);
      EXPECT_EQ(record.cores, sent.cores);
      EXPECT_EQ(record.process.id, sent.process.id);
      EXPECT_EQ(record.process.socket, sent.process.socket);
      EXPECT_EQ(record.process.token, sent.process.token);
      EXPECT_EQ(record.process.pid, sent.process.pid);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Placements, JoinPlacementTest,
                         testing::Combine(testing::Values(1U, 2U, 5U, 64U),
                                          testing::Values(&Nobody, &AllButZero, &Everybody, &Odd)));

TEST_F(JoinTest, ThreadRanksNeedNoDescriptors) {
  const size_t before = OpenDescriptors();
  const auto joined = JoinAll(info_, Ranks(256, Nobody));
  for (const Joined& one : joined) ASSERT_TRUE(one) << one.status().text();
  EXPECT_EQ(OpenDescriptors(), before);
}

TEST_F(JoinTest, LateRankIsWaitedFor) {
  Joined early = Status::Error(Code::kInternal, "not joined");
  std::thread first([&] { early = JoinWith(info_, 2, Record(0), Patient(), {}); });
  // Rank 1 comes when rank 0 has certainly been admitted: the loop runs in order and rank 0's thread is
  // blocked.
  SettleLoop();
  const auto late = JoinAll(info_, {{ForeignRecord(1, 100'000'001), 2, true}});
  first.join();
  EXPECT_TRUE(early) << early.status().text();
  EXPECT_TRUE(late[0]) << late[0].status().text();
}

TEST_F(JoinTest, LeavingIsToldToAllOthersAndNothingElse) {
  auto joined = JoinAll(info_, Ranks(4, Odd));
  for (const Joined& one : joined) ASSERT_TRUE(one) << one.status().text();
  std::vector<Losses> losses(4);
  for (size_t rank = 0; rank < 4; ++rank) (*joined[rank])->SetLossHandler(losses[rank].Handler());
  (*joined[1]).reset();
  for (const size_t rank : {0U, 2U, 3U}) {
    const auto heard = losses[rank].Await(1);
    ASSERT_EQ(heard.size(), 1U) << "rank " << rank;
    EXPECT_EQ(heard[0].rank, 1U);
    EXPECT_TRUE(heard[0].left);
    EXPECT_EQ(heard[0].cause, "left the communicator");
  }
}

TEST_F(JoinTest, RootRankMayLeaveFirst) {
  auto joined = JoinAll(info_, Ranks(3, AllButZero));
  for (const Joined& one : joined) ASSERT_TRUE(one) << one.status().text();
  (*joined[0]).reset();
  (*joined[1]).reset();
  Losses losses;
  (*joined[2])->SetLossHandler(losses.Handler());
  const auto heard = losses.Await(2);
  ASSERT_EQ(heard.size(), 2U);
  EXPECT_TRUE(heard[0].left);
  EXPECT_EQ(heard[0].rank, 0U);
  EXPECT_TRUE(heard[1].left);
  EXPECT_EQ(heard[1].rank, 1U);
}

TEST_F(JoinTest, HandlerSetLateHearsWhatHappenedBefore) {
  auto joined = JoinAll(info_, Ranks(2, Nobody));
  ASSERT_TRUE(joined[0] && joined[1]);
  (*joined[1]).reset();
  Losses first;
  (*joined[0])->SetLossHandler(first.Handler());
  EXPECT_EQ(first.Await(1).size(), 1U);
  (*joined[0])->SetLossHandler(nullptr);
  Losses second;
  (*joined[0])->SetLossHandler(second.Handler());
  EXPECT_EQ(second.Await(1).size(), 1U);
  EXPECT_EQ(first.Await(1).size(), 1U);
}

TEST_F(JoinTest, HandlerMayLeaveTheCommunicator) {
  auto joined = JoinAll(info_, Ranks(2, AllButZero));
  ASSERT_TRUE(joined[0] && joined[1]);
  Losses told;
  auto* mine = &*joined[0];
  (*mine)->SetLossHandler([mine, handler = told.Handler()](const RankLoss& loss) {
    const auto tell = handler;
    // The loss and this closure may go with the member.
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
    const RankLoss copy = loss;
    mine->reset();
    tell(copy);
  });
  (*joined[1]).reset();
  EXPECT_EQ(told.Await(1).size(), 1U);
}

TEST(JoinCycles, DescriptorsStayFlat) {
  const Environment environment;
  const auto cycle = [](Placement is_far) {
    auto info = StartRoot(0);
    ASSERT_TRUE(info) << info.status().text();
    for (const Joined& one : JoinAll(*info, Ranks(2, is_far))) ASSERT_TRUE(one) << one.status().text();
  };
  cycle(Nobody);
  SettleLoop();
  const size_t before = OpenDescriptors();
  for (int i = 0; i < 1000; ++i) cycle(Nobody);
  SettleLoop();
  EXPECT_EQ(OpenDescriptors(), before);
  for (int i = 0; i < 100; ++i) cycle(AllButZero);
  // A connection closes once both sides have said goodbye; the loop needs some rounds for the last ones.
  while (OpenDescriptors() > before && Clock::now() < Patient()) SettleLoop();
  EXPECT_EQ(OpenDescriptors(), before);
}

TEST(JoinCycles, FortyCommunicatorsOfOneProcessLiveAtOnce) {
  const Environment environment;
  std::vector<std::vector<Joined>> alive;
  for (int i = 0; i < 40; ++i) {
    auto info = StartRoot(i % 8);
    ASSERT_TRUE(info) << info.status().text();
    alive.push_back(JoinAll(*info, Ranks(2, AllButZero)));
    for (const Joined& one : alive.back()) ASSERT_TRUE(one) << one.status().text();
  }
  EXPECT_NE((*alive[0][0])->table().name, (*alive[39][0])->table().name);
}

}  // namespace
}  // namespace tandem::bootstrap::test
