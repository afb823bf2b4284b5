// SPDX-License-Identifier: Apache-2.0
// Stage: visual. The C interface of the module that knows libav: `visual` loads it when a video is
// written, so that libav's hundred libraries cost nothing otherwise. All functions return false, or
// null, with a text in `error` where something went wrong.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

struct AlembertVideoSettings {
  const char* path;
  const char* format;  ///< "mp4" (H.264) or "gif"
  int width, height;   ///< of an mp4: even
  int frames_per_second;
  const std::uint32_t* colours;  ///< [256], 0xFFRRGGBB, of a gif; null otherwise
};

struct AlembertVideoError {
  char text[256];
};

struct AlembertVideo;

using AlembertVideoOpen = AlembertVideo* (*)(const AlembertVideoSettings*, AlembertVideoError*);
/// pixels of an mp4: planes of brightness [height][width] and colour [height / 2][width / 2] twice
/// (BT.709); of a gif: indices of colours, [height][width].
using AlembertVideoFrame = bool (*)(AlembertVideo*, const std::uint8_t* pixels,
                                    AlembertVideoError*);
/// Writes what is left, and lets go of everything, also where it fails.
using AlembertVideoClose = bool (*)(AlembertVideo*, AlembertVideoError*);

}  // extern "C"
