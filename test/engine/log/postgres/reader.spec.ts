import { expect, it } from 'vitest';
import { PostgresReader } from '../../../../src/engine/log/postgres/reader.ts';

/** A reader whose connection for pages is free or busy, and the connections of its short reads. */
const readerWith = (pages: { readonly isFree: boolean }) => {
  const used: string[] = [];
  const connection = (name: string, isFree: boolean) => ({
    isFree,
    rows: async () => {
      used.push(name);
      return [];
    },
  });
  const connections = {
    tails: connection('tails', true),
    pages: connection('pages', pages.isFree),
    fullPages: connection('full pages', true),
  };
  return { used, reader: new PostgresReader(connections as never, 'es') };
};

it('reads streams over the connection of an idle subscription', async () => {
  const { used, reader } = readerWith({ isFree: true });
  await reader.stream('ticket-1');
  await reader.head();
  expect(used).toEqual(['pages', 'pages']);
});

it('reads no stream behind a page', async () => {
  const { used, reader } = readerWith({ isFree: false });
  await reader.stream('ticket-1');
  await reader.head();
  expect(used).toEqual(['tails', 'tails']);
});
