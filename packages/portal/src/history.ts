/**
 * The entries of the browser's history: each stores its index and the list that it was opened from,
 * can be blocked while input is unsaved, and restores its scroll position.
 */

export interface Entry {
  /** Its index among the entries of this tab. */
  readonly index: number;
  /** The list from which this page was opened: `#/tickets?state=new`, and its index. */
  readonly from: { readonly hash: string; readonly index: number } | null;
}

/** The window event of an accepted address: pages render on it only. */
export const ROUTE_CHANGE = 'atrium-route';

/** @returns whether the page may be left at once; otherwise one of the two is called later. */
type Gate = (proceed: () => void, stay: () => void) => boolean;

const SCROLLS = 'atrium.scroll';
/** Entries whose scroll position is remembered. */
const SCROLLS_MAX = 100;
/** How long to wait for the page to reach its former height, in milliseconds. */
const RESTORE_MAX_MS = 5_000;
/** How long the position is held against layout shifts, in milliseconds. */
const HOLD_MS = 600;

const entryIn = (state: unknown): Entry | null =>
  typeof state === 'object' && state !== null && 'index' in state ? (state as Entry) : null;

/** The entry of the current page. */
export const currentEntry = (): Entry => entryIn(history.state) ?? { index: 0, from: null };

const LIST = /^(#\/?)?([^/?]*)(\/board)?(\?|$)/;

/**
 * The list of `place` that the page was opened from, with its filters and page number. Default: the
 * list without any.
 */
export const listOf = (place: string): string => {
  const hash = currentEntry().from?.hash ?? '';
  return LIST.exec(hash)?.[2] === place ? hash : `#/${place}`;
};

/** Tracks the browser's history. @returns a function that stops it. */
export const followHistory = (gate: Gate): (() => void) => {
  history.scrollRestoration = 'manual';
  let hash = location.hash;
  let entry = currentEntry();
  history.replaceState(entry, '');
  let isReturning = false;
  let stopRestoring = restoreScroll(scrollOf(entry.index));

  const accept = () => {
    keepScroll(entry.index, scrollY);
    stopRestoring();
    const restored = entryIn(history.state);
    const isSamePage = pageOf(location.hash) === pageOf(hash);
    if (restored === null) {
      const left = entry;
      const from = LIST.test(hash) ? { hash, index: left.index } : left.from;
      entry = { index: left.index + 1, from };
      history.replaceState(entry, '');
      if (left.from !== null && location.hash === left.from.hash)
        stopRestoring = restoreScroll(scrollOf(left.from.index));
      else if (!isSamePage) scrollTo(0, 0);
    } else {
      entry = restored;
      stopRestoring = restoreScroll(scrollOf(entry.index));
    }
    hash = location.hash;
    dispatchEvent(new Event(ROUTE_CHANGE));
  };
  const changed = () => {
    if (isReturning) {
      isReturning = false;
      return;
    }
    const target = entryIn(history.state)?.index ?? entry.index + 1;
    const stay = () => {
      if (location.hash === hash) return;
      isReturning = true;
      history.go(entry.index - target);
    };
    if (gate(accept, stay)) accept();
  };
  const leaving = () => keepScroll(entry.index, scrollY);
  addEventListener('hashchange', changed);
  addEventListener('pagehide', leaving);
  return () => {
    stopRestoring();
    removeEventListener('hashchange', changed);
    removeEventListener('pagehide', leaving);
  };
};

/** The path and, of a list, the number of its page. */
const pageOf = (hash: string): string => {
  const [path, query] = hash.split('?');
  return `${path} ${new URLSearchParams(query).get('page') ?? 1}`;
};

const scrolls = (): Readonly<Record<string, number>> =>
  JSON.parse(sessionStorage.getItem(SCROLLS) ?? '{}') as Record<string, number>;

const scrollOf = (index: number): number => scrolls()[index] ?? 0;

const keepScroll = (index: number, y: number): void => {
  const others = Object.entries(scrolls()).filter(([key]) => key !== String(index));
  const kept = [...others.slice(1 - SCROLLS_MAX), [index, Math.round(y)] as const];
  sessionStorage.setItem(SCROLLS, JSON.stringify(Object.fromEntries(kept)));
};

/**
 * Scrolls to `y` as soon as the page is high enough, and holds the position while the rest is
 * loading, until the user scrolls.
 */
const restoreScroll = (y: number): (() => void) => {
  scrollTo(0, y);
  if (y === 0) return () => {};
  const began = performance.now();
  let reachedAt: number | null = null;
  let frame = 0;
  const stop = () => {
    cancelAnimationFrame(frame);
    for (const name of OWN_SCROLLING) removeEventListener(name, stop);
  };
  const step = () => {
    const now = performance.now();
    const isHighEnough = document.documentElement.scrollHeight - innerHeight >= y;
    if (isHighEnough && scrollY !== y) scrollTo(0, y);
    reachedAt = isHighEnough ? (reachedAt ?? now) : null;
    const isHeld = reachedAt !== null && now - reachedAt > HOLD_MS;
    if (isHeld || now - began > RESTORE_MAX_MS) stop();
    else frame = requestAnimationFrame(step);
  };
  for (const name of OWN_SCROLLING) addEventListener(name, stop, { passive: true });
  frame = requestAnimationFrame(step);
  return stop;
};

const OWN_SCROLLING = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;
