"""The job of calls: it can be done, and only by the signature."""

from __future__ import annotations

from benchmarks.calls import function_of, pairs, sums


def test_a_call_by_the_signature_is_right_and_no_other() -> None:
    for pair in pairs(5, seed=1):
        right = sums(pair, pair.right)
        assert right is not None
        assert len(set(right)) == len(right)
        assert sums(pair, pair.caller("order")) is None
        turned = ", ".join(f'order["{name}"]' for name in reversed(pair.arguments))
        assert sums(pair, pair.caller(turned)) != right


def test_no_words_of_the_task_give_the_arguments_away() -> None:
    for pair in pairs(40, seed=1):
        assert len(set(pair.arguments)) == len(pair.arguments) in (3, 4)
        assert not any(name in pair.caller("order") for name in pair.arguments)


def test_the_function_is_taken_out_of_an_answer() -> None:
    pair = pairs(1, seed=1)[0]
    answer = f"As you asked:\n\n```python\nfrom x import y\n\n\n{pair.right}```\n\nIt adds {pair.arguments[0]}."
    assert function_of(answer, pair.bill) == pair.right
    assert function_of("```python\ndef other():\n    pass\n```\n", pair.bill) == ""
    assert function_of("```python\nno code (\n```\n", pair.bill) == ""
