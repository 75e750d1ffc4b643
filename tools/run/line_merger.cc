// SPDX-License-Identifier: Apache-2.0
#include "run/line_merger.h"

#include <algorithm>
#include <utility>

namespace tandem::tools {
namespace {

using namespace std::chrono_literals;

constexpr auto kTurn = 5s;       // the longest that an owner who keeps writing makes others wait
constexpr auto kPrompt = 200ms;  // after which the beginning of a line is shown on a terminal

// How long the owner may be silent while others wait. On a terminal an open line is mostly a prompt,
// elsewhere it is a very long line, and that should come through in one piece even on a loaded machine.
Clock::duration Silence(const Sink& sink) {
  return sink.IsTerminal() ? Clock::duration(250ms) : Clock::duration(2s);
}

}  // namespace

void LineMerger::Feed(LineSource& source, std::string_view bytes, Clock::time_point now) {
  source.held.append(bytes);
  source.fed = now;
  if (owner_ != nullptr && owner_ != &source) {
    Wait(source, now);
    return;
  }
  Show(source, now);
  if (owner_ == nullptr) ShowWaiting(now);
}

void LineMerger::Close(LineSource& source, Clock::time_point now) {
  source.closed = true;
  if (owner_ != nullptr && owner_ != &source) {
    if (!source.held.empty()) Wait(source, now);
    return;
  }
  Show(source, now);
  ShowWaiting(now);
}

void LineMerger::Finish(Clock::time_point now) {
  while (owner_ != nullptr || !waiting_.empty()) {
    BreakLine();
    ShowWaiting(now);
  }
}

void LineMerger::Announce(std::string_view line) {
  BreakLine();
  if (!sink_.AtLineStart()) sink_.Append("\n");
  sink_.Append(line);
  sink_.Append("\n");
}

void LineMerger::Show(LineSource& source, Clock::time_point now) {
  std::string_view rest = source.held;
  for (size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    if (owner_ != &source) sink_.Append(source.label);
    owner_ = nullptr;
    sink_.Append(rest.substr(0, end + 1));
    rest.remove_prefix(end + 1);
  }
  source.held.erase(0, source.held.size() - rest.size());
  Forget(unfinished_, source);
  if (source.closed) {
    if (!source.held.empty()) ShowOpen(source, now);
    if (owner_ == &source) BreakLine();
    return;
  }
  if (source.held.empty()) return;
  if (owner_ == &source || source.held.size() >= kLongLine) {
    ShowOpen(source, now);
  } else if (sink_.IsTerminal()) {
    unfinished_.push_back(&source);
  }
}

void LineMerger::ShowOpen(LineSource& source, Clock::time_point now) {
  if (owner_ != &source) sink_.Append(source.label);
  sink_.Append(source.held);
  source.held.clear();
  owner_ = &source;
  owner_wrote_ = now;
}

void LineMerger::ShowWaiting(Clock::time_point now) {
  while (owner_ == nullptr && !waiting_.empty()) {
    LineSource& next = *waiting_.front();
    waiting_.erase(waiting_.begin());
    Show(next, now);
  }
  wait_began_ = now;
}

void LineMerger::BreakLine() {
  if (owner_ == nullptr) return;
  // Without labels the bytes are the user's, and nothing may be added to them.
  if (!owner_->label.empty()) sink_.Append("\n");
  owner_ = nullptr;
}

void LineMerger::Wait(LineSource& source, Clock::time_point now) {
  const bool complete =
      source.closed || source.held.size() >= kLongLine || source.held.find('\n') != std::string::npos;
  if (!complete && !sink_.IsTerminal()) return;
  if (waiting_.empty()) wait_began_ = now;
  if (std::find(waiting_.begin(), waiting_.end(), &source) == waiting_.end()) waiting_.push_back(&source);
}

void LineMerger::OnTime(Clock::time_point now) {
  if (!sink_.HasRoom()) {
    // The reader of our output is slow; that the owner writes nothing is not its own doing.
    owner_wrote_ = wait_began_ = now;
    return;
  }
  if (owner_ != nullptr && !waiting_.empty() &&
      (now - owner_wrote_ >= Silence(sink_) || now - wait_began_ >= kTurn)) {
    BreakLine();
    ShowWaiting(now);
  }
  for (size_t i = 0; owner_ == nullptr && i < unfinished_.size(); ++i) {
    if (now - unfinished_[i]->fed < kPrompt) continue;
    LineSource& source = *unfinished_[i];
    Forget(unfinished_, source);
    ShowOpen(source, now);
  }
}

std::optional<Clock::time_point> LineMerger::NextDeadline() const {
  if (!sink_.HasRoom()) return std::nullopt;
  if (owner_ != nullptr) {
    if (waiting_.empty()) return std::nullopt;
    return std::min(owner_wrote_ + Silence(sink_), wait_began_ + kTurn);
  }
  std::optional<Clock::time_point> next;
  for (const LineSource* source : unfinished_) {
    next = next ? std::min(*next, source->fed + kPrompt) : source->fed + kPrompt;
  }
  return next;
}

void LineMerger::Forget(std::vector<LineSource*>& list, const LineSource& source) {
  list.erase(std::remove(list.begin(), list.end(), &source), list.end());
}

}  // namespace tandem::tools
