/** The search of this site, as `broker.domain.site_search` does it, over the files of `search_index_files`. */

let loading = null;

/** Load the tables of words, once; resolves to `{failed: true}` where they cannot be had, and the next call retries. */
export function loadTables(address) {
  return (loading ??= fetch(address)
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
    .catch(() => {
      loading = null;
      return { failed: true };
    }));
}

const wordsOf = (text) =>
  text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replace(/['’]/g, "")
    .replace(/([0-9]),(?=[0-9])/g, "$1").match(/[a-z0-9]+/g) ?? [];

const compare = (one, other) => one.map((each, at) => each - other[at]).find((each) => each) ?? 0;

/**
 * Return the function that searches `entries`, a list of `[kind, [[title, href], ...]]`, by the `rules` of the domain.
 *
 * It takes a query and the tables, and returns `{total, whole, hits}`: `whole` says that every hit has all the words.
 */
export function siteSearcher(entries, rules) {
  const stopWords = new Set(rules.stopWords);
  const places = entries.flatMap(([kind, listed], rank) => listed.map(([title, href]) => ({ kind, rank, title, href })));

  const singular = (word) => {
    const plural = word.length >= rules.minPluralLength && rules.plurals.find(([ending]) => word.endsWith(ending));
    return plural ? word.slice(0, -plural[0].length) + plural[1] : word;
  };
  const termsOf = (query) => {
    const words = wordsOf([...query].slice(0, rules.maxQueryLength).join(""));
    const wanted = [...new Set(words.filter((word) => !stopWords.has(word)))];
    return (wanted.length ? wanted : words.slice(-1)).map((typed, at, all) =>
      ({ typed, whole: singular(typed), isLast: at === all.length - 1 }));
  };
  const fit = (word, { typed, whole, isLast }) =>
    word === whole ? rules.wholeWord : Number(isLast && (word.startsWith(typed) || word.startsWith(whole)));

  const isMarked = (text, terms) => wordsOf(text).some((word) => terms.some((term) => fit(singular(word), term)));
  const piecesOf = (title, terms) => title.split(/([A-Za-z0-9\u00c0-\u024f]+)/)
    .map((text, at) => ({ text, marked: at % 2 === 1 && isMarked(text, terms) }))
    .filter(({ text }) => text);

  /** Return the best score of each place for a term: the codes of a word are distances between places, with weights. */
  const scoresOf = (term, words) => {
    const best = new Map();
    for (const [word, codes] of Object.entries(words)) {
      const factor = fit(word, term);
      if (!factor) continue;
      let place = 0;
      for (const code of codes) {
        place += Math.floor(code / rules.step);
        best.set(place, Math.max(best.get(place) ?? 0, (code % rules.step) * factor));
      }
    }
    return best;
  };

  return (query, { words = {}, about = [] }) => {
    const terms = termsOf(query);
    const [counts, scores] = [new Map(), new Map()];
    for (const term of terms) {
      scoresOf(term, words).forEach((score, place) => {
        counts.set(place, (counts.get(place) ?? 0) + 1);
        scores.set(place, (scores.get(place) ?? 0) + score);
      });
    }
    const most = Math.max(0, ...counts.values());
    const order = (place) => [-scores.get(place), places[place].rank, wordsOf(places[place].title).length, place];
    const found = [...counts.keys()].filter((place) => counts.get(place) === most)
      .map(order).sort(compare).map((each) => each.at(-1));
    const hit = (place) => ({ ...places[place], description: about[place], pieces: piecesOf(places[place].title, terms) });
    return { total: found.length, whole: most === terms.length, hits: found.slice(0, rules.maxShown).map(hit) };
  };
}

/** Show what is searched for in the address without a step of the history, and without React Router's notice. */
export function showQuery(parameter, query) {
  const address = query ? `?${parameter}=${encodeURIComponent(query)}` : window.location.pathname;
  window.history.replaceState(window.history.state, "", address);
}
