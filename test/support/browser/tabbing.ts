/** A page by keyboard alone: what Tab reaches, a visible focus, what Escape closes. */
import type { Page } from 'playwright-core';

/** Stops of a page, beyond which Tab is in a trap. */
const STOPS_MAX = 400;

/**
 * In the page: names of elements for people, what can be pressed, and how an element looks. An
 * element that has the focus must look other than without it.
 */
const INSTALLED = `(() => {
  const words = (element) => element.outerHTML.slice(0, 160);
  const isShown = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0 &&
    !element.closest('[inert]');
  const pressable = () => [...document.querySelectorAll(
    'a[href], button, input, select, textarea, summary, [role=checkbox], ' +
    '[role=gridcell][data-slot], [data-ticket]',
  )].filter((element) => isShown(element) && !element.disabled);
  const styleOf = (element) => {
    const style = getComputedStyle(element);
    const { outlineStyle, outlineWidth, boxShadow, borderColor } = style;
    const { backgroundColor, stroke, strokeWidth } = style;
    const outline = outlineStyle === 'none' ? '' : outlineStyle + outlineWidth;
    return [outline, boxShadow, borderColor, backgroundColor, stroke, strokeWidth].join();
  };
  const around = (element) => [element, element.parentElement, ...element.children];
  const look = (element) => around(element).map(styleOf).join('|');
  const reached = new Set();
  let last = null;
  const stop = () => {
    const element = document.activeElement;
    if (element === null || element === document.body) return { isEnd: true };
    // A field of a date has a stop for each of its parts.
    if (element === last) return { isEnd: false };
    last = element;
    if (reached.has(element)) return { isEnd: true };
    reached.add(element);
    const focused = look(element);
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const isInView = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    element.blur();
    const isDifferent = look(element) !== focused;
    element.focus({ preventScroll: true });
    const isBack = document.activeElement === element;
    const problem = !isDifferent ? 'looks the same: ' : !isInView ? 'is out of view: '
      : !isBack ? 'loses the focus: ' : '';
    return { isEnd: false, problem: problem && problem + words(element) };
  };
  /** In a group with one stop, of which arrow keys reach the others. */
  const isOfReachedGroup = (element) => {
    const group = element.closest('[role=tablist], [role=grid], table.tickets, .board, fieldset');
    if (group === null) return false;
    const isGrouped = element.matches(
      '[role=tab], [data-slot], [data-ticket], [data-ticket] *, [type=radio]');
    return isGrouped && [...reached].some((other) => group.contains(other) && other !== element);
  };
  const missed = () =>
    pressable().filter((element) => !reached.has(element) && !isOfReachedGroup(element)).map(words);
  globalThis.tabbing = { stop, missed, count: () => reached.size };
})()`;

/** In the page: the next Tab goes to the first stop, wherever the focus was last. */
const FROM_THE_TOP = `(() => {
  const { body } = document;
  body.tabIndex = -1;
  body.focus();
  body.removeAttribute('tabindex');
})()`;

interface Stop {
  readonly isEnd: boolean;
  readonly problem?: string;
}

/** Walks with Tab from the top of the page. @returns what a person without a mouse would miss. */
export const missedByTab = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(INSTALLED);
  await page.evaluate(FROM_THE_TOP);
  const problems: string[] = [];
  for (let stops = 0; ; stops += 1) {
    if (stops > STOPS_MAX) return [...problems, 'Tab never ends'];
    await page.keyboard.press('Tab');
    const { isEnd, problem } = await page.evaluate<Stop>('tabbing.stop()');
    if (isEnd) break;
    if (problem) problems.push(problem);
  }
  return [...problems, ...(await page.evaluate<string[]>('tabbing.missed()'))];
};

/** In the page: the innermost dialog or list of choices that is open. */
const OPEN = `[...document.querySelectorAll('dialog[open], .popover')].length`;

/**
 * Presses a button with Enter and what it has opened with Escape.
 *
 * @returns what is wrong then; `null` if it opens nothing above the page.
 */
export const escapeFrom = async (
  page: Page,
  opener: ReturnType<Page['getByRole']>,
): Promise<string | null> => {
  await opener.focus();
  await page.keyboard.press('Enter');
  const isOpen = () => page.evaluate<number>(OPEN);
  if ((await isOpen()) === 0) return null;
  const isInside = `document.activeElement?.closest('dialog[open], .popover') !== null`;
  if (!(await page.evaluate<boolean>(isInside))) return 'the focus stays outside';
  await page.keyboard.press('Escape');
  if ((await isOpen()) > 0) return 'Escape does not close it';
  const isBack = await opener.evaluate((element) => element.matches(':focus'));
  return isBack ? '' : 'the focus does not return';
};
