/** What a plan needs of the browser: the day, and a moment at which its figures rest. */

const PAUSE_MS = 400;

/** Return this month, counted from the year 0, as `broker.lending.days.month_of` does. */
export function monthNow() {
  const today = new Date();
  return today.getFullYear() * 12 + today.getMonth();
}

/** Return today as a number of eight digits, as `broker.lending.days.day_number` does, by the time of UTC. */
export const today = () => Number(new Date().toISOString().slice(0, 10).replaceAll("-", ""));

/** Ask once the figures have rested, unless the answer on the page is theirs; return how to cancel that. */
export function askAtRest(wanted, answered, ask) {
  if (!wanted || wanted === answered) return undefined;
  const timer = setTimeout(ask, PAUSE_MS);
  return () => clearTimeout(timer);
}
