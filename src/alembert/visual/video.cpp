// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/video.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <optional>
#include <semaphore>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/result/output_file.hpp"
#include "alembert/visual/film_colours.hpp"
#include "alembert/visual/gif_colours.hpp"
#include "alembert/visual/installed_files.hpp"
#include "alembert/visual/libav/video_module.hpp"

namespace alembert::visual {
namespace {

constexpr std::size_t n_colour_samples = 12;  // frames from which a gif's colours are taken
constexpr unsigned most_threads = 8;          // that paint

struct Module {
  AlembertVideoOpen open = nullptr;
  AlembertVideoFrame frame = nullptr;
  AlembertVideoClose close = nullptr;
};

const Module& load_module() {
  static const Module module = [] {
    const auto path = find_installed("lib/alembert/alembert_video.so");
    void* const handle = path ? ::dlopen(path->c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (handle == nullptr)
      throw Error("R014",
                  std::string("films need the module alembert_video, ") +
                      (path ? std::string("which cannot be loaded: ") + ::dlerror()
                            : std::string("which has not been built")) +
                      ". In a checkout, './alembert' builds it when a film is asked for; by hand: "
                      "install libavcodec-dev, libavformat-dev and libavutil-dev, and configure "
                      "with -DALEMBERT_VIDEO=ON. A page (.html) needs none of it.");
    const auto symbol = [&](const char* name) {
      void* const found = ::dlsym(handle, name);
      ensure(found != nullptr, std::string("the video module has ") + name);
      return found;
    };
    return Module{reinterpret_cast<AlembertVideoOpen>(symbol("alembert_video_open")),
                  reinterpret_cast<AlembertVideoFrame>(symbol("alembert_video_frame")),
                  reinterpret_cast<AlembertVideoClose>(symbol("alembert_video_close"))};
  }();
  return module;
}

[[noreturn]] void fail(const std::filesystem::path& path, const AlembertVideoError& error) {
  throw Error("R014", "the video '" + path.string() + "' cannot be written: " + error.text + ".");
}

/// The file under a name of its own until it is complete.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::filesystem::path& path) : path_(path), temporary_(path) {
    // Tells of a place that cannot be written, and why.
    { result::OutputFile probe(path); }
    temporary_.replace_filename("." + path.filename().string() + "." + std::to_string(::getpid()));
  }
  ~UnfinishedFile() {
    std::error_code none;
    std::filesystem::remove(temporary_, none);
  }
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  const std::filesystem::path& temporary() const { return temporary_; }
  void commit() const {
    std::error_code failed;
    std::filesystem::rename(temporary_, path_, failed);
    if (failed)
      throw Error("R001", "cannot write '" + path_.string() + "': " + failed.message() + ".");
  }

 private:
  std::filesystem::path path_, temporary_;
};

/// The open video; closed, and what it says thrown, by `finish`.
class Writer {
 public:
  Writer(const AlembertVideoSettings& settings, const std::filesystem::path& path)
      : path_(path), module_(load_module()) {
    AlembertVideoError error{};
    video_ = module_.open(&settings, &error);
    if (video_ == nullptr) fail(path_, error);
  }
  ~Writer() {
    AlembertVideoError ignored{};
    if (video_ != nullptr) module_.close(video_, &ignored);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void add(const std::uint8_t* pixels) {
    AlembertVideoError error{};
    if (!module_.frame(video_, pixels, &error)) fail(path_, error);
  }
  void finish() {
    AlembertVideoError error{};
    if (!module_.close(std::exchange(video_, nullptr), &error)) fail(path_, error);
  }

 private:
  std::filesystem::path path_;
  const Module& module_;
  AlembertVideo* video_ = nullptr;
};

GifColours sampled_colours(const ScenePainter& painter, std::size_t n_frames) {
  GifColours colours;
  FrameSpace space;
  const std::size_t n = std::min(n_colour_samples, n_frames);
  for (std::size_t k = 0; k < n; ++k) {
    painter.paint(n == 1 ? 0 : k * (n_frames - 1) / (n - 1), space);
    colours.count(space.pixels);
  }
  colours.choose();
  return colours;
}

/// Frames painted ahead by several threads, handed out in order.
class PaintedFrames {
 public:
  struct Page {
    FrameSpace space;
    std::vector<std::uint8_t> planes;  // of an MP4
    std::exception_ptr failure;
    std::binary_semaphore free{1}, painted{0};
  };

  /// `paint` is called by several threads, each with another page.
  PaintedFrames(std::size_t n_frames, std::function<void(std::size_t, Page&)> paint)
      : n_threads_(std::clamp(std::thread::hardware_concurrency(), 1u, most_threads)),
        pages_(2 * n_threads_),
        paint_(std::move(paint)) {
    for (std::size_t first = 0; first < n_threads_; ++first)
      threads_.emplace_back([this, first, n_frames] {
        for (std::size_t frame = first; frame < n_frames; frame += n_threads_)
          if (!make(frame)) return;
      });
  }
  ~PaintedFrames() {
    stopped_ = true;
    for (Page& page : pages_) page.free.release();
    for (std::thread& thread : threads_) thread.join();
  }
  PaintedFrames(const PaintedFrames&) = delete;
  PaintedFrames& operator=(const PaintedFrames&) = delete;

  /// Waits for a frame; `done` gives its page back.
  Page& wait(std::size_t frame) {
    Page& page = page_of(frame);
    page.painted.acquire();
    if (page.failure) std::rethrow_exception(page.failure);
    return page;
  }
  void done(std::size_t frame) { page_of(frame).free.release(); }

 private:
  Page& page_of(std::size_t frame) { return pages_[frame % pages_.size()]; }

  bool make(std::size_t frame) {
    Page& page = page_of(frame);
    page.free.acquire();
    if (stopped_) return false;
    try {
      paint_(frame, page);
    } catch (...) {
      page.failure = std::current_exception();
    }
    page.painted.release();
    return !page.failure;
  }

  std::size_t n_threads_;
  std::vector<Page> pages_;
  std::function<void(std::size_t, Page&)> paint_;
  std::atomic<bool> stopped_ = false;
  std::vector<std::thread> threads_;
};

void check_size(const std::filesystem::path& path, const VideoOptions& options) {
  const auto is_even = [](int length) { return length > 0 && length % 2 == 0; };
  if (is_even(options.frame.width) && is_even(options.frame.height) &&
      options.frames_per_second > 0)
    return;
  throw Error("R014", "the video '" + path.string() +
                          "' cannot be written: " + std::to_string(options.frame.width) + " by " +
                          std::to_string(options.frame.height) + " pixels, " +
                          std::to_string(options.frames_per_second) +
                          " frames a second. Width and height are even numbers, as 1920 by 1080.");
}

}  // namespace

void write_video(const SceneMotion& motion, const std::filesystem::path& path,
                 const VideoOptions& options) {
  const std::string ending = path.extension().string();
  if (ending != ".mp4" && ending != ".gif")
    throw Error("R010", "'" + path.string() +
                            "' does not say what kind of film it is: let the name end in .mp4 or "
                            ".gif.");
  const bool is_gif = ending == ".gif";
  check_size(path, options);
  load_module();
  const ScenePainter painter(motion, options.frame);
  GifColours colours;
  std::optional<FilmColours> film_colours;
  if (is_gif)
    colours = sampled_colours(painter, motion.n_frames);
  else
    film_colours.emplace(painter.paper(), options.frame.width, options.frame.height);
  const UnfinishedFile file(path);
  const std::string name = file.temporary().string();
  Writer writer({.path = name.c_str(),
                 .format = is_gif ? "gif" : "mp4",
                 .width = options.frame.width,
                 .height = options.frame.height,
                 .frames_per_second = options.frames_per_second,
                 .colours = is_gif ? colours.colours().data() : nullptr},
                path);
  // While a frame is encoded the next ones are painted.
  PaintedFrames frames(motion.n_frames, [&](std::size_t frame, PaintedFrames::Page& page) {
    painter.paint(frame, page.space);
    if (film_colours) film_colours->to_planes(page.space.pixels, page.planes);
  });
  std::vector<std::uint8_t> indices;
  for (std::size_t k = 0; k < motion.n_frames; ++k) {
    const PaintedFrames::Page& page = frames.wait(k);
    if (is_gif) colours.to_indices(page.space.pixels, indices);
    writer.add(is_gif ? indices.data() : page.planes.data());
    frames.done(k);
    if (options.progress) options.progress(k + 1, motion.n_frames);
  }
  writer.finish();
  file.commit();
}

}  // namespace alembert::visual
