/** A connection that is lost after a command has arrived. */
import type { Page } from 'playwright-core';

/**
 * The first command at `url` arrives, and its answer is lost.
 *
 * @param isAway Whether later commands do not arrive, until the connection is back.
 * @returns what brings the connection back.
 */
export const loseAnswer = async (
  page: Page,
  url: RegExp,
  { isAway }: { readonly isAway: boolean },
): Promise<() => Promise<void>> => {
  let hasArrived = false;
  await page.route(url, async (route) => {
    if (route.request().method() === 'GET' || (hasArrived && !isAway)) return route.continue();
    if (!hasArrived) {
      hasArrived = true;
      await (await route.fetch()).dispose();
    }
    return route.abort();
  });
  return () => page.unroute(url);
};
