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

/** Write a number without decimals if it is whole, else with two, as `broker.domain.money.exact` does. */
export const formatExact = (value) => formatDecimals(value, Math.floor(value * 100 + 0.5) % 100 ? 2 : 0);

/** Return an amount in pounds as it is shown to the penny, as `broker.domain.arithmetic.to_pennies` does. */
export const toPennies = (value) => Number(formatDecimals(value, 2).replaceAll(",", ""));

/** What the word SPACES stands for in a pattern, as `broker.domain.arithmetic.SPACES`. */
const SPACES = "\\t-\\r \\u00a0\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff";
const withSpaces = (pattern) => pattern.replaceAll("SPACES", SPACES);

/** Return whether the whole text matches a pattern, as `broker.domain.arithmetic.matches` does. */
export const matchesWhole = (text, pattern) => new RegExp(`^(?:${withSpaces(pattern)})$`).test(text);

/** Parse the number in a text without ignored characters, as `broker.domain.arithmetic.number_in` does. */
export const numberIn = (text, ignored) => Number(text.replace(new RegExp(`[${withSpaces(ignored)}]`, "g"), ""));

/** Characters that are read of a typed number, as `broker.domain.money.MAX_TEXT_LENGTH`; the rest is cut. */
export const MAX_TEXT_LENGTH = 40;

/**
 * Return the changes that a text in a calculator's field makes; a wrong text leaves the number, a tidy one is written out.
 *
 * A field has its number under its name, and its text and error under `nameText` and `nameProblem`. Each of `fields` has
 * three functions: from a text its error and its number, and from a number its text.
 */
export function readField(fields, values, name, typed, isTidy) {
  const text = typed.slice(0, MAX_TEXT_LENGTH);
  const [problemOf, numberOf, textOf] = fields[name];
  const problem = problemOf(text);
  const number = problem ? values[name] : numberOf(text);
  return { [name]: number, [`${name}Text`]: isTidy && !problem ? textOf(number) : text, [`${name}Problem`]: problem };
}
