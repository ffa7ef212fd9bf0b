import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { markDropPlace, sendFiles, watchPaste } from "../../../broker/components/js/file_upload.js";
import { fakePage } from "./fake_page.js";

const FILE = Object.assign(new Blob(["12345"]), { name: "logo.png" });
const PLACE = { dataset: { to: "/send", most: "10", lender: "halifax", number: "3" }, removeAttribute: () => {} };

const send = async (files, { type = "drop", place = PLACE, answer = async () => ({ ok: true, text: async () => "ok" }) } = {}) => {
  fakePage({ fetch: mock.fn(answer) });
  const [onStart, onEnd] = [mock.fn(), mock.fn()];
  const target = { files, value: "path", closest: () => place };
  const source = { change: "target", drop: "dataTransfer", paste: "clipboardData" }[type];
  const event = { type, target, preventDefault: mock.fn(), ...(source === "target" ? {} : { [source]: { files } }) };
  await sendFiles(event, onStart, onEnd);
  const calls = [onStart, onEnd].map((each) => each.mock.calls.map((call) => call.arguments));
  return { begun: calls[0], ended: calls[1], isHandled: event.preventDefault.mock.callCount() > 0, target };
};

test("one file is sent to its place with what the form says, whichever way it came", async () => {
  for (const type of ["change", "drop", "paste"]) {
    const { begun, ended } = await send([FILE], { type });
    assert.deepEqual([begun, ended], [[["halifax", "logo.png"]], [["halifax", "logo.png", "", "ok"]]]);
    const [address, { method, body }] = fetch.mock.calls[0].arguments;
    assert.deepEqual([address, method, [...body.keys()]], ["/send", "POST", ["lender", "number", "file"]]);
  }
});

test("a file that cannot be sent is told why", async () => {
  const refused = async () => ({ ok: false, text: async () => "bad" });
  const cases = [
    [[FILE], { place: null }, ["", "logo.png", "nowhere", ""]],
    [[FILE, FILE], {}, ["halifax", "logo.png", "several", ""]],
    [[], {}, ["halifax", "", "nothing", ""]],
    [[Object.assign(new Blob(["x".repeat(11)]), { name: "big.png" })], {}, ["halifax", "big.png", "too-large", ""]],
    [[FILE], { answer: refused }, ["halifax", "logo.png", "refused", "bad"]],
    [[FILE], { answer: () => Promise.reject(new Error("away")) }, ["halifax", "logo.png", "lost", ""]],
  ];
  for (const [files, options, expected] of cases) assert.deepEqual((await send(files, options)).ended, [expected]);
});

test("several files without a lender are sent one after the other", async () => {
  const place = { dataset: { to: "/many", most: "10" }, removeAttribute: () => {} };
  const other = Object.assign(new Blob(["x".repeat(11)]), { name: "big.png" });
  const { begun, ended } = await send([FILE, other, FILE], { place });
  assert.deepEqual(begun, [["", "logo.png"], ["", "logo.png"]]);
  assert.deepEqual(ended.map((each) => each.slice(1, 3)), [["logo.png", ""], ["big.png", "too-large"], ["logo.png", ""]]);
});

test("a picture pasted outside any place goes to the chosen lender, and without one is told why", async () => {
  const ended = [];
  let chosen = PLACE;
  fakePage({ fetch: async () => ({ ok: true, text: async () => "ok" }) });
  globalThis.document.querySelector = (wanted) => (wanted === "[data-paste]" ? chosen : {});
  let listener;
  globalThis.document.addEventListener = (_, given) => { listener = given; };
  watchPaste(() => {}, (...result) => ended.push(result));
  const event = { clipboardData: { files: [FILE] }, preventDefault: () => {} };
  await listener(event);
  chosen = null;
  await listener(event);
  await listener({ ...event, clipboardData: { files: [] } });
  assert.deepEqual(ended, [["halifax", "logo.png", "", "ok"], ["", "logo.png", "nowhere", ""]]);
});

test("a choice of nothing and a paste elsewhere are left to the browser; a choice can be made again", async () => {
  assert.equal((await send([], { type: "change" })).isHandled, false);
  assert.equal((await send([FILE], { type: "paste", place: null })).isHandled, false);
  assert.equal((await send([FILE], { type: "change" })).target.value, "");
});

test("files that are dragged over a place mark it; anything else is left to the browser", () => {
  const place = { toggleAttribute: mock.fn() };
  const over = (type, types) => {
    const event = { type, dataTransfer: { types }, target: { closest: () => place }, preventDefault: mock.fn() };
    markDropPlace(event);
    return event.preventDefault.mock.callCount();
  };
  assert.deepEqual([over("dragover", ["Files"]), over("dragleave", ["Files"]), over("dragover", ["text/plain"])], [1, 1, 0]);
  const marks = place.toggleAttribute.mock.calls.map((call) => call.arguments);
  assert.deepEqual(marks, [["data-over", true], ["data-over", false]]);
});
