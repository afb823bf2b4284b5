// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/libav/video_module.hpp"

#include <cstdio>
#include <cstring>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
}

struct AlembertVideo {
  AVFormatContext* file = nullptr;
  AVCodecContext* encoder = nullptr;
  AVStream* stream = nullptr;
  AVFrame* frame = nullptr;
  AVPacket* packet = nullptr;
  bool indexed = false;  // colours of a palette
  const std::uint32_t* colours = nullptr;
  std::int64_t n_frames = 0;
  bool has_header = false;

  ~AlembertVideo() {
    av_packet_free(&packet);
    av_frame_free(&frame);
    avcodec_free_context(&encoder);
    if (file != nullptr && file->pb != nullptr) avio_closep(&file->pb);
    avformat_free_context(file);
  }
};

namespace {

bool fail(AlembertVideoError* error, const char* what, int code) {
  char reason[128] = "";
  if (code < 0) av_strerror(code, reason, sizeof reason);
  std::snprintf(error->text, sizeof error->text, "%s%s%s", what, code < 0 ? ": " : "", reason);
  return false;
}

bool open_encoder(AlembertVideo& video, const AlembertVideoSettings& settings,
                  AlembertVideoError* error) {
  const AVCodec* codec = video.indexed ? avcodec_find_encoder(AV_CODEC_ID_GIF)
                                       : avcodec_find_encoder_by_name("libx264");
  if (codec == nullptr && !video.indexed) codec = avcodec_find_encoder(AV_CODEC_ID_MPEG4);
  if (codec == nullptr) return fail(error, "libav has no encoder for it", 0);
  video.stream = avformat_new_stream(video.file, nullptr);
  video.encoder = avcodec_alloc_context3(codec);
  if (video.stream == nullptr || video.encoder == nullptr) return fail(error, "no memory", 0);
  AVCodecContext& e = *video.encoder;
  e.width = settings.width;
  e.height = settings.height;
  e.time_base = {1, settings.frames_per_second};
  e.framerate = {settings.frames_per_second, 1};
  e.pix_fmt = video.indexed ? AV_PIX_FMT_PAL8 : AV_PIX_FMT_YUV420P;
  e.color_range = AVCOL_RANGE_MPEG;
  e.colorspace = AVCOL_SPC_BT709;
  e.color_primaries = AVCOL_PRI_BT709;
  e.color_trc = AVCOL_TRC_BT709;
  e.gop_size = 4 * settings.frames_per_second;
  e.thread_count = 0;  // as many as there are cores
  if (!video.indexed) {
    e.bit_rate = 8'000'000;  // for an encoder that knows no quality
    av_opt_set(e.priv_data, "preset", "superfast", 0);
    av_opt_set(e.priv_data, "tune", "animation", 0);
    e.max_b_frames = 0;  // a third of the work for a twentieth of the size
    if (av_opt_set(e.priv_data, "crf", "18", 0) >= 0) e.bit_rate = 0;
  }
  if ((video.file->oformat->flags & AVFMT_GLOBALHEADER) != 0)
    e.flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  if (const int code = avcodec_open2(&e, codec, nullptr); code < 0)
    return fail(error, "the encoder cannot be opened", code);
  video.stream->time_base = e.time_base;
  video.stream->avg_frame_rate = e.framerate;
  const int code = avcodec_parameters_from_context(video.stream->codecpar, &e);
  return code >= 0 || fail(error, "the encoder cannot be described", code);
}

bool open_file(AlembertVideo& video, const AlembertVideoSettings& settings,
               AlembertVideoError* error) {
  if (const int code = avio_open(&video.file->pb, settings.path, AVIO_FLAG_WRITE); code < 0)
    return fail(error, "the file cannot be written", code);
  AVDictionary* options = nullptr;
  if (!video.indexed) av_dict_set(&options, "movflags", "+faststart", 0);
  const int code = avformat_write_header(video.file, &options);
  av_dict_free(&options);
  if (code < 0) return fail(error, "the header cannot be written", code);
  video.has_header = true;
  return true;
}

bool make_frame(AlembertVideo& video, AlembertVideoError* error) {
  video.frame = av_frame_alloc();
  video.packet = av_packet_alloc();
  if (video.frame == nullptr || video.packet == nullptr) return fail(error, "no memory", 0);
  video.frame->format = video.encoder->pix_fmt;
  video.frame->width = video.encoder->width;
  video.frame->height = video.encoder->height;
  if (const int code = av_frame_get_buffer(video.frame, 0); code < 0)
    return fail(error, "no memory for a frame", code);
  return true;
}

/// Hands a frame (null: no more) to the encoder and writes what comes out of it.
bool encode(AlembertVideo& video, const AVFrame* frame, AlembertVideoError* error) {
  if (const int code = avcodec_send_frame(video.encoder, frame); code < 0)
    return fail(error, "a frame cannot be encoded", code);
  for (;;) {
    const int got = avcodec_receive_packet(video.encoder, video.packet);
    if (got == AVERROR(EAGAIN) || got == AVERROR_EOF) return true;
    if (got < 0) return fail(error, "a frame cannot be encoded", got);
    if (video.packet->duration == 0) video.packet->duration = 1;
    av_packet_rescale_ts(video.packet, video.encoder->time_base, video.stream->time_base);
    video.packet->stream_index = video.stream->index;
    if (const int code = av_interleaved_write_frame(video.file, video.packet); code < 0)
      return fail(error, "the file cannot be written", code);
  }
}

}  // namespace

extern "C" {

AlembertVideo* alembert_video_open(const AlembertVideoSettings* settings,
                                   AlembertVideoError* error) {
  av_log_set_level(AV_LOG_ERROR);
  auto* video = new AlembertVideo;
  video->indexed = settings->colours != nullptr;
  video->colours = settings->colours;
  const int code =
      avformat_alloc_output_context2(&video->file, nullptr, settings->format, settings->path);
  const bool opened = (code >= 0 || fail(error, "libav does not know the format", code)) &&
                      open_encoder(*video, *settings, error) && make_frame(*video, error) &&
                      open_file(*video, *settings, error);
  if (opened) return video;
  delete video;
  return nullptr;
}

bool alembert_video_frame(AlembertVideo* video, const std::uint8_t* pixels,
                          AlembertVideoError* error) {
  AVFrame& frame = *video->frame;
  if (const int code = av_frame_make_writable(&frame); code < 0)
    return fail(error, "no memory for a frame", code);
  const auto copy_plane = [&](int plane, int width, int height) {
    for (int y = 0; y < height; ++y, pixels += width)
      std::memcpy(frame.data[plane] + y * frame.linesize[plane], pixels,
                  static_cast<std::size_t>(width));
  };
  copy_plane(0, frame.width, frame.height);
  if (video->indexed) {
    std::memcpy(frame.data[1], video->colours, 256 * 4);
  } else {
    copy_plane(1, frame.width / 2, frame.height / 2);
    copy_plane(2, frame.width / 2, frame.height / 2);
  }
  frame.pts = video->n_frames++;
  return encode(*video, &frame, error);
}

bool alembert_video_close(AlembertVideo* video, AlembertVideoError* error) {
  bool good = encode(*video, nullptr, error);
  if (good && video->has_header)
    if (const int code = av_write_trailer(video->file); code < 0)
      good = fail(error, "the end of the file cannot be written", code);
  delete video;
  return good;
}

}  // extern "C"
