/** The parts of a plan that depend on the day and on the server. */

const REST_MS = 400;

/** Return this month, counted from the year 0, as `broker.plans.months.month_number` does. */
export function monthNow() {
  const today = new Date();
  return today.getFullYear() * 12 + today.getMonth();
}

/** Do nothing until a month ends: nobody keeps a plan open for so long. */
export const untilNextMonth = () => () => undefined;

/** Ask once the figures have rested; return how to call it off, since another figure may come before. */
export function askAfterRest(key, answered, ask) {
  if (!key || key === answered) return undefined;
  const timer = setTimeout(ask, REST_MS);
  return () => clearTimeout(timer);
}
