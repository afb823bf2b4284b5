// SPDX-License-Identifier: Apache-2.0
// Stage: visual. Parts of a page as JSON: the structure of the model, the scene. The other side is
// viewer/src/payload.ts.
#pragma once

#include "alembert/structure/explain.hpp"
#include "alembert/visual/page_data.hpp"
#include "alembert/visual/scene_motion.hpp"

namespace alembert::visual {

Json structure_json(const structure::Explanation& explanation);
Json scene_json(const SceneMotion& motion, PageData& data);

}  // namespace alembert::visual
