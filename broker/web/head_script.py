"""The script that runs in the head of every exported page, before anything is painted (decisions 20 and 21).

It clears local storage, marks the root element when the cookie notice was closed, and closes the notice in the
browser: the form that would post to `routes.COOKIE_NOTICE` sets the same cookie itself, with no request. It also
marks the root element once a link was followed, so that only later pages come in with a transition, and keeps what is
typed into a box before the scripts of the page have started.
"""

from __future__ import annotations

from broker.routes import COOKIE_NOTICE
from broker.web.cookie_notice import ACCEPTED, MARK, NAME, acceptance

MOVED = "data-moved"
"""Attribute of the root element once a link of ours was followed: pages after the first come in with a transition."""

HEAD_SCRIPT = (
    "(()=>{const d=document,h=d.documentElement,"
    f'mark=()=>h.setAttribute("{MARK}","{ACCEPTED}");'
    "try{localStorage.clear()}catch{}"
    f'if(d.cookie.split("; ").includes("{NAME}={ACCEPTED}"))mark();'
    'd.addEventListener("submit",e=>{'
    f'if(e.target.getAttribute("action")!=="{COOKIE_NOTICE}")return;'
    "e.preventDefault();"
    f'd.cookie="{acceptance(secure=False)}"+(location.protocol==="https:"?"; Secure":"");'
    "mark()},true);"
    'addEventListener("click",e=>{'
    f"""if(e.target.closest?.("a[href^='/']"))h.setAttribute("{MOVED}","")"""
    "},true);"
    # What is typed before React takes a box over would be set back: it is kept, and typed again once React is there.
    "const early=new Map(),taken=t=>Object.keys(t).some(k=>k.startsWith('__reactProps')),"
    "again=()=>{early.forEach((v,t)=>{if(!taken(t))return;early.delete(t);t.value='';"
    "Object.getOwnPropertyDescriptor(HTMLInputElement.prototype,'value').set.call(t,v);"
    "t.dispatchEvent(new Event('input',{bubbles:true}))});if(early.size)setTimeout(again,50)};"
    "addEventListener('input',e=>{const t=e.target;"
    "if(!(t instanceof HTMLInputElement)||!['text','tel','email','search'].includes(t.type)||taken(t))return;"
    "if(!early.size)setTimeout(again,50);early.set(t,t.value)},true)})()"
)
"""Plain JavaScript without `</` in it, so that it may stand inside a script element."""
