/** The searchable text of places. contract.md section 5, search; docs/decisions/0019. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  sweepPlaceWords,
  WORDS_ARE_DUE,
  writeDueWords,
} from '../../../src/building/graph/place-words.ts';
import type { ImportDocument } from '../../../src/domain/buildings/document.ts';
import { searchableParts } from '../../../src/domain/searchable-text.ts';
import {
  buildingOf,
  smallBuilding,
  space,
  storey,
} from '../../support/domain/building-documents.ts';
import {
  freshGraph,
  imported,
  noon,
  type TestGraph,
} from '../../support/postgres/building-graph.ts';

let test: TestGraph;
let buildingId: string;

beforeAll(async () => {
  test = await freshGraph();
});
afterAll(() => test.close());
beforeEach(async () => {
  await test.db.query('truncate graph.building, graph.node cascade');
  buildingId = await importing(smallBuilding());
});

const importing = async (document: ImportDocument, options: object = {}) =>
  imported(await test.graph.importBuilding('acme', document, { ...noon, ...options })).buildingId;

/** The searchable text of each place by code. */
const places = async (): Promise<Record<string, string>> => {
  const { rows } = await test.db.query<{ code: string; words: string }>(
    `select node.code, place.words from graph.place join graph.node using (id)
     where place.organisation = 'acme' and place.building_id = $1`,
    [buildingId],
  );
  return Object.fromEntries(rows.map(({ code, words }) => [code, words]));
};

const named = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(texts).map(([code, name]) => [code, searchableParts([code, name])]),
  );

const SMALL = {
  B: 'Building',
  '00': 'Storey 00',
  '01': 'Storey 01',
  '001': 'Room 001',
  '002': 'Room 002',
  '101': 'Room 101',
  'AHU-1': 'Element AHU-1',
  'VAV-1': 'Element VAV-1',
};

describe('the searchable text of places', () => {
  it('is code and name of building, storeys, spaces and elements; points have none', async () =>
    expect(await places()).toEqual(named(SMALL)));

  it('changes with the name of a node, and only then', async () => {
    const document = smallBuilding();
    document.building.storeys![0]!.spaces![0]!.name = 'Kantine Süd';
    await importing(document, { buildingId });
    expect(await places()).toEqual(named({ ...SMALL, '001': 'Kantine Süd' }));
    document.building.storeys![0]!.spaces![0]!.name = 'KANTINE SÜD';
    await importing(document, { buildingId });
    expect(await places()).toEqual(named({ ...SMALL, '001': 'Kantine Süd' }));
  });

  it('is removed with a node that a replacing import removes', async () => {
    await importing(buildingOf([storey('00', { spaces: [space('777')] })]), {
      buildingId,
      replace: true,
    });
    expect(await places()).toEqual(named({ B: 'Building', '00': 'Storey 00', 777: 'Room 777' }));
  });

  it('includes a space that is created by itself', async () => {
    const { items } = (await test.graph.storeys('acme', buildingId, { limit: 1, offset: 0 }))!;
    await test.graph.createSpace(
      'acme',
      buildingId,
      { storeyId: items[0]!.id, code: '009', name: 'Pförtner', spaceTypeSlug: 'office' },
      { commandId: randomUUID(), bodyHash: 'x', at: noon.at },
    );
    expect(await places()).toEqual(named({ ...SMALL, '009': 'Pförtner' }));
  });
});

/** As releases did that did not fold typographic characters. */
const formerlyEncoded = (text: string) =>
  text.normalize('NFKC').replaceAll(/[^a-z0-9 \n]/gu, (letter) => {
    const code = letter.charCodeAt(0).toString(16).toUpperCase();
    const digits = code.padStart(code.length > 2 ? 4 : 2, '0').split('');
    const tails = digits.map((digit) => String.fromCharCode(0x47 + Number.parseInt(digit, 16)));
    return (code.length > 2 ? 'B' : 'A') + tails.join('');
  });

describe('a place without searchable text, written by an older release', () => {
  /** Renames a node as an older release does, without the searchable text. */
  const renamed = (code: string, name: string) =>
    test.db.query('update graph.node set code = code, name = $2 where code = $1', [code, name]);

  it('is not found by its former name, and by its new one after the sweep', async () => {
    await renamed('001', 'Archiv');
    const { '001': _, ...others } = named(SMALL);
    expect(await places()).toEqual(others);
    expect(await writeDueWords(test.db)).toBe(1);
    expect(await places()).toEqual(named({ ...SMALL, '001': 'Archiv' }));
    expect(await writeDueWords(test.db)).toBe(0);
  });

  it.each(['‐', '‑', '‒', '–', '—', '―', '‘', '’', 'ʼ', 'ŉ', '\u00ad'])(
    'is folded anew where it has a typographic character: %s',
    async (character) => {
      const name = `Wi${character}Fi`;
      await test.db.query(`update graph.node set name = $1 where code = '001'`, [name]);
      await test.db.query(`update graph.node set words = $1 where code = '001'`, [
        formerlyEncoded(`001\n${name.toLowerCase()}`),
      ]);
      expect(await writeDueWords(test.db)).toBe(1);
      expect(await places()).toEqual(named({ ...SMALL, '001': name }));
      expect(await writeDueWords(test.db)).toBe(0);
    },
  );

  it('is looked up by its index', async () => {
    const client = await test.db.connect();
    await client.query('begin; set local enable_seqscan = off');
    const { rows } = await client.query(`explain select from graph.node where ${WORDS_ARE_DUE}`);
    await client.query('rollback');
    client.release();
    expect(JSON.stringify(rows)).toContain('node_words_due');
  });

  it('is updated by the sweep, over several transactions', async () => {
    await test.db.query(
      `insert into graph.node (id, building_id, kind, code, name)
       select gen_random_uuid(), $1, kind, 'N' || n, 'New ' || n
       from generate_series(1, 2100) n, unnest(array['space', 'point']) kind`,
      [buildingId],
    );
    const stopping = new AbortController();
    const logger = { warn: (fields: unknown) => expect.fail(JSON.stringify(fields)) };
    const sweeping = sweepPlaceWords({ db: test.db, logger }, stopping.signal);
    await expect
      .poll(places)
      .toMatchObject(named({ N1: 'New 1', N1050: 'New 1050', N2100: 'New 2100' }));
    stopping.abort();
    await sweeping;
    expect(await writeDueWords(test.db)).toBe(0);
  });

  it('is skipped by the sweep while a transaction writes it', async () => {
    await renamed('001', 'Archiv');
    await renamed('002', 'Labor');
    const other = await test.db.connect();
    await other.query(`begin; update graph.node set name = 'Depot' where code = '001'`);
    expect(await writeDueWords(test.db)).toBe(1);
    await other.query('commit');
    other.release();
    expect(await writeDueWords(test.db)).toBe(1);
    expect(await places()).toEqual(named({ ...SMALL, '001': 'Depot', '002': 'Labor' }));
  });
});
