/** What a plan needs of the browser: the day, and a moment at which its figures rest. */

const PAUSE_MS = 400;

/** Return today as a number of eight digits, as `broker.lending.days.day_number` does, by the time of UTC. */
export const today = () => Number(new Date().toISOString().slice(0, 10).replaceAll("-", ""));

/** Ask once the figures have rested, where the answer on the page is to others; return how to give up before. */
export function askAtRest(wanted, answered, ask) {
  if (wanted === answered) return undefined;
  const timer = setTimeout(ask, PAUSE_MS);
  return () => clearTimeout(timer);
}
