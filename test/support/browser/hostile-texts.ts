/** Texts that would run a script, build an element or turn the reading order as markup. */
import type { Page } from 'playwright-core';

/** Without a comma, which a category must not have. */
export const HOSTILE = [
  `<img src=x onerror="window.ran='img'">`,
  `"><svg onload="window.ran='svg'">`,
  `<script>window.ran='script'</script>`,
  `'onfocus='window.ran=1'autofocus='`,
  `<a href="javascript:window.ran='a'">a</a>`,
  `javascript:window.ran='link'//`,
  "${window.ran='literal'}{{window.ran='moustache'}}",
  `\u202Egpj.exe`,
] as const;

/** All of them in texts of at most so many characters. */
export const hostileIn = (charactersMax: number): readonly string[] => {
  const texts: string[] = [];
  for (const one of HOSTILE) {
    const last = texts.at(-1);
    if (last !== undefined && `${last} ${one}`.length <= charactersMax)
      texts[texts.length - 1] = `${last} ${one}`;
    else texts.push(one);
  }
  return texts;
};

/** One text of so many characters, without a space after the hostile ones. */
export const hostileOf = (characters: number): string =>
  `${HOSTILE.join(' ')} `.padEnd(characters, 'W');

/** An address is no place for spaces and quotes. */
export const HOSTILE_ADDRESS = `<svg/onload=window.ran='address'>@example.test`;

const OWN_IMAGE = '/portal/icon.svg';

/** In the page: everything in it that no page of the portal has by itself. */
const FOREIGN = `[
  ...(globalThis.ran === undefined ? [] : ['ran: ' + globalThis.ran]),
  ...[...document.querySelectorAll('iframe, object, embed, base, script:not([src])')],
  ...[...document.images].filter((image) => image.getAttribute('src') !== '${OWN_IMAGE}'),
  ...[...document.querySelectorAll('*')].filter((element) =>
    element.getAttributeNames().some((name) => name.startsWith('on'))),
  ...[...document.links].filter(({ protocol }) => !['http:', 'https:', 'blob:'].includes(protocol)),
].map((found) => found.outerHTML ?? found)`;

/** What the texts have become other than text. */
export const becomeOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(FOREIGN);

/** In the page: every text that can be read in it, of fields too. */
const READABLE = `[
  document.body.textContent,
  ...[...document.querySelectorAll('input, textarea, select')].map(({ value }) => value),
].join('\\n')`;

export const readableIn = (page: Page): Promise<string> => page.evaluate<string>(READABLE);
