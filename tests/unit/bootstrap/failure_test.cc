// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "unit/bootstrap/ranks.h"

namespace tandem::bootstrap::test {
namespace {

using namespace std::chrono_literals;

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

class FailureTest : public testing::Test {
 protected:
  void SetUp() override {
    auto info = StartRoot(0);
    ASSERT_TRUE(info) << info.status().text();
    info_ = *info;
  }
  Environment environment_;
  RootInfoBytes info_{};
};

void ExpectAll(const std::vector<Joined>& joined, Code code, std::string_view id, std::string_view part) {
  for (const Joined& one : joined) {
    ASSERT_FALSE(one);
    EXPECT_EQ(one.status().code(), code) << one.status().text();
    EXPECT_EQ(one.status().id(), id);
    EXPECT_TRUE(Contains(one.status().text(), part)) << one.status().text();
  }
}

class MissingRankTest : public FailureTest, public testing::WithParamInterface<bool (*)(uint32_t)> {};

TEST_P(MissingRankTest, EveryRankHearsWhoIsMissing) {
  auto ranks = Ranks(4, GetParam());
  ranks.pop_back();
  const auto joined = JoinAll(info_, ranks, Clock::now() + 2s);
  ExpectAll(joined, Code::kInternal, "EI0015", "connected 0,1,2; missing 3");
}

INSTANTIATE_TEST_SUITE_P(Placements, MissingRankTest, testing::Values(&Nobody, &AllButZero, &Everybody));

TEST_F(FailureTest, RankThatComesTooLateHearsTheSameOnceAndThenThatTheInfoIsUsed) {
  auto ranks = Ranks(2, AllButZero);
  const auto late = ranks.back();
  ranks.pop_back();
  ExpectAll(JoinAll(info_, ranks, Clock::now() + 200ms), Code::kInternal, "EI0015", "connected 0; missing 1");
  ExpectAll(JoinAll(info_, {late}), Code::kInternal, "EI0015", "connected 0; missing 1");
}

TEST_F(FailureTest, DifferentRankCountsAreNamedOnAllRanks) {
  auto ranks = Ranks(4, AllButZero);
  ranks[2].rank_count = 3;
  const auto joined = JoinAll(info_, ranks);
  for (const Joined& one : joined) {
    ASSERT_FALSE(one);
    EXPECT_EQ(one.status().code(), Code::kInvalidArgument);
    EXPECT_EQ(one.status().id(), "EI0015");
    EXPECT_EQ(one.status().text(), joined[0].status().text());
    EXPECT_TRUE(Contains(one.status().text(), "rank 2 says 3 ranks, root says 4")) << one.status().text();
  }
}

TEST_F(FailureTest, RankClaimedTwiceNamesBothProcesses) {
  const auto joined = JoinAll(info_, {{Record(0), 4, false},
                                      {ForeignRecord(1, 100'000'011), 4, true},
                                      {ForeignRecord(1, 100'000'012), 4, true}});
  for (const Joined& one : joined) {
    ASSERT_FALSE(one);
    EXPECT_EQ(one.status().code(), Code::kInvalidArgument);
    EXPECT_TRUE(Contains(one.status().text(), "rank 1 was claimed twice")) << one.status().text();
    EXPECT_TRUE(Contains(one.status().text(), "pid 100000011")) << one.status().text();
    EXPECT_TRUE(Contains(one.status().text(), "pid 100000012")) << one.status().text();
  }
}

TEST_F(FailureTest, TwoRanksOnOneDeviceNamesBothRanksAndTheDevice) {
  auto ranks = Ranks(3, AllButZero);
  ranks[2].record.device = 1;
  const auto joined = JoinAll(info_, ranks);
  for (const Joined& one : joined) {
    ASSERT_FALSE(one);
    EXPECT_EQ(one.status().code(), Code::kInvalidArgument);
    EXPECT_EQ(one.status().id(), "EI0014");
    EXPECT_TRUE(Contains(one.status().text(), "rank 1 ")) << one.status().text();
    EXPECT_TRUE(Contains(one.status().text(), "rank 2 ")) << one.status().text();
    EXPECT_TRUE(Contains(one.status().text(), "both use device 1 of host")) << one.status().text();
  }
}

TEST_F(FailureTest, DevicesOfTwoHostsAreDifferent) {
  auto ranks = Ranks(2, AllButZero);
  ranks[1].record.device = ranks[0].record.device;
  ranks[1].record.host = "another host";
  for (const Joined& one : JoinAll(info_, ranks)) EXPECT_TRUE(one) << one.status().text();
}

TEST_F(FailureTest, UsedRootInfoIsRefusedAtOnceWhileTheFirstLives) {
  const auto alive = JoinAll(info_, Ranks(2, AllButZero));
  ASSERT_TRUE(alive[0] && alive[1]);
  ExpectAll(JoinAll(info_, Ranks(2, AllButZero)), Code::kInvalidArgument, "EI0015", "root info already used");
}

TEST_F(FailureTest, UsedRootInfoIsRefusedAtOnceAfterTheFirstHasGone) {
  for (const Joined& one : JoinAll(info_, Ranks(2, Nobody))) ASSERT_TRUE(one) << one.status().text();
  ExpectAll(JoinAll(info_, Ranks(2, Nobody)), Code::kInvalidArgument, "EI0015", "root info already used");
}

TEST_F(FailureTest, AnotherProcessWithAUsedRootInfoIsToldByARootAtTheSameAddress) {
  for (const Joined& one : JoinAll(info_, Ranks(1, Nobody))) ASSERT_TRUE(one) << one.status().text();
  // Keeps the listening socket of this process open.
  ASSERT_TRUE(StartRoot(0));
  auto ranks = Ranks(1, Everybody);
  const auto joined = JoinAll(info_, ranks);
  ASSERT_FALSE(joined[0]);
  const bool same_port = Contains(joined[0].status().text(), "root info already used") ||
                         Contains(joined[0].status().text(), "another root answers");
  const bool closed = Contains(joined[0].status().text(), "is gone (connection refused)");
  EXPECT_TRUE(same_port || closed) << joined[0].status().text();
}

TEST_F(FailureTest, RankOutsideIsRefusedWithoutTheRoot) {
  const auto joined = Join(info_, 4, Record(4), Patient());
  ASSERT_FALSE(joined);
  EXPECT_EQ(joined.status().code(), Code::kInvalidArgument);
  EXPECT_TRUE(Contains(joined.status().text(), "rank 4 of 4 ranks")) << joined.status().text();
}

TEST_F(FailureTest, ManyRanksOfOneProcessFailTogether) {
  auto ranks = Ranks(64, Nobody);
  ranks.erase(ranks.begin() + 5);
  ExpectAll(JoinAll(info_, ranks, Clock::now() + 12s), Code::kInternal, "EI0015",
            "connected 0-4,6-63; missing 5");
}

}  // namespace
}  // namespace tandem::bootstrap::test
