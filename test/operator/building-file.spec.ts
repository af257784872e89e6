import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildingImports } from '../../src/building/imports/imports.ts';
import { importBuildingFile } from '../../src/operator/building-file.ts';
import { OperatorError } from '../../src/operator/operator-error.ts';
import { freshGraph, noon, type TestGraph } from '../support/postgres/building-graph.ts';
import { buildingOf, smallBuilding, storey } from '../support/domain/building-documents.ts';

let test: TestGraph;
let directory: string;
beforeAll(async () => {
  test = await freshGraph();
  directory = await mkdtemp(join(tmpdir(), 'atrium-import-'));
});
afterAll(async () => {
  await test.close();
  await rm(directory, { recursive: true });
});

const importFile = (path: string, organisation: string) =>
  importBuildingFile(path, buildingImports({ databaseUrl: test.url }), {
    organisation,
    caller: 'operator',
    named: false,
    options: noon,
  });

describe('importing a file', () => {
  const importing = async (content: string | Buffer, organisation = 'files') => {
    const path = join(directory, 'building.json');
    await writeFile(path, content);
    return importFile(path, organisation);
  };

  it('imports the same as over HTTP', async () => {
    const { created } = await importing(JSON.stringify(smallBuilding()));
    expect(created).toEqual({ storeys: 2, spaces: 3, elements: 2, points: 2 });
  });

  it('accepts a byte order mark', async () => {
    const { created } = await importing(`\ufeff${JSON.stringify(smallBuilding())}`);
    expect(created.spaces).toBe(3);
  });

  const text = (name: string) => JSON.stringify(buildingOf([storey('0', { name })]));
  it.each<[string, string | Buffer, RegExp]>([
    ['that is not JSON', '{"site": ', /is not valid JSON/],
    ['that is empty', '', /is empty/],
    ['that is not UTF-8', Buffer.from('{"\xff":1}', 'latin1'), /is not valid UTF-8/],
    ['without a building', '{}', /building: /],
    ['with U+0000', text('a\0'), /building\.storeys\[0\]\.name: must not contain U\+0000/],
    ['with a lone surrogate', text('\ud800'), /must not contain lone surrogates/],
    [
      'that clashes with itself',
      JSON.stringify(buildingOf([storey('0'), storey('0')])),
      /building\.storeys\[1\]\.code: is used by/,
    ],
  ])('refuses one %s in one line, and imports nothing', async (_, content, says) => {
    const refused = importing(content, 'refused');
    await expect(refused).rejects.toThrow(says);
    await expect(refused).rejects.toThrow(/^[^\n]+$/);
    await expect(refused).rejects.toBeInstanceOf(OperatorError);
    expect((await test.graph.buildings('refused', { limit: 1, offset: 0 })).total).toBe(0);
  });

  it('refuses a missing file', async () => {
    const path = join(directory, 'nowhere.json');
    await expect(importFile(path, 'files')).rejects.toThrow(/cannot be read/);
  });
});
