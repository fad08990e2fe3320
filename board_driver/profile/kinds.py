"""Kinds of a schema, as msgspec reads them off the structs: which of several a node means, and in words [pure]."""

from __future__ import annotations

from msgspec import inspect


def bare(kind: inspect.Type) -> inspect.Type:
    """The kind without what only describes it."""
    return bare(kind.type) if isinstance(kind, inspect.Metadata) else kind


def fits(kind: inspect.Type, *, is_list: bool, is_whole: bool) -> bool:
    """Whether, of several kinds, this is the one that such a node is meant as."""
    inner = bare(kind)
    if isinstance(inner, inspect.UnionType):
        return any(fits(member, is_list=is_list, is_whole=is_whole) for member in inner.types)
    if isinstance(inner, inspect.VarTupleType):
        return is_list
    if isinstance(inner, inspect.IntType):
        return is_whole and not is_list
    if isinstance(inner, inspect.StrType):
        return not is_whole and not is_list
    return not is_list


def holds_mappings(kind: inspect.Type) -> bool:
    """Whether values of that kind are written as keys with values."""
    inner = bare(kind)
    members = inner.types if isinstance(inner, inspect.UnionType) else (inner,)
    return all(isinstance(member, inspect.StructType) for member in members)


def told(kind: inspect.Type) -> str:
    """What is expected, in words."""
    match kind:
        case inspect.Metadata(described, _, extra):
            return str((extra or {}).get("expected", "")) or told(described)
        case inspect.VarTupleType(item, least, most):
            counted = "a list" if least is None and most is None else f"a list of {least or 0} to {most}"
            counted = f"a list of {least}" if least == most and least is not None else counted
            return counted if holds_mappings(item) else f"{counted}, each {told(item)}"
        case inspect.UnionType(members):
            return " or ".join(dict.fromkeys(told(m) for m in members if not isinstance(m, inspect.NoneType)))
        case inspect.EnumType(cls):
            return f"one of {', '.join(str(member.value) for member in cls)}"
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=least, le=most):
            return "a whole number" if least is None or most is None else f"a whole number from {least} to {most}"
        case inspect.FloatType():
            return "a number"
        case inspect.StrType():
            return "a text"
        case _:
            return "more keys"
