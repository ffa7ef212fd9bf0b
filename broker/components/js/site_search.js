/** The search of this site, as `tests.search_reference` does it, over the file of `broker.site_search.view`. */

let loading = null;
let loaded = null;

/** Return the tables that were loaded, else the groups of links that the edge wrote into this document. */
export function knownTables() {
  if (loaded) return loaded;
  const sections = typeof document === "undefined" ? [] : document.querySelectorAll("#everything section");
  const groups = [...sections].map((section) => ({
    heading: section.querySelector("h2").textContent,
    links: [...section.querySelectorAll("a")].map((link) => ({ title: link.textContent, href: link.getAttribute("href") })),
  }));
  return { groups };
}

/** Return the tables with the postings of each word under its name. */
const withPlaces = ({ words, postings, ...tables }) =>
  ({ ...tables, words: Object.fromEntries(words.split(" ").map((word, at) => [word, postings[at]])) });

/** Load the tables, once; resolves to those that are known, `failed`, where they cannot be had: the next call retries. */
export function loadTables(address) {
  return (loading ??= fetch(address)
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
    .then((tables) => (loaded = withPlaces(tables)))
    .catch(() => {
      loading = null;
      return { ...knownTables(), failed: true };
    }));
}

const wordsOf = (text) =>
  text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replace(/['’]/g, "")
    .replace(/([0-9]),(?=[0-9])/g, "$1").match(/[a-z0-9]+/g) ?? [];

const compare = (one, other) => one.map((each, at) => each - other[at]).find((each) => each) ?? 0;

/**
 * Return the function that searches the tables by the `rules` of the domain.
 *
 * It takes a query and the tables: `groups` of links by kind, and the `words` with the places of the links that they find,
 * counted through all groups. It returns `{total, whole, instead, hits}`: `whole` says that every hit has all the
 * words, and `instead` are the words that replaced those typed.
 */
export function siteSearcher(rules) {
  const stopWords = new Set(rules.stopWords);

  const singular = (word) => {
    const plural = word.length >= rules.minPluralLength && rules.plurals.find(([ending]) => word.endsWith(ending));
    return plural ? word.slice(0, -plural[0].length) + plural[1] : word;
  };
  const termsOf = (query) => {
    const words = wordsOf([...query].slice(0, rules.maxQueryLength).join(""));
    const wanted = [...new Set(words.filter((word) => !stopWords.has(word)))];
    return wanted.length ? wanted : words.slice(-1);
  };
  const asTerms = (words) => words.map((typed, at) => ({ typed, whole: singular(typed), isLast: at === words.length - 1 }));
  const fit = (word, { typed, whole, isLast }) =>
    word === whole ? rules.wholeWord : Number(isLast && (word.startsWith(typed) || word.startsWith(whole)));

  const isMarked = (text, terms) => wordsOf(text).some((word) => terms.some((term) => fit(singular(word), term)));
  const piecesOf = (title, terms) => title.split(/([A-Za-z0-9\u00c0-\u024f]+)/)
    .map((text, at) => ({ text, marked: at % 2 === 1 && isMarked(text, terms) }))
    .filter(({ text }) => text);

  /** Return the words that a text joins, with stop words left out; none where it joins no words of the tables. */
  const partsOf = (text, words) => {
    if (text.length >= rules.minPartLength && Object.hasOwn(words, singular(text))) return [text];
    for (let end = text.length - rules.minPartLength; end > 1; end -= 1) {
      const head = text.slice(0, end);
      const isPart = end >= rules.minPartLength && Object.hasOwn(words, singular(head));
      const rest = isPart || stopWords.has(head) ? partsOf(text.slice(end), words) : [];
      if (rest.length) return isPart ? [head, ...rest] : rest;
    }
    return [];
  };

  /** Return whether a word was typed with one letter too many, too few or wrong, or with two swapped; not the first. */
  const isSlip = (word, typed) => {
    if (Math.min(word.length, typed.length) < rules.minSlipLength || word[0] !== typed[0]) return false;
    let same = 0;
    while (same < word.length && word[same] === typed[same]) same += 1;
    const [wanted, given] = [word.slice(same), typed.slice(same)];
    const isSwapped = wanted[0] === given[1] && wanted[1] === given[0] && wanted.slice(2) === given.slice(2);
    return isSwapped || [given, given.slice(1)].includes(wanted.slice(1)) || wanted === given.slice(1);
  };

  /** Return a term that the tables have; for another the words that it joins, or the one that it misspells. */
  const corrected = (term, words) => {
    const known = Object.keys(words);
    if (known.some((word) => fit(word, term))) return [term.typed];
    const parts = partsOf(term.typed.slice(0, rules.maxJoinedLength), words);
    if (parts.length) return parts;
    const slips = known.filter((word) => isSlip(word, term.whole));
    const best = Math.max(...slips.map((word) => words[word].length));
    return [slips.filter((word) => words[word].length === best).sort()[0] ?? term.typed];
  };

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

  return (query, { words = {}, about = [], groups = [] }) => {
    const places = groups.flatMap(({ kind, links }, rank) => links.map((link) => ({ kind, rank, ...link })));
    const typed = termsOf(query);
    const read = [...new Set(asTerms(typed).flatMap((term) => corrected(term, words)))];
    const [terms, instead] = [asTerms(read), String(read) === String(typed) ? "" : read.join(" ")];
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
    return { total: found.length, whole: most === terms.length, instead, hits: found.slice(0, rules.maxShown).map(hit) };
  };
}

/** Show what is searched for in the address without a step of the history, and without React Router's notice. */
export function showQuery(parameter, query) {
  const address = query ? `?${parameter}=${encodeURIComponent(query)}` : window.location.pathname;
  window.history.replaceState(window.history.state, "", address);
}
