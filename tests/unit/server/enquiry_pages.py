"""A small export with the templates of the forms, and forms that are posted to it."""

from collections.abc import Sequence
from pathlib import Path

from starlette.datastructures import FormData, Headers

from broker import routes
from broker.server.forms.posts import Sender
from broker.server.paths import template_file
from broker.server.releases import LiveExport
from broker.server.response import Answer
from tests.unit.enquiries.enquiring import ADDRESS, FORM
from tests.unit.server.site import SITE, put_release

HOSTILE = '"><script>alert(1)</script>'
PROBLEMS = "{% for each in problems %}{{ each.reason }} <u>problem</u>{{ each.anchor }}{% endfor %}"
FACTS = "{% for each in LIST %}{{ each.label }}: {{ each.words }} {% endfor %}"
FIELDS = "<i>{{ name }}</i><i>{{ telephone }}</i><i>{{ email }}</i><i>{{ message }}</i><i>{{ came_from }}</i>"
QUESTION = """{% for field in fields %}{{ field.name }}={{ field.value }} <u>error</u>{{ field.error }}
{% for option in field.options %}<b{% if option.checked %} checked="true"{% endif %}>{{ option.value }}</b>{% endfor %}
{% endfor %}
{{ title }} {{ progress }} <i>{{ back }}</i> <a>{{ go_on }}</a> {{ found.basis }} {{ found.message }}
{% for row in answers %}<u>answer</u>{{ row.label }}: {{ row.words }} {{ row.href }}{% endfor %}
{% if found.deals %}{% for deal in found.deals.deals %}<u>deal</u>{% endfor %}{% endif %}"""
VERSION = "2026-11-21"
WORDING = f'<input type="hidden" name="text_version" value="{VERSION}">'
TEMPLATES = {
    "contact": f'{WORDING}{PROBLEMS}{FIELDS}<b{{% if kind_contact %}} checked="true"{{% endif %}}></b>'
    "<s>{{ result_address }}</s><s>{{ result_words }}</s><s>{{ not_attached }}</s>",
    "check": PROBLEMS
    + FIELDS
    + "{% for each in answers %}<u>answer</u>{{ each.label }}: {{ each.words }} {{ each.href }}{% endfor %}",
    "unsent": "{{ reason }} {{ go_on }} {{ href }}",
    "question": f"{PROBLEMS}{{{{ question }}}} {{{{ action }}}} {{{{ step }}}} {QUESTION}",
    "thank-you": "{{ next_call }}{% if email %}<u>mail</u>{{ email }}{% endif %}"
    + "{% if reference %}{{ reference }}"
    + FACTS.replace("LIST", "sent")
    + "{% endif %}",
    "your-enquiry": "{{ heading }}"
    + PROBLEMS
    + "{% if is_deleted %}<u>deleted</u>{% endif %}{% if is_asked %}<u>asked</u>{% endif %}"
    + "{% if is_kept %}<u>kept</u>{% endif %}{% if advice_until %}until {{ advice_until }}{% endif %}"
    + "{% if is_found %}"
    + FACTS.replace("LIST", "sent")
    + "{% endif %}{% if is_searched %}<u>searched</u>{{ reference }}{% endif %}",
}


def live_export(folder: Path, *, pages: Sequence[str] = ()) -> LiveExport:
    """Return an export of the templates, and of pages by their paths without slashes."""
    exported = {f"{page}/index.html": "<html><body>exported</body></html>" for page in pages}
    templates = {
        template_file(routes.edge_template(name)): f"<html><body>{html}</body></html>"
        for name, html in TEMPLATES.items()
    }
    put_release(folder, **templates, **exported)
    export = LiveExport(folder, SITE)
    export.open()
    return export


def form(**fields: object) -> FormData:
    values = {**FORM, "text_version": VERSION, **fields}
    pairs = [(name, each) for name, value in values.items() for each in (value if isinstance(value, list) else [value])]
    return FormData([(name, str(value)) for name, value in pairs])


def sender(cookie: str = "", address: str = ADDRESS) -> Sender:
    return Sender(address=address, headers=Headers({"cookie": cookie, "accept-encoding": "identity"}))


def text(answer: Answer) -> str:
    return answer.body.decode()
