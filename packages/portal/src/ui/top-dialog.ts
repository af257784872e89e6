/**
 * Keeps an element in the last open modal dialog, because that makes everything outside it inert;
 * without a dialog in the body.
 *
 * @param onMoved Called whenever it has moved, with whether it had the focus.
 * @returns a function that removes it.
 */
export const keepInTopDialog = (
  element: HTMLElement,
  onMoved: (hadFocus: boolean) => void = () => {},
): (() => void) => {
  const move = () => {
    const within = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
    if (element.parentNode === within) return;
    const hadFocus = element.contains(document.activeElement);
    within.append(element);
    onMoved(hadFocus);
  };
  move();
  const observer = new MutationObserver(move);
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['open'] });
  return () => {
    observer.disconnect();
    element.remove();
  };
};
