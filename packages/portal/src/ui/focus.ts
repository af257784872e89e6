/** What may take the focus of a removed element around it, each within the page or a dialog. */
const GROUPS =
  'header, section, fieldset, nav, table, tr, ul, [role=group], [role=search], [tabindex]';
const PLACES = `main, dialog, :is(main, dialog) :is(${GROUPS})`;

/**
 * Keeps the focus on the page: when the focused element is removed or disabled, the nearest group
 * around it that is left takes the focus, or the heading of that group. No other control does: a
 * second press would trigger it.
 */
export const keepFocus = (): void => {
  /** The focused element and its ancestors. */
  let path: readonly Element[] = [];
  addEventListener('focusin', (event) => {
    path = event.composedPath().filter((target) => target instanceof Element);
  });
  const isLeft = (element: Element) => element.isConnected && !element.matches(':disabled');
  const look = () => {
    const [last] = path;
    const { activeElement } = document;
    if (last === undefined || isLeft(last)) return;
    if (activeElement !== document.body && activeElement !== last) return;
    const place =
      path.find((element) => isLeft(element) && element.matches(PLACES)) ??
      document.querySelector('main');
    const heading = place?.matches('[tabindex]') ? null : place?.querySelector('h1, h2, h3');
    const target = (heading ?? place) as HTMLElement | null;
    if (!target?.matches('[tabindex]')) target?.setAttribute('tabindex', '-1');
    target?.focus({ preventScroll: true });
  };
  const changes = { subtree: true, childList: true, attributeFilter: ['disabled'] };
  new MutationObserver(look).observe(document.body, changes);
};
