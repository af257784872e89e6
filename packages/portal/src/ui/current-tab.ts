/** The current one of tabs in a row that may be wider than the screen. */

/**
 * Scrolls the row to its current tab, and never the page. As the `ref` of that tab alone it runs
 * whenever a tab becomes current.
 */
export const tabInView = (tab: HTMLElement | null): void => {
  const row = tab?.parentElement;
  if (!tab || !row) return;
  const [at, shown] = [tab.getBoundingClientRect(), row.getBoundingClientRect()];
  if (at.left < shown.left || at.right > shown.right)
    row.scrollLeft += at.left - shown.left - (shown.width - at.width) / 2;
};

/** The attributes of a link that is the current tab. */
export const currentTab = { 'aria-current': 'page', ref: tabInView } as const;
