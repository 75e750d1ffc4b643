// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/roster.h"

#include <gtest/gtest.h>

#include <numeric>

#include "unit/bootstrap/ranks.h"

namespace tandem::bootstrap {
namespace {

TEST(Roster, RootsWordOnTheNumberOfRanksCounts) {
  Roster roster;
  ASSERT_TRUE(roster.Add(test::Record(2), 3, false).ok());
  ASSERT_TRUE(roster.Add(test::Record(1), 4, false).ok());
  EXPECT_FALSE(roster.HasRoot());
  ASSERT_TRUE(roster.Add(test::Record(0), 4, true).ok());
  EXPECT_TRUE(roster.HasRoot());
  const Status status = roster.CountConflict();
  EXPECT_NE(status.text().find("rank 2 says 3 ranks, root says 4 (rank 0)"), std::string_view::npos)
      << status.text();
  EXPECT_EQ(roster.rank_count(), 4U);
}

TEST(Roster, RootThatCameFirstIsNamedLast) {
  Roster roster;
  ASSERT_TRUE(roster.Add(test::Record(0), 4, true).ok());
  ASSERT_TRUE(roster.Add(test::Record(2), 3, false).ok());
  const Status status = roster.CountConflict();
  EXPECT_NE(status.text().find("rank 2 says 3 ranks, root says 4 (rank 0)"), std::string_view::npos)
      << status.text();
}

TEST(Roster, EveryRankMayBeWrongButTheRoot) {
  Roster roster;
  ASSERT_TRUE(roster.Add(test::Record(2), 3, false).ok());
  ASSERT_TRUE(roster.Add(test::Record(1), 3, false).ok());
  EXPECT_TRUE(roster.CountConflict().ok());
  ASSERT_TRUE(roster.Add(test::Record(0), 4, true).ok());
  const Status status = roster.CountConflict();
  EXPECT_NE(status.text().find("rank 1 says 3 ranks, root says 4 (rank 0)"), std::string_view::npos)
      << status.text();
  EXPECT_EQ(roster.Progress(), "connected 0,1,2; missing 3");
}

TEST(Roster, ConflictIsNeverComplete) {
  Roster roster;
  ASSERT_TRUE(roster.Add(test::Record(0), 2, false).ok());
  ASSERT_TRUE(roster.Add(test::Record(1), 3, false).ok());
  EXPECT_FALSE(roster.IsComplete());
}

TEST(Roster, WithoutTheRootTheFirstRankCounts) {
  Roster roster;
  ASSERT_TRUE(roster.Add(test::Record(1), 4, false).ok());
  ASSERT_TRUE(roster.Add(test::Record(2), 3, false).ok());
  const Status status = roster.CountConflict();
  EXPECT_NE(status.text().find("rank 2 says 3 ranks, rank 1 says 4"), std::string_view::npos)
      << status.text();
}

TEST(Roster, IsCompleteWhenAllHaveCome) {
  Roster roster;
  EXPECT_TRUE(roster.IsEmpty());
  ASSERT_TRUE(roster.Add(test::Record(1), 2, false).ok());
  EXPECT_FALSE(roster.IsComplete());
  EXPECT_EQ(roster.Progress(), "connected 1; missing 0");
  ASSERT_TRUE(roster.Add(test::Record(0), 2, true).ok());
  EXPECT_TRUE(roster.IsComplete());
  EXPECT_EQ(roster.Records()[1].rank, 1U);
}

TEST(RankList, ShortListsNameEveryRankAndLongOnesUseRanges) {
  EXPECT_EQ(RankList({}), "none");
  EXPECT_EQ(RankList({0, 1, 2}), "0,1,2");
  std::vector<uint32_t> many(256);
  std::iota(many.begin(), many.end(), 0U);
  many.erase(many.begin() + 7);
  EXPECT_EQ(RankList(many), "0-6,8-255");
  std::vector<uint32_t> even;
  for (uint32_t rank = 0; rank < 1000; rank += 2) even.push_back(rank);
  EXPECT_NE(RankList(even).find("(500 in all)"), std::string::npos);
}

}  // namespace
}  // namespace tandem::bootstrap
