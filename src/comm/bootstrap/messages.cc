// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/messages.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace tandem::bootstrap {
namespace {

using Json = nlohmann::json;

// Reads fields of one JSON object; remembers whether any was missing, of another type or out of range.
class Reader {
 public:
  explicit Reader(const Json& json) : json_(json), good_(json.is_object()) {}

  bool good() const { return good_; }

  std::string Text(const char* name, size_t limit = 4096) {
    const Json* field = Find(name);
    if (field == nullptr || !field->is_string() || field->get_ref<const std::string&>().size() > limit)
      return Bad("");
    return field->get<std::string>();
  }
  template <typename T>
  T Number(const char* name) {
    const Json* field = Find(name);
    if (field == nullptr) return Bad(T{});
    const auto number = Narrow<T>(*field);
    return number ? *number : Bad(T{});
  }
  bool Flag(const char* name) {
    const Json* field = Find(name);
    return field != nullptr && field->is_boolean() ? field->get<bool>() : Bad(false);
  }
  template <size_t kBytes>
  std::array<uint8_t, kBytes> Bytes(const char* name) {
    const auto bytes = FromHex<kBytes>(Text(name));
    return bytes ? *bytes : Bad(std::array<uint8_t, kBytes>{});
  }
  const Json& List(const char* name, size_t limit = kMaxRanks) {
    // Never destroyed: the IoLoop thread may still read while the process ends.
    static const auto* empty = new Json(Json::array());
    const Json* field = Find(name);
    if (field != nullptr && field->is_array() && field->size() <= limit) return *field;
    good_ = false;
    return *empty;
  }
  void Require(bool condition) { good_ = good_ && condition; }

  template <typename T>
  static std::optional<T> Narrow(const Json& field) {
    if (!field.is_number_integer()) return std::nullopt;
    if (field.is_number_unsigned()) {
      const auto value = field.get<uint64_t>();
      if (value > static_cast<uint64_t>(std::numeric_limits<T>::max())) return std::nullopt;
      return static_cast<T>(value);
    }
    const auto value = field.get<int64_t>();
    if (std::is_unsigned_v<T> || value < static_cast<int64_t>(std::numeric_limits<T>::min()))
      return std::nullopt;
    return static_cast<T>(value);
  }

 private:
  const Json* Find(const char* name) {
    if (!json_.is_object()) return nullptr;
    const auto found = json_.find(name);
    return found == json_.end() ? nullptr : &*found;
  }
  template <typename T>
  T Bad(T value) {
    good_ = false;
    return value;
  }
  std::string Bad(const char* value) {
    good_ = false;
    return value;
  }

  const Json& json_;
  bool good_;
};

Json ToJson(const RankRecord& record) {
  const auto* name = reinterpret_cast<const uint8_t*>(record.process.socket.data());
  return {{"rank", record.rank},
          {"device", record.device},
          {"host", record.host},
          {"host_name", record.host_name},
          {"uid", record.uid},
          {"cores", record.cores},
          {"pid", record.process.pid},
          {"process", ToHex(record.process.id.bytes)},
          {"socket", ToHex(name, record.process.socket.size())},
          {"token", ToHex(record.process.token)}};
}

RankRecord ReadRecord(Reader& reader) {
  RankRecord record;
  record.rank = reader.Number<uint32_t>("rank");
  record.device = reader.Number<int32_t>("device");
  record.host = reader.Text("host", 256);
  record.host_name = reader.Text("host_name", 256);
  record.uid = reader.Number<uint32_t>("uid");
  record.cores = reader.Text("cores", 1024);
  record.process.pid = reader.Number<int32_t>("pid");
  record.process.id.bytes = reader.Bytes<16>("process");
  record.process.token = reader.Bytes<32>("token");
  const std::string socket = reader.Text("socket", 256);
  record.process.socket.resize(socket.size() / 2);
  reader.Require(
      FromHex(socket, reinterpret_cast<uint8_t*>(record.process.socket.data()), socket.size() / 2));
  return record;
}

Json ToJson(const Hello& m) {
  return {{"type", "hello"}, {"tandem", kProtocol}, {"root", ToHex(m.root)}, {"nonce", ToHex(m.nonce)}};
}
Json ToJson(const Challenge& m) {
  return {{"type", "challenge"}, {"tandem", kProtocol}, {"nonce", ToHex(m.nonce)}, {"proof", ToHex(m.proof)}};
}
Json ToJson(const RankProof& m) { return {{"type", "proof"}, {"proof", ToHex(m.proof)}}; }
Json ToJson(const Welcome&) { return {{"type", "welcome"}}; }
Json ToJson(const JoinRequest& m) {
  return {{"type", "join"}, {"ranks", m.rank_count}, {"wait_ms", m.wait_ms}, {"record", ToJson(m.record)}};
}
Json ToJson(const Waiting& m) { return {{"type", "waiting"}, {"text", m.text}}; }
Json ToJson(const Table& m) {
  Json records = Json::array();
  for (const RankRecord& record : m.table.ranks) records.push_back(ToJson(record));
  return {
      {"type", "table"}, {"name", m.table.name}, {"root_ranks", m.root_ranks}, {"ranks", std::move(records)}};
}
// A failure keeps its form in every version of the protocol: it is how an unknown version is told.
Json ToJson(const Failure& m) {
  return {{"type", "failure"},
          {"code", std::string(CodeName(m.status.code()))},
          {"id", std::string(m.status.id())},
          {"text", std::string(m.status.text().substr(0, 3000))}};
}
Json ToJson(const Left& m) { return {{"type", "left"}, {"rank", m.rank}}; }
Json ToJson(const Lost& m) {
  return {{"type", "lost"}, {"rank", m.loss.rank}, {"left", m.loss.left}, {"cause", m.loss.cause}};
}
Json ToJson(const Knock& m) {
  Json facts = Json::array();
  for (const auto& [what, value] : m.facts) facts.push_back(Json::array({what, value}));
  return {{"type", "knock"},
          {"tandem", kProtocol},
          {"rank", m.rank},
          {"pid", m.pid},
          {"facts", std::move(facts)}};
}
Json ToJson(const Key& m) {
  return {{"type", "key"},
          {"root_info", ToHex(reinterpret_cast<const uint8_t*>(m.root_info.data()), m.root_info.size())}};
}

Code CodeFromName(std::string_view name) {
  for (int value = 1; value <= static_cast<int>(Code::kInternal); ++value) {
    if (CodeName(static_cast<Code>(value)) == name) return static_cast<Code>(value);
  }
  return Code::kInternal;
}

Message ReadJoin(Reader& reader, const Json& json) {
  JoinRequest join;
  join.rank_count = reader.Number<uint32_t>("ranks");
  join.wait_ms = reader.Number<int64_t>("wait_ms");
  const auto found = json.find("record");
  if (found == json.end()) {
    reader.Require(false);
    return join;
  }
  Reader record(*found);
  join.record = ReadRecord(record);
  reader.Require(record.good() && join.rank_count > 0 && join.rank_count <= kMaxRanks &&
                 join.record.rank < join.rank_count);
  return join;
}

Message ReadTable(Reader& reader) {
  Table message;
  message.table.name = reader.Text("name");
  for (const Json& item : reader.List("ranks")) {
    Reader record(item);
    message.table.ranks.push_back(ReadRecord(record));
    reader.Require(record.good() && message.table.ranks.back().rank == message.table.ranks.size() - 1);
    if (!reader.good()) break;
  }
  for (const Json& item : reader.List("root_ranks")) {
    const auto rank = Reader::Narrow<uint32_t>(item);
    reader.Require(rank && *rank < message.table.ranks.size());
    if (!reader.good()) break;
    message.root_ranks.push_back(*rank);
  }
  return message;
}

Message ReadFailure(Reader& reader) {
  const Code code = CodeFromName(reader.Text("code"));
  const std::string id = reader.Text("id", 16);
  const std::string text = reader.Text("text");
  return Failure{Status::Error(code, "%s", text.c_str()).WithId(id)};
}

Message ReadKnock(Reader& reader) {
  constexpr size_t kFactsOfRank = 8;
  Knock knock{reader.Number<uint32_t>("rank"), reader.Number<int32_t>("pid"), {}};
  for (const Json& item : reader.List("facts", kFactsOfRank * kMaxRanks)) {
    reader.Require(item.is_array() && item.size() == 2 && item[0].is_string() && item[1].is_string());
    if (!reader.good()) break;
    knock.facts.emplace_back(item[0].get<std::string>(), item[1].get<std::string>());
  }
  return knock;
}

Message ReadKey(Reader& reader) {
  Key key;
  const std::string hex = reader.Text("root_info", 2 * kRootInfoBytes);
  reader.Require(FromHex(hex, reinterpret_cast<uint8_t*>(key.root_info.data()), key.root_info.size()));
  return key;
}

std::optional<Message> ReadTyped(const std::string& type, Reader& reader, const Json& json) {
  if (type == "hello") return Hello{reader.Bytes<16>("root"), reader.Bytes<32>("nonce")};
  if (type == "challenge") return Challenge{reader.Bytes<32>("nonce"), reader.Bytes<32>("proof")};
  if (type == "proof") return RankProof{reader.Bytes<32>("proof")};
  if (type == "welcome") return Welcome{};
  if (type == "join") return ReadJoin(reader, json);
  if (type == "waiting") return Waiting{reader.Text("text")};
  if (type == "table") return ReadTable(reader);
  if (type == "failure") return ReadFailure(reader);
  if (type == "left") return Left{reader.Number<uint32_t>("rank")};
  if (type == "knock") return ReadKnock(reader);
  if (type == "key") return ReadKey(reader);
  if (type == "lost") {
    return Lost{RankLoss{reader.Number<uint32_t>("rank"), reader.Flag("left"), reader.Text("cause")}};
  }
  return std::nullopt;
}

}  // namespace

std::string Encode(const Message& message) {
  const Json json = std::visit([](const auto& m) { return ToJson(m); }, message);
  // Host names and causes may hold any bytes; those that are not UTF-8 are replaced.
  const std::string body = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  const auto bytes = static_cast<uint32_t>(body.size());
  std::string frame;
  frame.reserve(kFrameHeaderBytes + body.size());
  for (int shift = 0; shift < 32; shift += 8) frame.push_back(static_cast<char>((bytes >> shift) & 0xFF));
  return frame + body;
}

Result<Message> DecodeMessage(std::string_view body) {
  const Json json = Json::parse(body, nullptr, false);
  Reader reader(json);
  const std::string type = reader.good() ? reader.Text("type", 32) : "";
  if (!reader.good()) return Status::Error(Code::kNetwork, "a message that is not a bootstrap message");
  if (type == "hello" || type == "challenge" || type == "knock") {
    const auto version = reader.Number<uint32_t>("tandem");
    if (reader.good() && version != kProtocol) {
      return Status::Error(
                 Code::kMismatch,
                 "the other side speaks version %u of the bootstrap protocol, this one version %u; use the "
                 "same Tandem on all ranks",
                 version, kProtocol)
          .WithId("EI0008");
    }
  }
  std::optional<Message> message = ReadTyped(type, reader, json);
  if (!message || !reader.good()) return Status::Error(Code::kNetwork, "a malformed bootstrap message");
  return std::move(*message);
}

uint32_t FrameBytes(const std::array<unsigned char, kFrameHeaderBytes>& header) {
  return static_cast<uint32_t>(header[0]) | static_cast<uint32_t>(header[1]) << 8 |
         static_cast<uint32_t>(header[2]) << 16 | static_cast<uint32_t>(header[3]) << 24;
}

}  // namespace tandem::bootstrap
