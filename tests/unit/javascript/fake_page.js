/** A page that is just enough for the scripts under test: globals with event listeners, set again for each test. */
export function fakePage(globals = {}) {
  const page = new EventTarget();
  const listen = (...listener) => page.addEventListener(...listener);
  const removeEventListener = (...listener) => page.removeEventListener(...listener);
  const dispatch = (type, properties) => {
    const event = new Event(type, { cancelable: true });
    for (const [name, value] of Object.entries(properties ?? {})) Object.defineProperty(event, name, { value });
    page.dispatchEvent(event);
    return event;
  };
  const attributes = {};
  const documentElement = { dataset: {}, setAttribute: (name, value) => { attributes[name] = value; } };
  const document = { cookie: "", referrer: "", documentElement, addEventListener: listen, querySelector: () => null };
  Object.assign(document, globals.document);
  const location = { pathname: "/", origin: "https://site.test", protocol: "https:", search: "", ...globals.location };
  const others = { HTMLElement: class {}, removeEventListener, ...globals, document, location, addEventListener: listen };
  for (const [name, value] of Object.entries(others))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  Object.defineProperty(globalThis, "window", { value: globalThis, configurable: true, writable: true });
  globalThis.self = globalThis;
  return { attributes, dispatch, document, location };
}

/** Let every promise that is ready run. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));
