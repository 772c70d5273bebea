"""How long tests wait, on a machine that is many times slower than usual, or busy."""
import os
import pathlib
import time
from collections.abc import Callable
from typing import TypeVar

# Seconds for anything that ends by itself within a moment: only a hang takes longer.
PATIENCE = 600

Found = TypeVar("Found")


def within_growing_limits(limit: float, attempt: Callable[[float], Found]) -> Found:
    """Calls the attempt with a time limit in seconds that grows fourfold until something that is true comes back: for runs
    that must have begun before their limit ends them."""
    while True:
        found = attempt(limit)
        if found or limit * 4 > PATIENCE:
            return found
        limit *= 4


def children_of(pid: int) -> list[int]:
    """The child processes that live; none where the process has ended."""
    try:
        tasks = [pathlib.Path(f"/proc/{pid}/task/{task}/children") for task in os.listdir(f"/proc/{pid}/task")]
        return [int(child) for task in tasks for child in task.read_text(encoding="utf-8").split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def processor_seconds(pid: int) -> float:
    """Processor time that a process has used, without its children. Other work of the machine does not count."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until(holds: Callable[[], bool]) -> bool:
    """False where it does not hold within PATIENCE."""
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True
