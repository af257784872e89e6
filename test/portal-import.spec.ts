/** The logic of the import page. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  countRows,
  differences,
  isNothing,
  lostWords,
  type Preview,
} from '../packages/portal/src/pages/import/counts.ts';
import { bytesText } from '../packages/portal/src/bytes.ts';
import { chosenFile, FILE_BYTES_MAX, formatOf } from '../packages/portal/src/pages/import/file.ts';
import { memberSentence, plainMessage } from '../packages/portal/src/ui/plain-messages.ts';
import { IMPORT_BODY_BYTES_MAX } from '../src/limits.ts';

const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';
const none = { storeys: 0, spaces: 0, elements: 0, points: 0 };
const preview = (over: Partial<Preview> = {}): Preview => ({
  created: none,
  updated: none,
  removed: none,
  gone: none,
  outlines: { spaces: 0, without: 0 },
  storeys: [],
  elements: { contained: 0, byGeometry: 0, onStorey: 0 },
  warnings: [],
  ...over,
});

describe('a chosen file', () => {
  it.each([
    ['ISO-10303-21;', 'model.txt', 'ifc'],
    [`${BYTE_ORDER_MARK}\r\n ISO-10303-21;`, 'model', 'ifc'],
    ['{"site":', 'model.ifc', 'json'],
    [`${BYTE_ORDER_MARK}{`, 'model', 'json'],
    ['/* exported */ ISO-10303-21;', 'MODEL.IFC', 'ifc'],
    ['[', 'model.json', 'json'],
  ] as const)('that begins with %j and is called %s is %s', (head, name, format) => {
    expect(formatOf(head, name)).toBe(format);
  });

  it.each([
    ['PK\u0003\u0004', 'model.ifc', 'archive'],
    ['\u001f\u008b', 'model.ifc', 'compressed'],
    ['<ifcXML', 'model.ifc', 'XML'],
    ['hello', 'model.doc', 'neither'],
  ])('that begins with %j is refused by name', (head, name, words) => {
    expect(() => formatOf(head, name)).toThrow(words);
  });

  it('may be as large as the server accepts', () => {
    expect(FILE_BYTES_MAX).toBe(IMPORT_BODY_BYTES_MAX);
  });

  it('that is too large is not read', async () => {
    const file = { name: 'a.ifc', size: FILE_BYTES_MAX + 1 } as File;
    await expect(chosenFile(file)).rejects.toThrow('64.1 MiB, and at most 64 MiB');
  });

  it.each([
    [12, '12 bytes'],
    [2_048, '2 KiB'],
    [2_431_200, '2.4 MiB'],
  ])('of %i bytes has %s', (bytes, words) => expect(bytesText(bytes)).toBe(words));
});

describe('the counts of an import', () => {
  it('are those of the answer where nothing is made anew', () => {
    const of = preview({ created: { ...none, spaces: 2 }, updated: { ...none, spaces: 3 } });
    expect(countRows(of, false)[1]).toEqual({ kind: 'Rooms', added: 2, updated: 3, removed: 0 });
  });

  it('are added, renewed and removed nodes for a replacement', () => {
    const of = preview({
      created: { ...none, spaces: 5 },
      removed: { ...none, spaces: 4 },
      gone: { ...none, spaces: 1 },
    });
    expect(countRows(of, true)[1]).toEqual({ kind: 'Rooms', added: 2, updated: 3, removed: 1 });
  });

  it('name data lost with removed nodes', () => {
    expect(lostWords({ ...none, spaces: 3, values: 1_200, diagnosticRules: 1, rules: 0 })).toBe(
      '1,200 values, 1 diagnostic rules',
    );
  });

  it('differ where the building was changed after the dry run', () => {
    const before = preview({ created: { ...none, points: 2 } });
    expect(differences(before, before, false)).toEqual([]);
    const after = preview({ outlines: { spaces: 1, without: 0 } });
    expect(differences(before, after, false)).toEqual([
      { what: 'Points, added', expected: 2, actual: 0 },
      { what: 'Rooms with an outline', expected: 0, actual: 1 },
    ]);
    expect(isNothing(countRows(after, false))).toBe(true);
  });
});

describe('the message of a refused member', () => {
  const schema = z.object({
    site: z.object({ level: z.number(), name: z.string(), kind: z.enum(['hall', 'lift']) }),
    storeys: z.array(z.boolean()).max(1_000),
    format: z.literal('atrium'),
  });
  const messagesOf = (body: unknown) =>
    Object.fromEntries(
      schema
        .safeParse(body)
        .error!.issues.map(({ path, message }) => [path.join('.'), plainMessage(message)]),
    );

  it('is in plain words', () => {
    expect(messagesOf({})).toEqual({
      site: 'Is missing',
      storeys: 'Is missing',
      format: 'Must be "atrium"',
    });
    const site = { level: 'G', name: 1, kind: 'room' };
    expect(messagesOf({ site, storeys: [1], format: 1 })).toEqual({
      'site.level': 'Must be a number',
      'site.name': 'Must be a text',
      'site.kind': 'Must be "hall" or "lift"',
      'storeys.0': 'Must be true or false',
      format: 'Must be "atrium"',
    });
    expect(messagesOf({ site: [], storeys: {}, format: 'atrium' })).toEqual({
      site: 'Must be an object',
      storeys: 'Must be a list',
    });
    const storeys = Array.from({ length: 1_001 }, () => true);
    expect(messagesOf({ site: {}, storeys, format: 'atrium' })['storeys']).toBe('At most 1,000');
    expect(memberSentence('site', messagesOf({})['site']!)).toBe('Site: is missing');
  });
});
