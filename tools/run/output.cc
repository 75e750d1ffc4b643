// SPDX-License-Identifier: Apache-2.0
#include "run/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace tandem::tools {
namespace {

constexpr size_t kReadBytes = size_t{64} * 1024;
// So that a rank which writes without end cannot keep CatchUp or CloseAll busy.
constexpr int kMaxCatchUpReads = 16;

}  // namespace

Output::Output(bool labelled)
    : labelled_(labelled),
      shared_(SameFile(STDOUT_FILENO, STDERR_FILENO)),
      out_sink_(STDOUT_FILENO),
      err_sink_(STDERR_FILENO),
      out_(out_sink_),
      err_(err_sink_),
      err_lines_(shared_ ? out_ : err_),
      buffer_(std::make_unique<char[]>(kReadBytes)) {}

std::string Output::Label(int rank, const Sink& sink) const {
  if (!labelled_) return {};
  std::string label = "[";
  label.append(std::to_string(rank)).append("] ");
  if (!sink.IsTerminal() || std::getenv("NO_COLOR") != nullptr) return label;
  constexpr int kColours[] = {36, 33, 32, 35, 34, 96, 93, 92, 95, 94};
  const int colour = kColours[static_cast<size_t>(rank) % std::size(kColours)];
  return "\033[" + std::to_string(colour) + "m" + label + "\033[0m";
}

void Output::Add(int rank, UniqueFd out, UniqueFd err) {
  const auto add = [&](UniqueFd fd, LineMerger& merger, const Sink& sink) {
    auto source = std::make_unique<Source>();
    source->rank = rank;
    source->fd = std::move(fd);
    source->merger = &merger;
    source->lines.label = Label(rank, sink);
    source->polled_at = kNotPolled;
    sources_.push_back(std::move(source));
    ++open_sources_;
  };
  add(std::move(out), out_, out_sink_);
  add(std::move(err), err_lines_, shared_ ? out_sink_ : err_sink_);
}

void Output::Announce(std::string_view line) {
  err_lines_.Announce(line);
  FlushSinks();
}

void Output::Watch(std::vector<pollfd>& polled) {
  for (Sink* sink : {&out_sink_, &err_sink_}) {
    if (sink->Pending() > 0) polled.push_back({.fd = sink->fd(), .events = POLLOUT, .revents = 0});
  }
  for (const auto& source : sources_) {
    source->polled_at = kNotPolled;
    if (!source->fd.valid() || !source->merger->CanTake(source->lines)) continue;
    source->polled_at = polled.size();
    polled.push_back({.fd = source->fd.get(), .events = POLLIN, .revents = 0});
  }
}

void Output::Handle(const std::vector<pollfd>& polled, Clock::time_point now) {
  FlushSinks();
  for (const auto& source : sources_) {
    if (source->polled_at == kNotPolled || polled[source->polled_at].revents == 0) continue;
    if (source->merger->CanTake(source->lines)) ReadOnce(*source, now);
  }
  FlushSinks();
}

bool Output::ReadOnce(Source& source, Clock::time_point now) {
  if (!source.fd.valid()) return false;
  const ssize_t count = read(source.fd.get(), buffer_.get(), kReadBytes);
  if (count > 0) {
    source.merger->Feed(source.lines, {buffer_.get(), static_cast<size_t>(count)}, now);
    return true;
  }
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  source.fd.Reset();
  --open_sources_;
  source.merger->Close(source.lines, now);
  return false;
}

void Output::CatchUp(int rank, Clock::time_point now) {
  for (const auto& source : sources_) {
    if (source->rank != rank) continue;
    for (int reads = 0; reads < kMaxCatchUpReads && ReadOnce(*source, now); ++reads) {
    }
  }
  FlushSinks();
}

void Output::OnTime(Clock::time_point now) {
  out_.OnTime(now);
  err_.OnTime(now);
  FlushSinks();
}

std::optional<Clock::time_point> Output::NextDeadline() const {
  const auto first = out_.NextDeadline();
  const auto second = err_.NextDeadline();
  if (first && second) return std::min(*first, *second);
  return first ? first : second;
}

void Output::CloseAll(Clock::time_point now) {
  for (const auto& source : sources_) {
    for (int reads = 0; reads < kMaxCatchUpReads && ReadOnce(*source, now); ++reads) {
    }
    if (!source->fd.valid()) continue;
    source->fd.Reset();
    --open_sources_;
    source->merger->Close(source->lines, now);
  }
  out_.Finish(now);
  err_.Finish(now);
  FlushSinks();
}

bool Output::Flushed() const { return out_sink_.Pending() == 0 && err_sink_.Pending() == 0; }

int Output::failure() const { return out_sink_.failure() != 0 ? out_sink_.failure() : err_sink_.failure(); }

void Output::FlushSinks() {
  out_sink_.Flush();
  err_sink_.Flush();
}

}  // namespace tandem::tools
