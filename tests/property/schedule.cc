// SPDX-License-Identifier: Apache-2.0
#include "property/schedule.h"

#include <istream>
#include <ostream>
#include <sstream>
#include <stdexcept>

namespace tandem::test {
namespace {

constexpr const char* kKinds[] = {"transfer", "batch", "barrier", "event", "synchronize"};
constexpr const char* kMemories[] = {"device", "pinned", "plain"};

[[noreturn]] void Bad(const std::string& what) { throw std::runtime_error("not a schedule: " + what); }

template <size_t kNames>
uint8_t IndexOf(const char* const (&names)[kNames], const std::string& name) {
  for (size_t i = 0; i < kNames; ++i) {
    if (name == names[i]) return static_cast<uint8_t>(i);
  }
  Bad("unknown word \"" + name + "\"");
}

void WritePlace(std::ostream& out, const char* name, const Place& place) {
  out << ' ' << name << ' ' << kMemories[static_cast<size_t>(place.memory)] << ' ' << place.shift << ' '
      << (place.copied ? "copied" : "direct");
}

void WriteStep(std::ostream& out, const Step& step) {
  out << kKinds[static_cast<size_t>(step.kind)] << " communicator " << step.communicator << " rank "
      << step.rank << " waiting " << step.waiting << " shuffle " << step.shuffle << " streams "
      << step.streams.size();
  for (const uint32_t stream : step.streams) out << ' ' << stream;
  out << " messages " << step.messages.size() << '\n';
  for (const Message& message : step.messages) {
    out << "  from " << message.from << " to " << message.to << " type " << message.type << " count "
        << message.count;
    WritePlace(out, "source", message.source);
    WritePlace(out, "target", message.target);
    out << '\n';
  }
}

void Expect(std::istream& in, const char* word) {
  std::string found;
  if (!(in >> found) || found != word) Bad("expected \"" + std::string(word) + "\", found \"" + found + "\"");
}

template <typename T = uint32_t>
T Number(std::istream& in, const char* name) {
  Expect(in, name);
  T value = 0;
  if (!(in >> value)) Bad(std::string("no number after ") + name);
  return value;
}

std::vector<uint32_t> Numbers(std::istream& in, const char* name) {
  std::vector<uint32_t> values(Number(in, name));
  for (uint32_t& value : values) {
    if (!(in >> value)) Bad(std::string("too few numbers after ") + name);
  }
  return values;
}

std::string Word(std::istream& in) {
  std::string word;
  if (!(in >> word)) Bad("the text ends too early");
  return word;
}

Place ReadPlace(std::istream& in, const char* name) {
  Expect(in, name);
  Place place;
  place.memory = static_cast<Memory>(IndexOf(kMemories, Word(in)));
  if (!(in >> place.shift)) Bad("no shift of a buffer");
  place.copied = Word(in) == "copied";
  return place;
}

Step ReadStep(std::istream& in, const std::string& kind) {
  Step step;
  step.kind = static_cast<StepKind>(IndexOf(kKinds, kind));
  step.communicator = Number(in, "communicator");
  step.rank = Number(in, "rank");
  step.waiting = Number(in, "waiting");
  step.shuffle = Number(in, "shuffle");
  step.streams = Numbers(in, "streams");
  step.messages.resize(Number(in, "messages"));
  for (Message& message : step.messages) {
    message.from = Number(in, "from");
    message.to = Number(in, "to");
    message.type = static_cast<HcclDataType>(Number(in, "type"));
    message.count = Number<uint64_t>(in, "count");
    message.source = ReadPlace(in, "source");
    message.target = ReadPlace(in, "target");
  }
  return step;
}

}  // namespace

std::string DescribeSchedule(const Schedule& schedule) {
  std::ostringstream out;
  out << "ranks " << schedule.ranks << " ranks_per_process " << schedule.ranks_per_process << " streams "
      << schedule.streams << " duplicates " << (schedule.duplicates ? 1 : 0) << " staged "
      << (schedule.staged ? 1 : 0) << " communicators " << schedule.communicators.size() << '\n';
  for (const std::vector<uint32_t>& members : schedule.communicators) {
    out << "members " << members.size();
    for (const uint32_t member : members) out << ' ' << member;
    out << '\n';
  }
  for (const Step& step : schedule.steps) WriteStep(out, step);
  out << "end\n";
  return out.str();
}

std::ostream& operator<<(std::ostream& out, const Schedule& schedule) {
  return out << DescribeSchedule(schedule);
}

Schedule ParseSchedule(std::istream& in) {
  Schedule schedule;
  schedule.ranks = Number(in, "ranks");
  schedule.ranks_per_process = Number(in, "ranks_per_process");
  schedule.streams = Number(in, "streams");
  schedule.duplicates = Number(in, "duplicates") != 0;
  schedule.staged = Number(in, "staged") != 0;
  const uint32_t communicators = Number(in, "communicators");
  for (uint32_t i = 0; i < communicators; ++i) schedule.communicators.push_back(Numbers(in, "members"));
  for (std::string word = Word(in); word != "end"; word = Word(in))
    schedule.steps.push_back(ReadStep(in, word));
  return schedule;
}

}  // namespace tandem::test
