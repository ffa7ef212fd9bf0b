"""The script that runs in the head of every exported page, before anything is painted (decisions 20 and 21).

It clears local storage, marks the root element when the cookie notice was closed, and closes the notice in the
browser: the form that would post to `routes.COOKIE_NOTICE` sets the same cookie itself, with no request. It also
marks the root element once a link was followed, so that only later pages come in with a transition, puts the focus on
the heading of the page that the link led to, tells a form the page before it, opens a question that a link names, and
keeps what is done to a field before the scripts of the page have started.
"""

from __future__ import annotations

from broker.routes import COOKIE_NOTICE
from broker.web.serving.cookie_notice import ACCEPTED, MARK, NAME, acceptance

MOVED = "data-moved"
"""Attribute of the root element once a link of ours was followed: pages after the first come in with a transition."""

HEAD_SCRIPT = (
    "(()=>{const d=document,h=d.documentElement,"
    f'mark=()=>h.setAttribute("{MARK}","{ACCEPTED}");'
    "try{localStorage.clear()}catch{}"
    f'if(d.cookie.split("; ").includes("{NAME}={ACCEPTED}"))mark();'
    # A form of ours that asks for it is told which page its visitor was on before (it is kept nowhere else).
    'let was=d.referrer.split(location.origin)[1]||"";'
    'd.addEventListener("submit",e=>{'
    "const from=e.target.came_from;if(from)from.value||=was;"
    f'if(e.target.getAttribute("action")!=="{COOKIE_NOTICE}")return;'
    "e.preventDefault();"
    f'd.cookie="{acceptance(secure=False)}"+(location.protocol==="https:"?"; Secure":"");'
    "mark()},true);"
    'addEventListener("click",e=>{'
    "const a=e.target.closest?.(\"a[href^='/']\");"
    "if(a){const at=location.pathname;if(a.pathname!==at)was=at;"
    f'h.setAttribute("{MOVED}","");a.hash||arrive(at,d.querySelector("main h1"),100)}}'
    "},true);"
    # A page reached by a link begins at its heading, for those who hear it too (decision 25): once it stands there.
    "const arrive=(from,old,more)=>setTimeout(()=>{const now=d.querySelector('main h1');"
    "if(location.pathname!==from&&now&&now!==old)now.focus({preventScroll:true});"
    "else if(more)arrive(from,old,more-1)},50);"
    # A question that a link names is opened: browsers differ in that.
    'addEventListener("load",()=>d.querySelector("details:target")?.setAttribute("open",""));'
    # What is done to a field before React takes it over would be set back: it is kept, and done again then. Reflex
    # sets `__reflex` once the page stands; what is done while React is still at it gets lost.
    "const early=new Map(),taken=()=>window.__reflex,"
    "ticked=t=>/^(checkbox|radio)$/.test(t.type),box=t=>t.tagName==='INPUT',"
    "redo=(v,t)=>{if(!taken())return;early.delete(t);if(ticked(t)){t.checked=!v;t.click();return}"
    "if(box(t)){t.value=v+' ';"
    "Object.getOwnPropertyDescriptor(HTMLInputElement.prototype,'value').set.call(t,v)}else t.value=v;"
    "t.dispatchEvent(new Event(box(t)?'input':'change',{bubbles:true}))},"
    "again=()=>{early.forEach(redo);if(early.size)setTimeout(again,50)};"
    "addEventListener('input',e=>{const t=e.target;"
    "if(!/^(INPUT|SELECT)$/.test(t.tagName)||taken())return;"
    "if(!early.size)setTimeout(again,50);early.set(t,ticked(t)?t.checked:t.value)},true)})()"
)
"""Plain JavaScript without `</` in it, so that it may stand inside a script element."""
