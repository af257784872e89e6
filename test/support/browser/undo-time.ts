/** The time in which a quick action can be undone, ended by the test: no slow machine misses it. */
import type { Page } from 'playwright-core';

/** As in packages/portal/src/actions.ts. */
const UNDO_MS = 6_000;

/** In the page: timers of this length run when `endUndoTime` is called, and never before. */
const HELD = `(() => {
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const held = new Map();
  globalThis.setTimeout = (call, ms, ...given) => {
    if (ms !== ${UNDO_MS}) return start(call, ms, ...given);
    const timer = start(() => {}, 2 ** 31 - 1);
    held.set(timer, () => call(...given));
    return timer;
  };
  globalThis.clearTimeout = (timer) => {
    held.delete(timer);
    stop(timer);
  };
  globalThis.endUndoTime = () => {
    const due = [...held.values()];
    held.clear();
    for (const call of due) call();
  };
})()`;

/** @returns what ends the time of the actions that can be undone on the page. */
export const heldUndoTime = async (page: Page): Promise<() => Promise<void>> => {
  await page.addInitScript(HELD);
  await page.evaluate(HELD);
  return () => page.evaluate<void>('endUndoTime()');
};
