// SPDX-License-Identifier: Apache-2.0

#include "alembert/base/error.hpp"
#include "alembert/frontend/mechanics/world.hpp"

namespace alembert::mechanics {

namespace {

/// Rotation about axis k (0, 1, 2): v_parent = R v.
Components3x3 axis_rotation(int k, const Expr& angle) {
  const Expr c = cos(angle), s = sin(angle);
  switch (k) {
    case 0: return {{{1, 0, 0}, {0, c, -s}, {0, s, c}}};
    case 1: return {{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
    default: return {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
  }
}

/// Rodrigues' formula, for a unit axis.
Components3x3 axis_rotation(const Components& n, const Expr& angle) {
  const Expr c = cos(angle), s = sin(angle);
  const Components3x3 skew = {{{0, -n[2], n[1]}, {n[2], 0, -n[0]}, {-n[1], n[0], 0}}};
  Components3x3 rotation;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      rotation[i][j] = (i == j ? c : Expr(0)) + (1 - c) * n[i] * n[j] + s * skew[i][j];
  return rotation;
}

std::array<int, 3> axes_of(RotationOrder order, const std::string& frame) {
  std::array<int, 3> axes{};
  bool right = order.size() == 3;
  for (std::size_t k = 0; k < 3 && right; ++k) {
    const char c = order[k];
    axes[k] = c >= 'x' && c <= 'z'   ? c - 'x'
              : c >= 'X' && c <= 'Z' ? c - 'X'
              : c >= '1' && c <= '3' ? c - '1'
                                     : -1;
    right = axes[k] >= 0 && (k == 0 || axes[k] != axes[k - 1]);
  }
  if (!right)
    throw Error("K003", "the rotation order '" + std::string(order) + "' of frame '" + frame +
                            "' is not three axes, no two alike side by side. Write it like 'zxz' "
                            "or '123'.");
  return axes;
}

Components unit_components(int k) {
  Components e = {0, 0, 0};
  e[static_cast<std::size_t>(k)] = 1;
  return e;
}

Expr rate(const Expr& e) { return e.pool() == nullptr ? Expr(0) : der(e); }

}  // namespace

// ---- the tree of frames -------------------------------------------------------------------------

Frame World::frame(std::string name) {
  const auto id = static_cast<std::uint32_t>(frames_.size());
  frames_.push_back({.name = std::move(name),
                     .root = id,
                     .to_parent = identity(),
                     .to_root = identity(),
                     .velocity = {},
                     .velocity_home = id,
                     .velocity_in_root = {0, 0, 0}});
  return {*this, id};
}

/// The rows to the root, of a frame whose orientation changed and of all that hang on it.
void World::update_below(std::uint32_t frame) {
  const auto refresh = [&](std::uint32_t id) {
    FrameEntry& entry = frames_[id];
    const FrameEntry& parent = frames_[entry.parent];
    entry.depth = parent.depth + 1;
    entry.root = parent.root;
    entry.to_root = product(parent.to_root, entry.to_parent);
    entry.velocity_home =
        entry.velocity.is_zero() ? parent.velocity_home : entry.velocity.parts().front().frame;
    entry.velocity_in_root =
        sum(express(parent.velocity_in_root, parent.velocity_home, entry.velocity_home),
            entry.velocity.in({*this, entry.velocity_home}));
  };
  refresh(frame);
  if (!frames_[frame].carries_others) return;
  std::vector<char> below(frames_.size(), 0);
  below[frame] = 1;
  // A frame may have been made before the one it hangs on, so go on until nothing is new.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t id = 0; id < frames_.size(); ++id)
      if (!below[id] && frames_[id].parent != none && below[frames_[id].parent]) {
        refresh(id);
        below[id] = 1;
        changed = true;
      }
  }
}

std::uint32_t World::common_frame(std::uint32_t a, std::uint32_t b) const {
  while (a != b) {
    if (frames_[a].depth >= frames_[b].depth)
      a = frames_[a].parent;
    else
      b = frames_[b].parent;
  }
  return a;
}

Components3x3 World::rotation(std::uint32_t from, std::uint32_t to) const {
  const FrameEntry &start = frames_[from], &end = frames_[to];
  if (start.root != end.root)
    throw Error("K001", "frame '" + start.name + "' is not connected with frame '" + end.name +
                            "'. Orient one of them, or the frame it hangs on, to the other.");
  if (to == end.root) return start.to_root;
  if (from == start.root) return transposed(end.to_root);
  const std::uint32_t common = common_frame(from, to);
  const auto up = [&](std::uint32_t id) {
    Components3x3 r = identity();
    for (; id != common; id = frames_[id].parent) r = product(frames_[id].to_parent, r);
    return r;
  };
  return product(transposed(up(to)), up(from));
}

Components World::express(const Components& v, std::uint32_t from, std::uint32_t to) const {
  return from == to ? v : product(rotation(from, to), v);
}

// ---- orientations -------------------------------------------------------------------------------

const std::string& Frame::name() const { return world_->frames_[id_].name; }

void Frame::orient(const Frame& to, const Components3x3& rotation, const Vector& velocity) const {
  World::FrameEntry& entry = world_->frames_[id_];
  if (world_ != to.world_)
    throw Error("K002", "frame '" + entry.name + "' cannot be oriented to '" + to.name() +
                            "', which belongs to another world.");
  if (entry.parent != World::none)
    throw Error("K002", "frame '" + entry.name + "' is already oriented to frame '" +
                            world_->frames_[entry.parent].name + "'. Orient each frame once.");
  if (world_->frames_[to.id_].root == id_)
    throw Error("K002", "frame '" + entry.name + "' cannot be oriented to '" + to.name() +
                            "', which hangs on it already.");
  entry.parent = to.id_;
  world_->frames_[to.id_].carries_others = true;
  entry.to_parent = rotation;
  entry.velocity = velocity;  // one part, in this frame or the other
  world_->update_below(id_);
}

void Frame::orient_axis(const Frame& to, const Expr& angle, const Vector& axis) const {
  if (axis.is_zero())
    throw Error("K003", "frame '" + name() + "' cannot turn about an axis of length 0.");
  const Vector direction = unit(axis);
  const bool in_own_frame = axis.parts().size() == 1 && axis.parts().front().frame == id_;
  const Components n = in_own_frame ? direction.parts().front().components : direction.in(to);
  int main_axis = -1;
  for (int k = 0; k < 3; ++k)
    if (is_one(n[static_cast<std::size_t>(k)])) main_axis = k;
  // The axis has the same components in both frames. Those in `to` stay free of the angle when
  // they are expressed further up: what a spinning wheel does must not seem to depend on how far it
  // has turned.
  orient(to, main_axis >= 0 ? axis_rotation(main_axis, angle) : axis_rotation(n, angle),
         Vector(to, scaled(rate(angle), n)));
}

void Frame::orient_body(const Frame& to, const std::array<Expr, 3>& angles,
                        RotationOrder order) const {
  const std::array<int, 3> axes = axes_of(order, name());
  Components3x3 rotation = identity();
  Components velocity = {0, 0, 0};  // in the frame turned so far
  for (std::size_t k = 0; k < 3; ++k) {
    const Components3x3 turn = axis_rotation(axes[k], angles[k]);
    velocity =
        sum(product(transposed(turn), velocity), scaled(rate(angles[k]), unit_components(axes[k])));
    rotation = product(rotation, turn);
  }
  orient(to, rotation, Vector(*this, velocity));
}

void Frame::orient_space(const Frame& to, const std::array<Expr, 3>& angles,
                         RotationOrder order) const {
  // Turns about fixed axes are turns about moving ones in the opposite order.
  const std::string reversed(order.rbegin(), order.rend());
  orient_body(to, {angles[2], angles[1], angles[0]}, reversed);
}

void Frame::orient_quaternion(const Frame& to, const std::array<Expr, 4>& e) const {
  const auto& [w, x, y, z] = e;
  const Components3x3 rotation = {
      {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
       {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
       {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}}};
  const Expr dw = rate(w), dx = rate(x), dy = rate(y), dz = rate(z);
  orient(to, rotation,
         Vector(*this,
                {2 * (w * dx + z * dy - y * dz - x * dw), 2 * (w * dy + x * dz - z * dx - y * dw),
                 2 * (w * dz + y * dx - x * dy - z * dw)}));
}

void Frame::orient_cosines(const Frame& to, const Components3x3& cosines) const {
  const Components3x3 rotation = transposed(cosines);
  // The skew matrix R^T dR/dt holds the angular velocity in this frame.
  const auto entry = [&](std::size_t i, std::size_t j) {
    Expr total = 0;
    for (std::size_t k = 0; k < 3; ++k) total += rotation[k][i] * rate(rotation[k][j]);
    return total;
  };
  orient(to, rotation, Vector(*this, {entry(2, 1), entry(0, 2), entry(1, 0)}));
}

// ---- what follows from them ---------------------------------------------------------------------

Components3x3 Frame::cosines_to(const Frame& other) const {
  // Axis i of this frame, in `other`, is column i of the rotation.
  return transposed(world_->rotation(id_, other.id_));
}

Vector Frame::angular_velocity_in(const Frame& other) const {
  const World::FrameEntry& here = world_->frames_[id_];
  if (here.root != world_->frames_[other.id_].root)
    world_->rotation(id_, other.id_);  // throws K001
  if (other.id_ == here.root) return {world_->frame(here.velocity_home), here.velocity_in_root};
  const std::uint32_t common = world_->common_frame(id_, other.id_);
  const auto climb = [&](std::uint32_t id) {
    Vector total;
    for (; id != common; id = world_->frames_[id].parent) total += world_->frames_[id].velocity;
    return total;
  };
  return climb(id_) - climb(other.id_);
}

Vector Frame::angular_acceleration_in(const Frame& other) const {
  return angular_velocity_in(other).dt(other);
}

void Frame::set_angular_velocity(const Vector& velocity) const {
  World::FrameEntry& entry = world_->frames_[id_];
  if (entry.parent == World::none)
    throw Error("K002", "frame '" + entry.name +
                            "' has no orientation yet, so it has no angular velocity. Orient it "
                            "first.");
  entry.velocity = velocity.expressed_in(*this);
  world_->update_below(id_);
}

}  // namespace alembert::mechanics
