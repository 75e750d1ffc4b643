// SPDX-License-Identifier: Apache-2.0
// Claiming and counting the pieces of one transfer.
#include <gtest/gtest.h>

#include <set>

#include "transport/copy.h"
#include "transport/shm/slots.h"

namespace tandem::shm {
namespace {

TEST(ClaimPieceTest, BothEndsMeetAndEachPieceIsTakenOnce) {
  constexpr uint64_t kSequence = 70;
  for (const uint32_t pieces : {1U, 2U, 7U, kMostPieces}) {
    ProgressLine line{};
    std::set<uint32_t> taken;
    uint32_t piece = 0;
    for (uint32_t i = 0; i < pieces; ++i) {
      const Take take = i % 3 == 0 ? Take::kFront : Take::kBack;
      ASSERT_EQ(ClaimPiece(line, kSequence, pieces, take, piece), Claim::kPiece);
      ASSERT_LT(piece, pieces);
      ASSERT_TRUE(taken.insert(piece).second) << piece << " was taken twice";
      EXPECT_EQ(CountMoved(line, kSequence, pieces, 1), i + 1 == pieces);
    }
    EXPECT_EQ(ClaimPiece(line, kSequence, pieces, Take::kFront, piece), Claim::kNoneLeft);
    EXPECT_EQ(ClaimPiece(line, kSequence, pieces, Take::kBack, piece), Claim::kNoneLeft);
    EXPECT_TRUE(AllMoved(line, kSequence, pieces));
  }
}

TEST(ClaimPieceTest, SenderBeginsAtTheFirstAndReceiverAtTheLast) {
  ProgressLine line{};
  uint32_t piece = 0;
  ASSERT_EQ(ClaimPiece(line, 0, 8, Take::kFront, piece), Claim::kPiece);
  EXPECT_EQ(piece, 0U);
  ASSERT_EQ(ClaimPiece(line, 0, 8, Take::kBack, piece), Claim::kPiece);
  EXPECT_EQ(piece, 7U);
  // The next transfer of the slot begins anew.
  ASSERT_EQ(ClaimPiece(line, kSlots, 8, Take::kBack, piece), Claim::kPiece);
  EXPECT_EQ(piece, 7U);
}

TEST(ClaimPieceTest, TheRestLeavesNothing) {
  ProgressLine line{};
  uint32_t piece = 0;
  ASSERT_EQ(ClaimPiece(line, 0, 8, Take::kFront, piece), Claim::kPiece);
  ASSERT_EQ(ClaimPiece(line, 0, 8, Take::kAllFromFront, piece), Claim::kPiece);
  EXPECT_EQ(piece, 1U);
  EXPECT_EQ(ClaimPiece(line, 0, 8, Take::kBack, piece), Claim::kNoneLeft);
}

TEST(CutIntoPiecesTest, NeverMoreThanTheSlotCanCount) {
  constexpr uint64_t kTebi = uint64_t{1} << 40;
  for (const uint64_t bytes : {uint64_t{1}, uint64_t{8193}, uint64_t{256} << 10, uint64_t{4} << 20,
                               uint64_t{8} << 30, (uint64_t{8} << 30) + 1, kTebi - 1, kTebi, 16 * kTebi}) {
    const Pieces pieces = CutIntoPieces(bytes);
    EXPECT_LE(pieces.count, kMostPieces) << bytes;
    EXPECT_LT((pieces.count - 1) * pieces.bytes, bytes);
    EXPECT_GE(pieces.count * pieces.bytes, bytes);
  }
}

}  // namespace
}  // namespace tandem::shm
