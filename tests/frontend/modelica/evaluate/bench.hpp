// SPDX-License-Identifier: Apache-2.0
// A model from a text, and expressions evaluated as if they stood in it.
#pragma once

#include <gtest/gtest.h>

#include <list>
#include <memory>
#include <string>

#include "alembert/frontend/modelica/evaluate/evaluator.hpp"
#include "alembert/frontend/modelica/instance/tree.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/print.hpp"

namespace alembert::modelica {

class TestHooks : public ModelHooks {
 public:
  explicit TestHooks(symbolic::ExprPool& pool) : pool_(pool) {}
  symbolic::SymbolKind kind_of(const Instance& variable) override;
  ExprId initial(Place) override { return pool_.discrete("initial()"); }
  ExprId sample(ExprId, ExprId, Place) override { return pool_.discrete("tick"); }
  ExprId delay(ExprId, ExprId, ExprId, Place) override { return pool_.discrete("delayed"); }
  ExprId edge(ExprId condition, Place) override { return condition; }
  void assertion(ExprId condition, const Text& message, bool, Place) override;
  void reinit(ExprId condition, ExprId unknown, ExprId value, Place) override;

  std::vector<std::string> log;

 private:
  symbolic::ExprPool& pool_;
};

class Bench {
 public:
  /// `text` declares model M, and whatever it needs before it.
  explicit Bench(std::string text);

  Value value(const std::string& expression);
  /// The value as text: "3", "{1, 2}", "\"abc\"", "true", "x + 1", "(a, b)".
  std::string shown(const std::string& expression);
  std::string constant(const std::string& expression);
  /// The code of the mistake and its sentence; "" if there is none.
  std::string mistake(const std::string& expression);
  std::string shown(const Value& value);
  std::string shown(ExprId id) { return symbolic::to_text(pool, id); }
  /// "x := ..." for each assignment of the model's algorithms.
  std::vector<std::string> algorithm();

  symbolic::ExprPool pool;
  ClassLibrary library;
  InstanceTree tree;
  TestHooks hooks;
  Evaluator evaluator;
  Instance* model = nullptr;

 private:
  std::list<ParsedExpression> parsed_;
};

}  // namespace alembert::modelica
