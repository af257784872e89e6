import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ImportDocument } from '../../../src/domain/buildings/document.ts';
import { isRefusal, type Refusal } from '../../../src/engine/aggregates/decider.ts';
import type { ImportResult } from '../../../src/building/graph/graph.ts';
import { buildingImports, type BuildingImports } from '../../../src/building/imports/imports.ts';
import { importThreads, type ImportThreads } from '../../../src/building/imports/import-threads.ts';
import { IMPORT_THREAD_REUSED_BYTES_MAX, IMPORTS } from '../../../src/building/imports/limits.ts';
import { IMPORT_NODES_MAX } from '../../../src/domain/buildings/limits.ts';
import { ERRORS_NAMED_MAX, IMPORT_BODY_BYTES_MAX } from '../../../src/limits.ts';
import {
  buildingOf,
  smallBuilding,
  space,
  storey,
} from '../../support/domain/building-documents.ts';
import { globalId, quoted, stepFile } from '../../support/domain/ifc-files.ts';
import {
  freshGraph,
  imported,
  noon,
  type TestGraph,
} from '../../support/postgres/building-graph.ts';

let test: TestGraph;
let imports: BuildingImports;
beforeAll(async () => {
  test = await freshGraph();
  imports = buildingImports({ databaseUrl: test.url });
});
afterAll(() => test.close());

const MIB = 1024 * 1024;

interface Given {
  readonly organisation?: string;
  readonly caller?: string;
  readonly of?: BuildingImports;
}

const run = (
  bytes: AsyncIterable<Uint8Array>,
  { organisation = 'acme', caller = 'ana', of = imports }: Given = {},
) => of.run({ format: 'json', bytes }, { organisation, caller, named: false, options: noon });

async function* bytesOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

const importing = (document: ImportDocument | object, given?: Given) =>
  run(bytesOf(JSON.stringify(document)), given);

const refusalOf = async (outcome: Promise<ImportResult | Refusal>): Promise<Refusal> => {
  const refusal = await outcome;
  if (!isRefusal(refusal)) throw new Error('it was imported');
  return refusal;
};

const buildings = async (organisation = 'acme') =>
  (await test.graph.buildings(organisation, { limit: 1, offset: 0 })).total;

describe('an import', () => {
  it('accepts a document in chunks of any size', async () => {
    const text = JSON.stringify(smallBuilding());
    const { created } = imported(await run(bytesOf(...text.split('')), { organisation: 'pieces' }));
    expect(created).toEqual({ storeys: 2, spaces: 3, elements: 2, points: 2 });
  });

  it('fails with the error of its stream, and changes no row', async () => {
    async function* broken() {
      yield Buffer.from('{"site":');
      throw new Error('the sender has gone');
    }
    await expect(run(broken(), { organisation: 'broken' })).rejects.toThrow('has gone');
    expect(await buildings('broken')).toBe(0);
  });

  it('fails where the database is unavailable, with the reason', async () => {
    const nowhere = buildingImports({ databaseUrl: 'postgres://127.0.0.1:1/nowhere' });
    await expect(importing(smallBuilding(), { of: nowhere })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });

  it('beyond its memory limit is refused, without affecting others', async () => {
    const threads = importThreads({ heapMaxMib: 24 });
    const tight = buildingImports({ databaseUrl: test.url, threads });
    const spaces = Array.from({ length: 100_000 }, (_, n) => space(`${n}`));
    const refusal = await refusalOf(
      importing(buildingOf([storey('0', { spaces })]), { of: tight, organisation: 'tight' }),
    );
    expect(refusal.refused).toBe('PAYLOAD_TOO_LARGE');
    expect(await buildings('tight')).toBe(0);
  });
});

describe('a thread of imports', () => {
  /** Imports whose thread ids are recorded. */
  const noting = (options?: Parameters<typeof importThreads>[0]) => {
    const threads = importThreads(options);
    const used: Worker[] = [];
    const noted: ImportThreads = {
      ...threads,
      acquire: () => {
        const thread = threads.acquire();
        used.push(thread);
        return thread;
      },
    };
    const of = buildingImports({ databaseUrl: test.url, threads: noted });
    return { of, used };
  };
  const document = buildingOf([storey('0', { spaces: [space('1')] })]);
  const text = JSON.stringify(document);

  it('is reused by the next import, which sees no data of the previous one', async () => {
    const { of, used } = noting();
    const first = imported(await importing(smallBuilding(), { of, organisation: 'first' }));
    const wrong = importing({ site: {} }, { of, organisation: 'second' });
    expect((await refusalOf(wrong)).refused).toBe('VALIDATION_FAILED');
    const third = imported(await importing(document, { of, organisation: 'third' }));
    expect(first.created).toEqual({ storeys: 2, spaces: 3, elements: 2, points: 2 });
    expect(third.created).toEqual({ storeys: 1, spaces: 1, elements: 0, points: 0 });
    expect(await buildings('third')).toBe(1);
    expect([used[1], used[2]]).toEqual([used[0], used[0]]);
  });

  it('is not shared by concurrent imports', async () => {
    const { of, used } = noting();
    await importing(document, { of, organisation: 'alone' });
    await Promise.all(
      ['left', 'right'].map((organisation) => importing(document, { of, organisation })),
    );
    expect(new Set(used).size).toBe(2);
  });

  it.each<[string, () => AsyncIterable<Uint8Array>]>([
    ['is refused before its end', () => bytesOf('[', text)],
    ['is large', () => bytesOf(' '.repeat(IMPORT_THREAD_REUSED_BYTES_MAX), text)],
  ])('ends after a document that %s', async (_, bytes) => {
    const { of, used } = noting();
    await run(bytes(), { of, organisation: 'ended' });
    await importing(document, { of, organisation: 'ended' });
    expect(used[0]!.threadId).toBe(-1);
    expect(used[1]).not.toBe(used[0]);
  });

  const house = `#1=IFCBUILDING(${quoted(globalId('house'))},$,'b',$,$,$,$,$,$,$,$,$);`;
  const importIfc = (of: BuildingImports, lines: readonly string[]) =>
    of.run(
      { format: 'ifc', bytes: bytesOf(stepFile(lines)) },
      { organisation: 'ifc', caller: 'ana', named: false, options: noon },
    );

  it('is reused after a file in IFC, which may be the same one', async () => {
    const { of, used } = noting();
    const first = imported(await importIfc(of, [house]));
    expect(imported(await importIfc(of, [house]))).toMatchObject({ created: first.created });
    await importing(document, { of, organisation: 'ifc' });
    expect(new Set(used).size).toBe(1);
  });

  it('ends after a large file in IFC', async () => {
    const { of, used } = noting();
    const comment = `/*${' '.repeat(IMPORT_THREAD_REUSED_BYTES_MAX)}*/`;
    imported(await importIfc(of, [comment, house]));
    expect(used[0]!.threadId).toBe(-1);
  });

  it('ends after its idle time', async () => {
    const { of, used } = noting({ idleMaxMs: 100 });
    await importing(document, { of, organisation: 'idle' });
    await expect.poll(() => used[0]!.threadId).toBe(-1);
    await importing(document, { of, organisation: 'idle' });
    expect(used[1]).not.toBe(used[0]);
  });
});

describe('a hostile document', () => {
  /** An endless document of `beginning` and repeated `again`, and the bytes read of it. */
  const endless = (beginning: string, again: string) => {
    const piece = Buffer.from(again.repeat(Math.ceil((64 * 1024) / again.length)));
    const seen = { bytes: 0 };
    async function* bytes() {
      yield Buffer.from(beginning);
      while (seen.bytes <= IMPORT_BODY_BYTES_MAX) {
        seen.bytes += piece.length;
        yield piece;
      }
    }
    return { seen, bytes: bytes() };
  };

  /** With a name that is too long to be compared with others. */
  const OTHER_MEMBER = `,"${'a'.repeat(65)}":1`;

  it.each<[string, string, string, string, RegExp]>([
    ['a member name without end', '{"site":{"', 'a', 'VALIDATION_FAILED', /text of more than/],
    ['a text without end', '{"site":{"code":"', '\\n', 'VALIDATION_FAILED', /text of more than/],
    ['a number without end', '{"site":', '1', 'VALIDATION_FAILED', /text of more than/],
    ['a list of numbers', '[1', ',1', 'VALIDATION_FAILED', /must be an object/],
    ['one deeper down', '{"site":[1', ',1', 'VALIDATION_FAILED', /holds objects alone/],
    ['one of texts', '{"site":[""', ',""', 'VALIDATION_FAILED', /holds objects alone/],
    ['lists in lists', '{"site":', '[', 'VALIDATION_FAILED', /deeper than 16/],
    ['texts in lists in lists', '{"site":[[""', ',""', 'VALIDATION_FAILED', /objects alone/],
    ['positions without end', '{"site":[[]', ',[]', 'PAYLOAD_TOO_LARGE', /1000000 positions/],
    ['objects in objects', '{"a":', '{"a":', 'VALIDATION_FAILED', /deeper than 16/],
    ['members without end', '{"a":1', OTHER_MEMBER, 'VALIDATION_FAILED', /more than 16 members/],
    ['one member again', '{"a":1', ',"a":1', 'VALIDATION_FAILED', /"a" occurs twice/],
    ['nodes without end', '{"site":{"a":[{}', ',{}', 'PAYLOAD_TOO_LARGE', /more than 200000 nodes/],
  ])('of %s is refused while it is being read', async (_, beginning, again, code, says) => {
    const { seen, bytes } = endless(beginning, again);
    const { refused, detail } = await refusalOf(run(bytes));
    expect([refused, detail]).toEqual([code, expect.stringMatching(says)]);
    expect(seen.bytes).toBeLessThan(4 * MIB);
  });

  it('of endless blanks is refused at the maximum size', async () => {
    const { refused, detail } = await refusalOf(run(endless('{', ' ').bytes));
    expect([refused, detail]).toEqual(['PAYLOAD_TOO_LARGE', expect.stringMatching(/64 MiB/)]);
  });

  it('is refused with the number of its broken line', async () => {
    const { detail } = await refusalOf(run(bytesOf('{\n"site":\n[1')));
    expect(detail).toMatch(/^line 3: /);
  });

  it('of 50,000 invalid spaces is refused with the first errors', async () => {
    const spaces = Array.from({ length: 50_000 }, () => ({ code: '', colour: 'red' }));
    const document = { ...buildingOf(), building: { ...buildingOf([]).building } };
    const { refused, extra } = await refusalOf(
      importing({
        ...document,
        building: { ...document.building, storeys: [{ ...storey('0'), spaces }] },
      }),
    );
    expect(refused).toBe('VALIDATION_FAILED');
    const errors = extra!['errors'] as { path: string }[];
    expect(errors).toHaveLength(ERRORS_NAMED_MAX);
    expect(errors[0]!.path).toBe('building.storeys[0].spaces[0].code');
  });

  it('does not get a long name back in the refusal', async () => {
    const { extra } = await refusalOf(importing({ ...buildingOf(), ['a'.repeat(4_000)]: 1 }));
    expect(JSON.stringify(extra).length).toBeLessThan(400);
  });

  it('of one node too many is refused', async () => {
    const spaces = Array.from({ length: IMPORT_NODES_MAX }, (_, n) => space(`${n}`));
    const { refused } = await refusalOf(importing(buildingOf([storey('0', { spaces })])));
    expect(refused).toBe('PAYLOAD_TOO_LARGE');
  });
});

describe('the permits of imports', () => {
  /** An import that holds its permit until it is released. */
  const holding = (of: BuildingImports, organisation: string, caller: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    async function* bytes() {
      yield Buffer.from('{');
      await promise;
    }
    const outcome = run(bytes(), { of, organisation, caller });
    return { release: resolve, outcome };
  };

  const full = (of: string) => expect.objectContaining({ name: 'NoPermit', of });

  it.each([
    ['a caller', IMPORTS.ofCaller, () => 'ana', () => 'acme', 'caller'],
    [
      'an organisation',
      IMPORTS.ofOrganisation,
      (n: number) => `${n}`,
      () => 'acme',
      'organisation',
    ],
    ['everybody', IMPORTS.inAll, (n: number) => `${n}`, (n: number) => `${n}`, 'all'],
  ])('are bounded for %s, and released', async (_, count, callerOf, organisationOf, lacking) => {
    const of = buildingImports({ databaseUrl: test.url });
    const held = Array.from({ length: count }, (__, n) =>
      holding(of, organisationOf(n), callerOf(n)),
    );
    const more = { of, organisation: organisationOf(count), caller: callerOf(count) };
    await expect(importing(smallBuilding(), more)).rejects.toThrow('permits');
    await expect(importing(smallBuilding(), more)).rejects.toEqual(full(lacking));
    for (const { release } of held) release();
    for (const { outcome } of held) expect(await refusalOf(outcome)).toBeDefined();
    expect(imported(await importing(smallBuilding(), more)).created.spaces).toBe(3);
  });
});
