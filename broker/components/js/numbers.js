/**
 * Write a number with grouped thousands and `places` decimals, as `broker.lending.money.decimals` does.
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

/** Write a number without decimals if it is whole, else with two, as `broker.lending.money.exact` does. */
export const formatExact = (value) => formatDecimals(value, Math.floor(value * 100 + 0.5) % 100 ? 2 : 0);

/** Return a written number with a pound sign, after the minus of a negative one, as `broker.lending.money.in_pounds` does. */
export const inPounds = (number) => (number.startsWith("-") ? `-£${number.slice(1)}` : `£${number}`);

/** Return an amount in pounds as it is shown to the penny, as `broker.lending.arithmetic.to_pennies` does. */
export const toPennies = (value) => Number(formatDecimals(value, 2).replaceAll(",", ""));

/** The characters that the word SPACES of a pattern means, as `broker.lending.arithmetic.SPACES`. */
const SPACES = "\\t-\\r \\u00a0\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff";
const withSpaces = (pattern) => pattern.replaceAll("SPACES", SPACES);

/** Return a text with its full-width characters in ASCII, as `broker.lending.arithmetic.half_width` does. */
const halfWidth = (text) =>
  text.replace(/[\uff01-\uff5e]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0xfee0)).replaceAll("\uffe1", "£");

/** Return whether the whole text matches a pattern, as `broker.lending.arithmetic.matches` does. */
export const matchesWhole = (text, pattern) => new RegExp(`^(?:${withSpaces(pattern)})$`).test(halfWidth(text));

/** Return a text without ignored characters. */
const without = (text, ignored) => halfWidth(text).replace(new RegExp(`[${withSpaces(ignored)}]`, "g"), "");

/** Parse the number in a text without ignored characters, as `broker.lending.arithmetic.number_in` does. */
export const numberIn = (text, ignored) => Number(without(text, ignored));

/** The first amount that is refused, as `broker.lending.money.MAX_POUNDS`. */
const MAX_POUNDS = 1e10;

/** The power of ten of each suffix of an amount, and the decimal places that it allows, as in `broker.lending.money`. */
const SCALES = { "": [0, 2], k: [3, 3], m: [6, 6] };

/** Parse a typed amount in pounds, NaN for none, as `broker.lending.money.amount_in` does. */
export function amountIn(text) {
  const found = /^£*(?:(?=\.?[0-9])([0-9,]*)(?:\.([0-9]*))?([kKmM]?))?$/.exec(without(text, "SPACES"));
  if (!found) return NaN;
  const [whole, fraction, suffix] = found.slice(1).map((part) => part ?? "");
  const [power, places] = SCALES[suffix.toLowerCase()];
  if (/,[0-9]{1,2}$/.test(whole) || fraction.length > places) return NaN;
  return Number(`${whole.replaceAll(",", "") || 0}.${fraction}e${power}`);
}

/** Return a typed amount in whole pounds as digits, as `broker.rates.search_params` does; null for none. */
export function wholePounds(text) {
  const pounds = Math.floor(amountIn(text) + 0.5);
  return pounds < MAX_POUNDS && /[0-9]/.test(halfWidth(text)) ? String(pounds) : null;
}

/** Return a typed whole number as digits; null for any other text. */
export function wholeNumber(text) {
  const found = /^([0-9]+)(?:\.0{0,2})?$/.exec(without(text, "SPACES"));
  return found && found[1].replace(/^0+(?=\d)/, "");
}

/** Characters that are read of a typed number, as `broker.lending.money.MAX_TEXT_LENGTH`; the rest is cut. */
export const MAX_TEXT_LENGTH = 40;

/** Return a text with noughts for the digits that its last group still waits for: `250,0` as `250,000`. */
export const withWholeGroup = (text) => text.replace(/,\d{1,2}$/, (last) => last.padEnd(4, "0"));

/**
 * Return the changes that a text in a calculator's field makes; a wrong text leaves the number, a tidy one is written out.
 *
 * A field has its number under its name, and its text and error under `nameText` and `nameProblem`. Each of `fields` has
 * three functions: from a text its error and its number, and from a number its text. A text that is being typed
 * (`isTidy` is false) has no error while its last group of digits is short.
 */
export function readField(fields, values, name, typed, isTidy) {
  const text = typed.slice(0, MAX_TEXT_LENGTH);
  const [problemOf, numberOf, textOf] = fields[name];
  const problem = problemOf(text);
  const number = problem ? values[name] : numberOf(text);
  const shown = problem && !isTidy && !problemOf(withWholeGroup(text)) ? "" : problem;
  return { [name]: number, [`${name}Text`]: isTidy && !problem ? textOf(number) : text, [`${name}Problem`]: shown };
}

/** Return the values of a calculator with the text of each field tidied, as on leaving it. */
export const tidyFields = (fields, values) =>
  Object.keys(fields).reduce((all, name) => ({ ...all, ...readField(fields, all, name, all[`${name}Text`], true) }), values);
