"""How an experiment's methods are run and judged: a protocol for each kind of table, by the name that files use."""

from satchel.experiments.protocols.table import PROTOCOLS, Protocol

__all__ = ["PROTOCOLS", "Protocol"]
