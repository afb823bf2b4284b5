// SPDX-License-Identifier: Apache-2.0
// What of an instance depends on values: dimensions, entries of arrays, conditions.

#include "alembert/frontend/modelica/instance/tree_state.hpp"

namespace alembert::modelica {

namespace {

constexpr std::int64_t max_entries = 50'000'000;

std::int64_t n_values(Instance& type) {
  return type.type() == TypeKind::boolean ? 2 : static_cast<std::int64_t>(type.literals().size());
}

}  // namespace

Instance* Instance::index_type(std::size_t i) {
  if (i >= declared_dimensions().size()) return nullptr;
  const Dimension& dimension = declared_dimensions()[i];
  if (dimension.expression->kind != ExpressionKind::reference) return nullptr;
  const Denotation type = tree().try_lookup(*dimension.scope, *dimension.expression->reference);
  if (type.kind != DenotationKind::class_) return nullptr;
  const TypeKind kind = type.instance->type();
  return kind == TypeKind::boolean || kind == TypeKind::enumeration ? type.instance : nullptr;
}

std::int64_t TreeState::find_size(Instance& instance, std::size_t i) {
  ensure(evaluator != nullptr, "the instance tree has an evaluator before sizes are asked for");
  const Dimension& dimension = data(instance).declared_dimensions[i];
  if (dimension.expression->kind == ExpressionKind::colon) {
    std::vector<std::int64_t> of_value;
    if (instance.binding()) of_value = evaluator->sizes(instance.binding());
    if (of_value.size() > i) return of_value[i];
    const Binding* start =
        type_of(instance) == TypeKind::structured ? nullptr : instance.attribute("start");
    if (start && !start->each) of_value = evaluator->sizes(*start);
    if (of_value.size() > i) return of_value[i];
    fail(dimension.expression->place, "M116",
         "the size of '" + instance.full_name() +
             "' is ':', but it has no value to take the size from. Give it a value or a size.");
  }
  if (Instance* type = instance.index_type(i)) return n_values(*type);
  return evaluator->integer(*dimension.expression, *dimension.scope);
}

std::int64_t TreeState::size_at(Instance& instance, std::size_t i) {
  constexpr std::int64_t unknown = -1;
  constexpr std::int64_t in_progress = -2;
  InstanceData& own = data(instance);
  own.dimensions.resize(own.declared_dimensions.size(), unknown);
  const std::int64_t known = own.dimensions[i];
  if (known >= 0) return known;
  const Place place = own.declared_dimensions[i].expression->place;
  if (known == in_progress) {
    fail(place, "M116", "the size of '" + instance.full_name() + "' depends on itself.");
  }
  own.dimensions[i] = in_progress;
  try {
    const std::int64_t size = find_size(instance, i);
    if (size < 0) {
      fail(place, "M116",
           "'" + instance.full_name() + "' has the size " + std::to_string(size) +
               ", which is negative.");
    }
    if (size > max_entries) {
      fail(place, "M116",
           "'" + instance.full_name() + "' has the size " + std::to_string(size) +
               ", which is too large.");
    }
    own.dimensions[i] = size;
  } catch (...) {
    own.dimensions[i] = unknown;
    throw;
  }
  return own.dimensions[i];
}

void TreeState::know_dimensions(Instance& instance) {
  InstanceData& own = data(instance);
  if (own.dimensions_known) return;
  std::int64_t n_entries = 1;
  for (std::size_t i = 0; i < own.declared_dimensions.size(); ++i) {
    const std::int64_t size = size_at(instance, i);
    if (size > 0 && n_entries > max_entries / size) {
      fail(own.declared_dimensions[i].expression->place, "M116",
           "'" + instance.full_name() + "' has more than " + std::to_string(max_entries) +
               " entries.");
    }
    n_entries *= size;
  }
  own.dimensions_known = true;
}

std::span<const Dimension> Instance::declared_dimensions() {
  return data_->is_entry ? std::span<const Dimension>{} : data_->declared_dimensions;
}

std::span<const std::int64_t> Instance::dimensions() {
  if (declared_dimensions().empty()) return {};
  data_->tree->know_dimensions(*this);
  return data_->dimensions;
}

std::int64_t Instance::dimension(std::size_t i) {
  ensure(i < declared_dimensions().size(), "a dimension that was declared");
  return data_->tree->size_at(*this, i);
}

std::size_t Instance::n_entries() {
  std::size_t n = 1;
  for (const std::int64_t size : dimensions()) n *= static_cast<std::size_t>(size);
  return n;
}

Instance& Instance::entry(std::size_t row_major) {
  if (!is_array()) return *this;
  const std::size_t n = n_entries();
  ensure(row_major < n, "an entry of an array is inside of it");
  if (!data_->array_content) data_->array_content = std::make_unique<ArrayContent>();
  auto& entries = data_->array_content->entries;
  entries.resize(n);
  if (!entries[row_major]) {
    std::vector<std::int64_t> indices(dimensions().size());
    std::size_t rest = row_major;
    for (std::size_t i = indices.size(); i-- > 0;) {
      const auto size = static_cast<std::size_t>(dimensions()[i]);
      indices[i] = static_cast<std::int64_t>(rest % size) + 1;
      rest /= size;
    }
    entries[row_major] = &data_->tree->entry_of(*this, indices);
  }
  return *entries[row_major];
}

Instance& Instance::prototype() {
  if (!is_array()) return *this;
  if (!data_->array_content) data_->array_content = std::make_unique<ArrayContent>();
  Instance*& prototype = data_->array_content->prototype;
  if (!prototype) prototype = &data_->tree->entry_of(*this, {});
  return *prototype;
}

Dimension Instance::condition() const {
  for (const Slot* at = data_->slot; at && at->component; at = at->replaced) {
    if (at->component->condition) return {at->component->condition, at->scope};
  }
  return {};
}

bool Instance::is_present() {
  if (data_->presence < 0) {
    bool present = true;
    if (data_->parent && data_->parent->is_component()) present = data_->parent->is_present();
    const Dimension own = condition();
    if (present && own.expression) {
      ensure(data_->tree->evaluator != nullptr,
             "the instance tree has an evaluator before conditions are asked for");
      present = data_->tree->evaluator->boolean(*own.expression, *own.scope);
    }
    data_->presence = present ? 1 : 0;
  }
  return data_->presence == 1;
}

}  // namespace alembert::modelica
