#include "cel/unification.h"

#include <gtest/gtest.h>

namespace berth::cel {
namespace {

using Unbound = TypeBindings::Unbound;

TEST(Unification, BindsParametersToWhatTheyMeet) {
  TypeBindings bindings;
  const Type element = bindings.fresh_variable();
  EXPECT_TRUE(bindings.assign(Type::list(TypeKind::Int), Type::list(element)));
  EXPECT_EQ(bindings.resolve(element, Unbound::Keep), Type(TypeKind::Int));
  EXPECT_FALSE(bindings.assign(TypeKind::String, element));
}

TEST(Unification, LeavesBindingsAloneWhenOneOfSeveralDoesNotFit) {
  TypeBindings bindings;
  const Type any = bindings.fresh_variable();
  const Type wanted[] = {any, TypeKind::Int};
  const Type given[] = {TypeKind::String, TypeKind::Bool};
  EXPECT_FALSE(bindings.assign(given, wanted));
  EXPECT_EQ(bindings.resolve(any, Unbound::ToDyn), Type(TypeKind::Dyn));
}

TEST(Unification, LetsDynFitEverythingAndNullWhatMayBeAbsent) {
  TypeBindings bindings;
  EXPECT_TRUE(bindings.assign(TypeKind::Dyn, TypeKind::Int));
  EXPECT_TRUE(bindings.assign(TypeKind::Null, TypeKind::Duration));
  EXPECT_FALSE(bindings.assign(TypeKind::Null, TypeKind::Int));
}

TEST(Unification, RefusesATypeThatContainsItself) {
  TypeBindings bindings;
  const Type any = bindings.fresh_variable();
  EXPECT_FALSE(bindings.assign(Type::list(any), any));
}

TEST(Unification, PrefersTheMoreGeneralType) {
  EXPECT_EQ(more_general(TypeKind::Int, TypeKind::Dyn), Type(TypeKind::Dyn));
  EXPECT_EQ(more_general(Type::list(TypeKind::Dyn), Type::list(TypeKind::Int)),
            Type::list(TypeKind::Dyn));
}

}  // namespace
}  // namespace berth::cel
