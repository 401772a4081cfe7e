"""The protocol between the algebra and whatever computes logits: ours fulfils it, and so may anybody's."""

from __future__ import annotations

import inspect

import pytest
from language_models import PlainModel, check_language_model

import outlines_cont as oc
from outlines_cont.engines.protocol import KeptRow, LanguageModel


def test_our_model_does_what_is_asked_of_any() -> None:
    check_language_model(oc.load(), oc.load())


@pytest.mark.slow
def test_a_model_of_a_third_party_serves_as_well() -> None:
    model = oc.load()
    check_language_model(PlainModel(model), model)


@pytest.mark.slow
def test_a_wrong_answer_is_noticed() -> None:
    model = oc.load()
    plain = PlainModel(model)
    right = plain.read
    plain.read = lambda needs: (right(needs)[0].flip(-1), [None] * len(needs))
    with pytest.raises(AssertionError):
        check_language_model(plain, model)


def test_what_is_no_model_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="takes a Model first"):
        oc.generate.text("gpt2")  # type: ignore[arg-type]
    lacking = PlainModel(oc.load())
    del lacking.stats
    with pytest.raises(TypeError, match=r"not PlainModel, which has no stats$"):
        oc.generate.text(lacking)


@pytest.mark.parametrize("protocol", [LanguageModel, KeptRow])
def test_every_member_is_explained(protocol: type) -> None:
    members = [value for name, value in vars(protocol).items() if not name.startswith("_")]
    assert members and all(inspect.getdoc(member) for member in members)
