/** Pixels that a finger may move and still have tapped. */
const TAP = 8;

/**
 * Keep a touch from a slider until it has moved sideways or was a tap; a finger that scrolls the page sets nothing.
 *
 * A handler of `pointerdown` in the capture phase: Chakra's slider takes the value under a finger as it comes down. It
 * gets the same event once it may have it.
 */
export function startSideways({ nativeEvent: touch, currentTarget: slider }) {
  if (touch.pointerType !== "touch" || !touch.isTrusted) return;
  touch.stopPropagation();
  touch.preventDefault();
  const over = new AbortController();
  const follow = ({ type, pointerId, clientX, clientY }) => {
    if (pointerId !== touch.pointerId) return;
    const [across, along] = [Math.abs(clientX - touch.clientX), Math.abs(clientY - touch.clientY)];
    const isTap = type === "pointerup" && Math.max(across, along) <= TAP;
    const isSideways = type === "pointermove" && across > along;
    if (type === "pointermove" && !isSideways) return;
    over.abort();
    if (isTap || isSideways) slider.dispatchEvent(new PointerEvent("pointerdown", touch));
  };
  for (const type of ["pointermove", "pointerup", "pointercancel"])
    window.addEventListener(type, follow, { capture: true, signal: over.signal });
}
