"""Ctrl-C, SIGTERM and a closed terminal are never lost, wherever they strike."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest

from hearts_training.cli.command import progress
from hearts_training.interrupt import interrupts, postponed_interrupts

NUMBERS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.fixture(autouse=True)
def handled() -> Iterator[None]:
    """Ctrl-C is not ignored, as it is in a process that a script starts in its background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class Struck:
    """What is raised while this object is deleted is ignored by Python."""

    def __init__(self, number: signal.Signals) -> None:
        self.number = number

    def __del__(self) -> None:
        signal.raise_signal(self.number)


def fail_to_import() -> None:
    try:
        signal.raise_signal(signal.SIGTERM)
    except KeyboardInterrupt:
        raise ImportError("failed to import") from None


@pytest.mark.parametrize("number", NUMBERS)
def test_a_signal_interrupts_at_once(number: signal.Signals) -> None:
    before = [signal.getsignal(one) for one in NUMBERS]
    with pytest.raises(KeyboardInterrupt), progress("waiting"):
        signal.raise_signal(number)
    assert [signal.getsignal(one) for one in NUMBERS] == before


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("number", NUMBERS)
def test_a_signal_that_was_lost_is_raised_with_the_next_progress(number: signal.Signals) -> None:
    with progress("waiting") as show:
        struck = Struck(number)
        show(0.1)
        del struck
        with pytest.raises(KeyboardInterrupt):
            show(0.2)


def test_an_error_that_a_signal_was_turned_into_is_an_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt), interrupts():
        fail_to_import()


@pytest.mark.parametrize("number", NUMBERS)
def test_a_postponed_interrupt_is_a_request_and_the_second_is_at_once(number: signal.Signals) -> None:
    with postponed_interrupts() as interrupt:
        assert not interrupt.requested
        signal.raise_signal(number)
        assert interrupt.requested
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)


@pytest.mark.parametrize("context", [interrupts, postponed_interrupts])
def test_an_ignored_signal_stays_ignored(context: Callable[[], AbstractContextManager[object]]) -> None:
    """As under nohup."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with context():
            signal.raise_signal(signal.SIGINT)
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
