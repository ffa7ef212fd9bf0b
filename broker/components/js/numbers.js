/**
 * Write a number with grouped thousands and `places` decimals, as `broker.domain.money.decimals` does.
 *
 * It rounds the shortest digits of the number: `toFixed` would round 1.005 down, and the first `Intl.NumberFormat`
 * takes a phone a tenth of a second to make. What is below a millionth is zero; right up to fifteen digits.
 */
export function formatDecimals(value, places) {
  const size = Math.abs(value);
  const [whole, part = ""] = String(size < 1e-6 ? 0 : size).split(".");
  const steps = Number(whole + part.padEnd(places, "0").slice(0, places)) + (part[places] > 4);
  const digits = String(steps).padStart(places + 1, "0");
  const end = digits.length - places;
  const sign = value < 0 && steps ? "-" : "";
  return sign + digits.slice(0, end).replace(/\B(?=(\d{3})+$)/g, ",") + (places ? "." + digits.slice(end) : "");
}
