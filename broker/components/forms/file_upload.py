"""Files that a page sends: chosen, dropped or pasted, all by the same few lines of script, written here alone.

They are expressions of the page's own script: the content security policy lets nothing else run. An element within
which files may come carries `places`; where a file is meant for, its `data-to` and what else the form is to say.
"""

from __future__ import annotations

from typing import Any

import reflex as rx
from reflex.event import EventHandler
from reflex.vars import VarData
from reflex_base.event import EventChain

_GIVE = """(e) => {
  const given = e.dataTransfer ?? e.clipboardData ?? e.target, files = [...(given.files ?? [])];
  const place = e.target.closest('[data-to]');
  if (e.type === 'change' ? !files.length : e.type === 'paste' && !place) return;
  e.preventDefault();
  if (e.type === 'change') e.target.value = '';
  place?.removeAttribute('data-over');
  const {to, most, lender = '', number = ''} = place?.dataset ?? {}, file = files[0];
  const tell = (problem, text = '') => (DONE)(lender, file?.name ?? '', problem, text);
  if (!place) return tell('nowhere');
  if (files.length !== 1) return tell(file ? 'several' : 'nothing');
  if (file.size > Number(most)) return tell('too-large');
  const form = new FormData();
  Object.entries({lender, number, file}).forEach(([name, value]) => form.append(name, value));
  (BEGUN)(lender, file.name);
  fetch(to, {method: 'POST', body: form})
    .then(async answer => [answer.ok ? '' : 'refused', await answer.text()])
    .catch(() => ['lost', '']).then(said => tell(...said));
}"""
"""Sends the one file of an event to where the place is for that it came to, and tells what came of it."""

_OVER = """(e) => {
  if (!e.dataTransfer.types.includes('Files')) return;
  e.preventDefault();
  e.target.closest('[data-to]')?.toggleAttribute('data-over', e.type === 'dragover');
}"""
"""Lets files be dropped, and marks the place that they would be for; without it the browser leaves the page."""


def places(*, begun: EventHandler | Any, done: EventHandler | Any) -> dict[str, rx.Var]:
    """Return the attributes of an element within which files may be chosen, dropped or pasted.

    `begun` is told the lender and the file's name before it is sent; `done` those, why there is no proper answer, and
    the text that was answered.
    """
    start = rx.Var.create(EventChain.create(begun, args_spec=lambda lender, name: [lender, name]))
    end = rx.Var.create(
        EventChain.create(done, args_spec=lambda lender, name, problem, text: [lender, name, problem, text])
    )
    used = VarData.merge(start._get_all_var_data(), end._get_all_var_data())
    script = _GIVE.replace("DONE", str(end)).replace("BEGUN", str(start))
    give = rx.Var(f"({script})", _var_data=used)
    over = rx.Var(f"({_OVER})")
    return {"onChange": give, "onDrop": give, "onPaste": give, "onDragOver": over, "onDragLeave": over}


def place(to: str, *, most: int, lender: Any = None, number: Any = None) -> dict[str, Any]:
    """Return the attributes of an element that files are for: where they go, their most bytes, and for which lender.

    `number` is the version of its logo that was seen.
    """
    named = {"data-lender": lender, "data-number": number} if lender is not None else {}
    return {"data-to": to, "data-most": str(most), **named}


def file_button(label: Any, *more: Any, accept: str, look: str = "line s", **attributes: Any) -> rx.Component:
    """Draw a button that opens the choice of a file, by keyboard too: a label round the field itself."""
    field = rx.el.input(type="file", accept=accept, class_name="vh", **attributes)
    return rx.el.label(label, *more, field, class_name=f"btn file {look}".strip())
