import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { whenNear } from "../../../broker/components/js/scrolling.js";
import { fakePage } from "./fake_page.js";

test("an element that comes near is told once", () => {
  const watched = [];
  class IntersectionObserver {
    constructor(callback, options) { Object.assign(this, { callback, options, disconnect: mock.fn() }); }
    observe(element) { this.element = element; watched.push(this); }
  }
  fakePage({ document: { getElementById: (id) => id }, IntersectionObserver });
  const callback = mock.fn();
  whenNear("heading", callback);
  const [observer] = watched;
  assert.deepEqual([observer.element, observer.options], ["heading", { rootMargin: "100% 0%" }]);
  observer.callback([{ isIntersecting: false }], observer);
  assert.equal(callback.mock.callCount(), 0);
  observer.callback([{ isIntersecting: false }, { isIntersecting: true }], observer);
  assert.deepEqual([callback.mock.callCount(), observer.disconnect.mock.callCount()], [1, 1]);
});
