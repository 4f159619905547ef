"""The functions of Python and its library that look into an object, as test code gets them.

For an object of the program, its process performs them.
"""

from __future__ import annotations

from typing import Any

from microcoder_sandbox.rpc.functions import find_path

from .proxy import Proxy, ask, find_proxy, is_instance

_FUNCTIONS: dict[str, tuple[str, ...]] = {
    "dataclasses": ("replace", "asdict", "astuple", "fields", "is_dataclass"),
    "asyncio": ("iscoroutinefunction",),
    "typing": ("get_type_hints",),
}


def get_class(value: Any) -> Any:
    """``type(value)`` of test code."""
    proxy = find_proxy(value)
    return type(value) if proxy is None else proxy._mc_connection.operate(proxy._mc_target, "type")


def is_subclass(cls: Any, kinds: Any) -> bool:
    """``issubclass`` of test code."""
    return issubclass(cls, kinds) if find_proxy(cls) is None else ask("issubclass", cls, kinds)


def has_attribute(value: Any, name: str) -> bool:
    """``hasattr`` of test code."""
    return _operate(value, "hasattr", name) if type(value) is Proxy else hasattr(value, name)


def is_callable(value: Any) -> bool:
    """``callable`` of test code. A global name is called soon, or nothing is tested."""
    is_object = type(value) is Proxy and "$handle" in value._mc_target
    return _operate(value, "callable") if is_object else callable(value)


def _operate(proxy: Proxy, name: str, *args: Any) -> bool:
    return proxy._mc_connection.operate(proxy._mc_target, name, *args) is True


def forward_functions(source: str) -> None:
    """Have the program's process perform the functions in _FUNCTIONS for its objects. source: the
    test code."""
    for module_name, names in _FUNCTIONS.items():
        if module_name in source:
            module = __import__(module_name)
            for name in names:
                setattr(module, name, _forward_function(getattr(module, name)))


def _forward_function(function: Any) -> Any:
    target = {"$library": find_path(function)}

    def perform(*args: Any, **kwargs: Any) -> Any:
        proxy = find_proxy(args[0]) if args else None
        if proxy is None:
            return function(*args, **kwargs)
        return proxy._mc_connection.call(target, args, kwargs)

    return perform


BUILTINS = {
    "isinstance": is_instance,
    "issubclass": is_subclass,
    "hasattr": has_attribute,
    "callable": is_callable,
}
