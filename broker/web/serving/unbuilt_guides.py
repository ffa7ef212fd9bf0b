"""Guides published since the build, rendered from templates of the export as plain HTML without scripts.

A guide that could not be read is answered with 503, never with 404: it may exist.
"""

import asyncio
from dataclasses import replace
from functools import partial

from markupsafe import Markup
from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.domain.guides import GuideCategory
from broker.presenters.guide_page import GuidePage, guide_page_view
from broker.presenters.guides import main_category
from broker.services.unbuilt_guides import GuideAwayError, UnbuiltGuides
from broker.web.inline_script import inline_script
from broker.web.serving.exported_site import Export, hashed_file
from broker.web.serving.file_answers import file_answer
from broker.web.serving.releases import LiveExport
from broker.web.serving.rendered_pages import rendered_file
from broker.web.serving.response import Answer, Handler
from broker.web.templating import OWN_TEMPLATES, Templates

RETRY_SECONDS = 5
"""Seconds after which the page of a failure is asked for again (specification 4)."""

RETRY_SCRIPT = inline_script("retry", "retryLater", delay=RETRY_SECONDS * 1_000)


def unbuilt_guide_handler(guides: UnbuiltGuides, live: LiveExport) -> Handler:
    """Return the handler of paths below `/mortgage-guides/` that the export does not have; None where no guide is."""

    async def answer(scope: Scope) -> Answer | None:
        path, request, export = scope["path"], Headers(scope=scope), live.export
        if routes.permanent(path):
            return None
        slug = routes.guide_slug(path)
        try:
            found = await guides.find(slug)
        except GuideAwayError as error:
            return _unavailable(export, slug, problem=str(error), request=request)
        if found is None or routes.edge_template(category := main_category(found.guide)) not in export.templates:
            return None
        if not path.endswith("/"):
            return Answer(status=308, headers={"location": routes.guide(slug), "cache-control": "no-cache"})
        # Rendering and compressing take milliseconds, for which other requests do not wait.
        view = guide_page_view(found.guide, banner=found.banner)
        html = partial(render_guide, export.templates, view, category=category)
        file = await asyncio.to_thread(lambda: rendered_file(html(), request, site_url=export.site_url))
        return file_answer(file, request)

    return answer


def guide_picture_handler(guides: UnbuiltGuides) -> Handler:
    """Return the handler of `/guide-pictures/{slug}/{name}`; None for a name that is none of the guide's files."""

    async def answer(scope: Scope) -> Answer | None:
        slug, _, name = scope["path"].removeprefix(routes.GUIDE_PICTURES).partition("/")
        try:
            found = await guides.find(slug)
        except GuideAwayError:
            return Answer(status=503, headers={"retry-after": str(RETRY_SECONDS), "cache-control": "no-store"})
        data = found.files.get(name) if found else None
        return file_answer(hashed_file(name, data), Headers(scope=scope)) if data is not None else None

    return answer


def render_guide(templates: Templates, guide: GuidePage, *, category: GuideCategory) -> str:
    return templates.render(routes.edge_template(category), {"guide": guide, "slug": guide.slug})


def render_failure(templates: Templates, slug: str, *, problem: str) -> str:
    """Return the page that says why a guide could not be read, and asks for it again."""
    script = Markup(OWN_TEMPLATES.render("retry_page.html", {"script": Markup(RETRY_SCRIPT)}))
    return templates.render(routes.edge_template("away"), {"slug": slug, "problem": problem, "retry_script": script})


def _unavailable(export: Export, slug: str, *, problem: str, request: Headers) -> Answer | None:
    if routes.edge_template("away") not in export.templates:
        return None
    html = render_failure(export.templates, slug, problem=problem)
    answer = file_answer(rendered_file(html, request, site_url=export.site_url), request, status=503)
    more = {"retry-after": str(RETRY_SECONDS), "cache-control": "no-store"}
    return replace(answer, headers={**answer.headers, **more})
