import { expect, it } from 'vitest';
import { escapedHtml } from '../../src/domain/escaped-html.ts';

it('escapes what could end a text or a quoted attribute, and nothing else', () =>
  expect(escapedHtml(`<a b="c" d='e'>ü & 1</a>`)).toBe(
    '&#60;a b=&#34;c&#34; d=&#39;e&#39;&#62;ü &#38; 1&#60;/a&#62;',
  ));
