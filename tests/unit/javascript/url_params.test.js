import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { dropParameter, putParameter } from "../../../broker/components/js/url_params.js";
import { fakePage } from "./fake_page.js";

const KEEP_PLACE = { replace: true, preventScrollReset: true };
const at = (search, { usr, event } = {}) =>
  fakePage({ location: { search }, history: { state: usr && { usr } }, event });
const navigated = (change, ...parameters) => {
  const navigate = mock.fn();
  change(navigate, ...parameters);
  return navigate.mock.calls.map((call) => call.arguments);
};

test("a parameter is added as a step, beside the others", () => {
  at("?price=1");
  const expected = [{ search: "price=1&deal=a+b" }, { preventScrollReset: true, state: { put: true } }];
  assert.deepEqual(navigated(putParameter, "deal", "a b"), [expected]);
});

test("a parameter that is there already adds no step", () => {
  at("?deal=a", { usr: { put: true } });
  assert.deepEqual(navigated(putParameter, "deal", "a"), [[{ search: "deal=a" }, { ...KEEP_PLACE, state: { put: true } }]]);
});

test("a parameter that was put is dropped by going back, once", () => {
  const page = at("?deal=a", { usr: { put: true } });
  assert.deepEqual(navigated(dropParameter, "deal"), [[-1]]);
  assert.deepEqual(navigated(dropParameter, "deal"), []);
  page.dispatch("popstate");
  assert.deepEqual(navigated(dropParameter, "deal"), [[-1]]);
});

test("a parameter that came with a link is dropped in place", () => {
  at("?price=1&deal=a");
  assert.deepEqual(navigated(dropParameter, "deal"), [[{ search: "price=1" }, KEEP_PLACE]]);
});

test("nothing is dropped without the parameter, or by the second click of a double click", () => {
  at("?price=1");
  assert.deepEqual(navigated(dropParameter, "deal"), []);
  at("?deal=a", { event: { detail: 2 } });
  assert.deepEqual(navigated(dropParameter, "deal"), []);
});
