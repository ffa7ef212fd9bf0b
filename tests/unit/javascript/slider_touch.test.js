import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { startSideways } from "../../../broker/components/js/slider_touch.js";
import { fakePage } from "./fake_page.js";

globalThis.PointerEvent = class extends Event {
  constructor(type, { clientX, clientY, pointerId }) { super(type); Object.assign(this, { clientX, clientY, pointerId }); }
};

const touch = (changes = {}) => {
  const page = fakePage();
  const slider = { dispatchEvent: mock.fn() };
  const nativeEvent = {
    pointerType: "touch", isTrusted: true, pointerId: 7, clientX: 100, clientY: 100,
    stopPropagation: mock.fn(), preventDefault: mock.fn(), ...changes,
  };
  startSideways({ nativeEvent, currentTarget: slider });
  const move = (type, across, along, pointerId = 7) =>
    page.dispatch(type, { clientX: 100 + across, clientY: 100 + along, pointerId });
  const given = () => slider.dispatchEvent.mock.calls.map(({ arguments: [event] }) => [event.type, event.clientX]);
  return { nativeEvent, move, given };
};

const MOVES = {
  "a scroll": [[["pointermove", 1, 9], ["pointercancel", 2, 30]], []],
  "a scroll that turns after the browser took it": [[["pointercancel", 2, 30], ["pointermove", 90, 30]], []],
  "a drag": [[["pointermove", 9, 2], ["pointermove", 30, 2], ["pointerup", 30, 2]], [["pointerdown", 100]]],
  "a tap": [[["pointerup", 3, 3]], [["pointerdown", 100]]],
  "a move down on a page that does not scroll": [[["pointermove", 2, 40], ["pointerup", 2, 40]], []],
  "another finger": [[["pointermove", 40, 0, 8], ["pointerup", 0, 0, 8]], []],
};

for (const [what, [moves, expected]] of Object.entries(MOVES)) {
  test(`${what} ${expected.length ? "reaches the slider, where it began" : "does not reach the slider"}`, () => {
    const { nativeEvent, move, given } = touch();
    assert.equal(nativeEvent.stopPropagation.mock.callCount(), 1);
    moves.forEach((each) => move(...each));
    assert.deepEqual(given(), expected);
  });
}

test("a mouse, and the event that the slider is given, pass", () => {
  for (const changes of [{ pointerType: "mouse" }, { isTrusted: false }]) {
    const { nativeEvent, move, given } = touch(changes);
    assert.equal(nativeEvent.stopPropagation.mock.callCount(), 0);
    move("pointerup", 0, 0);
    assert.deepEqual(given(), []);
  }
});
