// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/worker_pool.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"

namespace alembert::ensemble {

namespace {

/// A worker has cases for about this long ahead, where they are short.
constexpr double seconds_ahead = 0.005;
constexpr std::size_t most_ahead = 32;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool write_all(int socket, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t n = ::send(socket, bytes, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool read_all(int socket, void* data, std::size_t size) {
  auto* bytes = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t n = ::read(socket, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

/// The life of a worker: it ends with the process that started it.
[[noreturn]] void serve(int socket, const CaseFunction& function, int parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGINT, SIG_DFL);
  std::uint64_t number = 0;
  while (::getppid() == parent && read_all(socket, &number, sizeof number)) {
    const std::string bytes = to_bytes(run_case(function, number));
    const std::uint64_t size = bytes.size();
    if (!write_all(socket, &size, sizeof size) || !write_all(socket, bytes.data(), bytes.size()))
      break;
  }
  ::_exit(0);
}

std::string describe_end(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("the process that ran this case was ended by signal {} ({}).",
                       WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  return fmt::format("the process that ran this case ended with status {}.", WEXITSTATUS(status));
}

}  // namespace

CaseResult run_case(const CaseFunction& function, std::uint64_t number) {
  CaseResult result;
  try {
    result = function(number);
  } catch (const Error& error) {
    result = {.status = CaseStatus::failed, .message = error.what()};
  } catch (const std::exception& error) {
    result = {.status = CaseStatus::failed, .message = error.what()};
  }
  result.number = number;
  return result;
}

WorkerPool::WorkerPool(CaseFunction function, std::uint32_t n_workers, double time_limit)
    : function_(std::move(function)), time_limit_(time_limit), workers_(n_workers) {
  for (Worker& worker : workers_) start(worker);
}

WorkerPool::~WorkerPool() {
  for (Worker& worker : workers_) stop(worker);
}

void WorkerPool::start(Worker& worker) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw Error("R020", fmt::format("cannot start a worker: {}.", std::strerror(errno)));
  const int parent = ::getpid();
  const int process = ::fork();
  if (process < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    throw Error("R020", fmt::format("cannot start a worker: {}. Use fewer --threads.",
                                    std::strerror(errno)));
  }
  if (process == 0) {
    // Ends of other workers and locks on files belong to the parent alone.
    for (int descriptor = 3; descriptor < 1024; ++descriptor)
      if (descriptor != ends[1]) ::close(descriptor);
    serve(ends[1], function_, parent);
  }
  ::close(ends[1]);
  worker = Worker{.process = process, .socket = ends[0]};
}

void WorkerPool::stop(Worker& worker) {
  if (worker.process < 0) return;
  ::close(worker.socket);
  ::kill(worker.process, SIGKILL);
  int status = 0;
  while (::waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
  }
  worker.process = -1;
}

std::uint64_t WorkerPool::n_outstanding() const {
  std::uint64_t n = 0;
  for (const Worker& worker : workers_) n += worker.cases.size();
  return n;
}

std::size_t WorkerPool::depth() const {
  return std::clamp<std::size_t>(static_cast<std::size_t>(seconds_ahead / average_seconds_), 1,
                                 most_ahead);
}

std::uint64_t WorkerPool::n_wanted() const {
  const std::uint64_t most = workers_.size() * depth();
  return most - std::min(most, n_outstanding());
}

void WorkerPool::add(std::uint64_t number) {
  Worker& worker = *std::min_element(
      workers_.begin(), workers_.end(),
      [](const Worker& a, const Worker& b) { return a.cases.size() < b.cases.size(); });
  if (worker.cases.empty()) worker.begin = now();
  worker.cases.push_back(number);
  // A worker that is gone is found out when its answer is waited for.
  write_all(worker.socket, &number, sizeof number);
}

std::vector<CaseResult> WorkerPool::wait(int milliseconds) {
  if (time_limit_ > 0)
    for (const Worker& worker : workers_) {
      if (worker.cases.empty()) continue;
      const double left = worker.begin + time_limit_ - now();
      milliseconds = std::clamp(static_cast<int>(left * 1000) + 1, 0, milliseconds);
    }
  std::vector<pollfd> sockets;
  for (const Worker& worker : workers_) sockets.push_back({worker.socket, POLLIN, 0});
  std::vector<CaseResult> results;
  if (::poll(sockets.data(), sockets.size(), milliseconds) > 0)
    for (std::size_t i = 0; i < workers_.size(); ++i)
      if (sockets[i].revents != 0) receive(workers_[i], results);
  if (time_limit_ > 0) end_overdue(results);
  return results;
}

void WorkerPool::receive(Worker& worker, std::vector<CaseResult>& results) {
  char block[1 << 16];
  const ssize_t n = ::recv(worker.socket, block, sizeof block, MSG_DONTWAIT);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (n > 0) {
    worker.received.append(block, static_cast<std::size_t>(n));
    take_results(worker, results);
    return;
  }
  int status = 0;
  ::kill(worker.process, SIGKILL);  // the socket is closed: it is ending or gone
  while (::waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
  }
  worker.process = -1;
  ::close(worker.socket);
  replace(worker, CaseStatus::crashed, describe_end(status), results);
}

void WorkerPool::take_results(Worker& worker, std::vector<CaseResult>& results) {
  std::size_t at = 0;
  std::uint64_t size = 0;
  while (worker.received.size() - at >= sizeof size) {
    std::memcpy(&size, worker.received.data() + at, sizeof size);
    if (worker.received.size() - at - sizeof size < size) break;
    auto result = case_result(std::string_view(worker.received).substr(at + sizeof size, size));
    ensure(result.has_value() && !worker.cases.empty() && result->number == worker.cases.front(),
           "a worker answers what it was asked");
    results.push_back(std::move(*result));
    worker.cases.pop_front();
    const double end = now();
    average_seconds_ = 0.8 * average_seconds_ + 0.2 * (end - worker.begin);
    worker.begin = end;
    at += sizeof size + size;
  }
  worker.received.erase(0, at);
}

void WorkerPool::replace(Worker& worker, CaseStatus status, std::string message,
                         std::vector<CaseResult>& results) {
  std::deque<std::uint64_t> cases = std::move(worker.cases);
  start(worker);
  if (cases.empty()) return;
  results.push_back({.number = cases.front(), .status = status, .message = std::move(message)});
  cases.pop_front();
  for (const std::uint64_t number : cases) add(number);
}

void WorkerPool::end_overdue(std::vector<CaseResult>& results) {
  for (Worker& worker : workers_) {
    if (worker.cases.empty() || now() - worker.begin < time_limit_) continue;
    receive(worker, results);  // it may be done this moment
    if (worker.cases.empty() || now() - worker.begin < time_limit_) continue;
    ::close(worker.socket);
    ::kill(worker.process, SIGKILL);
    int status = 0;
    while (::waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
    }
    worker.process = -1;
    replace(worker, CaseStatus::time_limit,
            fmt::format("took longer than the time limit of {} s.", rounded_text(time_limit_)),
            results);
  }
}

}  // namespace alembert::ensemble
