"""Routes of the settings of a collection: synonyms, extra stop words and weights of fields."""

from __future__ import annotations

from typing import Any

from satchel.collection import Collection, as_json
from satchel.server.answers import JsonAnswer, SettingsAnswer
from satchel.server.bodies import NewSettings
from satchel.server.routes import Chosen, check_writable, collection_routes

router = collection_routes("settings")


@router.get("/settings", response_model=SettingsAnswer)
async def settings(served: Chosen) -> JsonAnswer:
    """How the collection searches by words."""
    return JsonAnswer(await served.read(lambda collection: as_json(collection.settings.read())))


@router.post("/settings", response_model=SettingsAnswer)
async def change_settings(served: Chosen, body: NewSettings) -> JsonAnswer:
    """Replaces what is sent and keeps the rest; answers with the settings after the change."""
    check_writable(served)

    def write(collection: Collection) -> dict[str, Any]:
        return dict(as_json(collection.settings.change(**body.plain())))

    return JsonAnswer(await served.write(write))
