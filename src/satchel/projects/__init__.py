"""Projects with their marks, and the progress of a screening."""

from satchel.projects.files import import_projects, projects_as_json, read_file
from satchel.projects.marks import Mark, kept_marks, looked_up, mark_documents, plain_query, undo_step
from satchel.projects.project import (
    Project,
    Screening,
    catch_up,
    read_project,
    read_projects,
    remove_project,
    save_project,
    screening,
)

__all__ = [
    "Mark",
    "Project",
    "Screening",
    "catch_up",
    "import_projects",
    "kept_marks",
    "looked_up",
    "mark_documents",
    "plain_query",
    "projects_as_json",
    "read_file",
    "read_project",
    "read_projects",
    "remove_project",
    "save_project",
    "screening",
    "undo_step",
]
