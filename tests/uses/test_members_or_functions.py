"""A bare name in a type of Kotlin or C++ means a function outside of it where the type surely has no member so called."""

from __future__ import annotations

import pytest

from tests.uses.reading import known, uses

KOTLIN = "package com.acme\n\nfun toCents(amount: Double): Long {\n    return 1\n}\n\n%s {\n    fun put(price: Double): Long {\n        return toCents(price)\n    }\n%s}\n"
CPP = "static long to_cents(double amount) {\n  return 1;\n}\n\n%s {\n public:\n  void put(double price) {\n    total += to_cents(price);\n  }\n%s};\n"
HEADER = "#pragma once\n\nclass Cart%s {\n public:\n  void put(double price);\n%s};\n"
OUTSIDE = '#include "cart.hpp"\n\nstatic long to_cents(double amount) {\n  return 1;\n}\n\nvoid Cart::put(double price) {\n  to_cents(price);\n}\n'


def used(files: dict[str, str], path: str) -> set[str]:
    found = uses(path, known(files))
    return {use.used.symbol or "" for use in found if use.user.symbol == "Cart.put"} - {"Cart"}


@pytest.mark.parametrize(
    ("head", "more", "counts"),
    [
        ("class Cart", "", True),
        ("class Cart(val size: Int)", "", True),
        ("object Cart", "", True),
        ("class Cart : Base()", "", False),
        ("class Cart(val size: Int) : Base(size), Priced", "", False),
        ("data class Cart(val size: Int)", "", False),
        ("class Cart", "\n    companion object : Base() {\n        val size = 1\n    }\n", False),
        ("class Cart", "\n    companion object {\n        val size = 1\n    }\n", True),
        ("class Cart", "\n    val one = object : Base() {\n        val size = 1\n    }\n", False),
        ("class Cart", "\n    fun toCents(price: Double): Long {\n        return 2\n    }\n", False),
    ],
)
def test_in_kotlin(head: str, more: str, counts: bool) -> None:
    assert used({"src/Cart.kt": KOTLIN % (head, more)}, "src/Cart.kt") == ({"toCents"} if counts else set())


def test_in_kotlin_of_the_same_package() -> None:
    function, _, cart = (KOTLIN % ("class Cart", "")).partition("class Cart")
    files = {"src/Money.kt": function, "src/Cart.kt": f"package com.acme\n\nclass Cart{cart}"}
    assert used(files, "src/Cart.kt") == {"toCents"}


def test_in_kotlin_of_what_is_added_to_a_type() -> None:
    text = "package a\n\nfun toCents(amount: Double): Long {\n    return 1\n}\n\nfun %s.put(): Long {\n    return toCents(1.0)\n}\n"
    found = uses("Cart.kt", known({"Cart.kt": text % "String"}))
    assert [use for use in found if use.user.symbol == "String.put"] == []


@pytest.mark.parametrize(
    ("head", "more", "counts"),
    [
        ("class Cart", "", True),
        ("struct Cart", "  long total = 0;\n", True),
        ("template <class T> class Cart", "", True),
        ("class Cart : public Base", "", False),
        ("template <class T> struct Cart : Base<T>", "", False),
        ("class Cart", "  long to_cents(double amount) const;\n", False),
        ("class Cart", "  long *to_cents(double amount);\n", False),
        ("class Cart", "  long (*to_cents)(double);\n", False),
        ("class Cart", "  std::function<long(double)> to_cents;\n", False),
        ("class Cart", "  long to_cents(double amount) { return 2; }\n", False),
    ],
)
def test_in_cpp(head: str, more: str, counts: bool) -> None:
    assert used({"src/cart.cpp": CPP % (head, more)}, "src/cart.cpp") == ({"to_cents"} if counts else set())


@pytest.mark.parametrize(
    ("base", "more", "counts"),
    [
        ("", "", True),
        (" : public Base", "", False),
        ("", "  long to_cents(double amount);\n", False),
        (None, "", False),
    ],
)
def test_in_cpp_of_a_member_that_is_defined_elsewhere(base: str | None, more: str, counts: bool) -> None:
    header = {"src/cart.hpp": HEADER % (base, more)} if base is not None else {}
    assert used({"src/cart.cpp": OUTSIDE, **header}, "src/cart.cpp") == ({"to_cents"} if counts else set())
