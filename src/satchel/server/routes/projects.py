"""Routes of projects: save, open, new documents, export and import."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import Query
from starlette.responses import Response

from satchel.collection import Collection, Request, as_json
from satchel.query import MOST_HITS
from satchel.server.answers import MANY_PROJECTS, JsonAnswer, Names, ProjectAnswer, SearchAnswer
from satchel.server.bodies import Name, NewProject, ProjectName, ProjectsFile, Search
from satchel.server.routes import Chosen, collection_routes
from satchel.server.searchers import answer_of

router = collection_routes("projects")
OneName = Annotated[Name, Query()]


@router.get("/projects", response_model=MANY_PROJECTS)
async def projects(served: Chosen) -> JsonAnswer:
    """All projects by name."""
    found = await served.read(lambda collection: collection.projects.values())
    return JsonAnswer(as_json(found))


@router.post("/projects", response_model=ProjectAnswer)
async def save_project(served: Chosen, body: NewProject) -> JsonAnswer:
    """Saves a query and its marks under a name; an existing project of that name is changed."""

    def write(collection: Collection) -> dict[str, Any]:
        return dict(as_json(collection.projects.save(**body.plain())))

    return JsonAnswer(await served.write(write))


@router.get("/projects/one", response_model=ProjectAnswer)
async def project(served: Chosen, name: OneName) -> JsonAnswer:
    """One project with its marks."""
    return JsonAnswer(await served.read(lambda collection: as_json(collection.projects[name])))


@router.delete("/projects/one", response_model=Names)
async def remove_project(served: Chosen, name: OneName) -> JsonAnswer:
    """Removes a project and its marks."""
    await served.write(lambda collection: collection.projects.remove(name))
    return JsonAnswer({"names": [name]})


@router.get("/projects/new", response_model=SearchAnswer)
async def new_for_project(
    served: Chosen, name: OneName, k: Annotated[int, Query(ge=1, le=MOST_HITS)] = Request.k
) -> JsonAnswer:
    """Unmarked documents that were added or changed since the project was last seen, ranked."""
    body = Search.model_validate({"project": name, "k": k, "only_new": True})
    return JsonAnswer(await served.read(lambda collection: answer_of(collection, body)))


@router.post("/projects/seen", response_model=Names)
async def seen(served: Chosen, body: ProjectName) -> JsonAnswer:
    """Marks all present documents as seen for this project."""
    await served.write(lambda collection: collection.projects.seen(body.name))
    return JsonAnswer({"names": [body.name]})


@router.get("/projects/export", responses={200: {"content": {"application/json": {"schema": {"type": "object"}}}}})
async def export_projects(served: Chosen) -> Response:
    """All projects with their marks and the texts of marked documents, for another collection."""

    def write(collection: Collection) -> bytes:
        return json.dumps(collection.projects.exported(), ensure_ascii=False, indent=1).encode("utf-8", "replace")

    name = {"Content-Disposition": 'attachment; filename="projects.json"'}
    return Response(await served.read(write), media_type="application/json", headers=name)


@router.post("/projects/import", response_model=Names)
async def import_projects(served: Chosen, body: ProjectsFile) -> JsonAnswer:
    """Imports exported projects; if a project of that name exists, it keeps the marks of both."""

    def write(collection: Collection) -> list[str]:
        return collection.projects.take_in(body.plain())

    return JsonAnswer({"names": await served.write(write)})
