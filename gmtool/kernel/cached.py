"""Functions that remember: ``functools.lru_cache`` with the function's own signature kept for the type checker."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])


def cached(size: int, typed: bool = False) -> Callable[[F], F]:
    """Remember the last ``size`` results by arguments, which must be hashable.

    ``typed``: arguments of two types are never the same; NamedTuples of two types can be equal.
    """
    return cast(Callable[[F], F], lru_cache(maxsize=size, typed=typed))
