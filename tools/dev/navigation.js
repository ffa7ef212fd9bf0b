// In `make dev` only the pages that were looked at are compiled: any other is loaded from the server, which compiles it.
{
  const compiled = new Set(JSON.parse(document.currentScript.dataset.pages));
  for (const name of ["pushState", "replaceState"]) {
    const original = history[name];
    history[name] = function (state, title, url) {
      const target = new URL(url ?? location.href, location.href);
      if (target.pathname === location.pathname || compiled.has(target.pathname)) original.call(this, state, title, url);
      else location.assign(target);
    };
  }
}
