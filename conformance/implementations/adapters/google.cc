// Google's matcher (github.com/google/robotstxt), compiled by ../run.mjs with --robotstxt FOLDER. Reads questions that run.mjs has
// decoded, because the matcher brings no JSON: lines of `ROBOTS AGENT URL` in hexadecimal digits, each with a leading `x`.
#include <cstdio>
#include <iostream>
#include <string>

#include "robots.h"

static std::string Decode(const std::string& hex) {
  std::string bytes;
  for (size_t i = 1; i + 1 < hex.size(); i += 2) bytes.push_back(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

int main() {
  std::cout << "{\"version\": \"" << ROBOTSTXT_VERSION << "\"}" << std::endl;
  std::string robots, agent, url;
  while (std::cin >> robots >> agent >> url) {
    googlebot::RobotsMatcher matcher;
    bool allowed = matcher.OneAgentAllowedByRobots(Decode(robots), Decode(agent), Decode(url));
    std::cout << "{\"allowed\": " << (allowed ? "true" : "false") << ", \"line\": " << matcher.matching_line() << "}"
              << std::endl;
  }
}
