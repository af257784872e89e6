/** `atrium buildings …`, as somebody types them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { demoBuilding } from '../../src/demo/building.ts';
import { testApi } from '../support/api/api.ts';
import { commandLine } from '../support/cli/command-line.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { buildingOf, space, storey } from '../support/domain/building-documents.ts';
import { runAtrium } from '../support/servers/cli.ts';

const platform = testApi();
const { as, environment } = commandLine(platform);
const directory = temporaryDirectory('cli-buildings');
const buildings = (...words: readonly string[]) => as('manager@acme.test', 'buildings', ...words);
const written = (name: string, text: string) => {
  const file = join(directory, name);
  writeFileSync(file, text);
  return file;
};

/** A storey, a room and nothing else. */
const IFC = `ISO-10303-21;
HEADER;
FILE_DESCRIPTION(('ViewDefinition [CoordinationView]'),'2;1');
FILE_NAME('office.ifc','2026-03-02T12:00:00',(''),(''),'','','');
FILE_SCHEMA(('IFC4'));
ENDSEC;
DATA;
#1=IFCPROJECT('2YBqaV_8L15eWJ9DA1sGmT',$,'P-1',$,$,'Office',$,$,$);
#5=IFCBUILDING('0yf_M5JZv9QQXly4dq_zvI',$,'OFFICE-1',$,$,$,$,'Harbour office',.ELEMENT.,$,$,$);
#6=IFCBUILDINGSTOREY('1dVqxnbWjCdxYNpqQbXp_8',$,'Level 0',$,$,$,$,$,.ELEMENT.,0.);
#7=IFCSPACE('0BTBFw6f90Nfh9rP1dlXrr',$,'001',$,$,$,$,'Meeting room',.ELEMENT.,.INTERNAL.,$);
#9=IFCRELAGGREGATES('1ANR2pDRL8LuInRDlNGhJF',$,$,$,#5,(#6));
#10=IFCRELAGGREGATES('3Fx5OZKxr8WwAYCLFVWvHT',$,$,$,#6,(#7));
ENDSEC;
END-ISO-10303-21;
`;

let buildingId: string;
beforeAll(async () => {
  buildingId = await platform.importBuilding();
});

describe('atrium buildings import', () => {
  it('imports an IFC file once under a key, after a dry run that changes nothing', async () => {
    const file = written('office.ifc', IFC);
    const dry = (await buildings('import', file, '--dry-run')).json();
    expect(dry).toMatchObject({ created: { storeys: 1, spaces: 1 } });
    expect(dry).not.toHaveProperty('buildingId');
    const done = await buildings('import', file, '--idempotency-key', 'i-1');
    expect(done.json()).toMatchObject({ created: { storeys: 1, spaces: 1 } });
    const again = await buildings('import', file, '--idempotency-key', 'i-1');
    expect(again.json().buildingId).toBe(done.json().buildingId);
    const { items } = (await buildings('list')).json();
    expect(items.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'Harbour House',
      'Harbour office',
    ]);
    const shown = (await buildings('show', 'Harbour office')).json();
    expect(shown).toMatchObject({ id: done.json().buildingId, storeys: [{ name: 'Level 0' }] });
  });

  it('lists the errors of a refused file, one per line, and imports nothing', async () => {
    const document = buildingOf([storey('00', { spaces: [space('001'), space('002')] })]);
    const wrong = JSON.stringify(document).replace('"00"', '5').replace('"001"', '7');
    const refused = await buildings('import', written('wrong.json', wrong));
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err.split('\n')).toEqual([
      expect.stringContaining('building.storeys[0].code'),
      expect.stringContaining('building.storeys[0].spaces[0].code'),
      'atrium: nothing was imported: 2 problems (VALIDATION_FAILED)',
      '',
    ]);
    const broken = await buildings('import', written('broken.ifc', IFC.slice(0, 400)));
    expect(broken).toMatchObject({ code: 1, out: '' });
    expect(broken.err).toMatch(/nothing was imported: 1 problem \(VALIDATION_FAILED\)/);
    const missing = await buildings('import', join(directory, 'missing.ifc'));
    expect(missing.err).toContain('missing.ifc cannot be read: ENOENT');
  });

  it('replaces a building only after a confirmation', async () => {
    const file = written('one.json', JSON.stringify(buildingOf([storey('00')])));
    const made = (await buildings('import', file)).json();
    const replacing = ['import', file, '--building', made.buildingId, '--replace'];
    expect(await buildings(...replacing)).toMatchObject({ code: 2, out: '' });
    const replaced = (await buildings(...replacing, '--yes')).json();
    expect(replaced).toMatchObject({ removed: { storeys: 1 }, created: { storeys: 1 } });
    const nowhere = await buildings('import', file, '--replace', '--yes');
    expect(nowhere).toMatchObject({ code: 2, err: expect.stringContaining('--building') });
  });

  it('is refused without the permission', async () => {
    const file = written('demo.json', JSON.stringify(demoBuilding()));
    const refused = await as('viewer@acme.test', 'buildings', 'import', file);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('(PERMISSION_DENIED)') });
  });
});

/** The address of a server that ends with the test. */
const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

describe('an import whose answer breaks off', () => {
  /** Passes imports on to the platform; loses the end of the first `losses` answers. */
  const losing = async (losses: number) => {
    const keys: string[] = [];
    const server = createServer((request, response) => {
      const passOn = async () => {
        const headers = new Headers();
        for (const name of ['authorization', 'accept', 'content-type', 'idempotency-key'])
          headers.set(name, request.headers[name] as string);
        const answer = await fetch(`${platform.address}${request.url}`, {
          method: 'POST',
          headers,
          body: await buffer(request),
        });
        const lines = await answer.text();
        keys.push(headers.get('idempotency-key')!);
        for (const name of ['content-type', 'x-request-id'])
          response.setHeader(name, answer.headers.get(name)!);
        if (keys.length > losses) return response.end(lines);
        return response.write(lines.slice(0, 9), () => response.destroy());
      };
      void passOn();
    });
    const url = await listening(server);
    const token = await platform.issuer.tokenOf('manager@acme.test');
    const importing = (file: string) =>
      runAtrium(environment(token), 'buildings', 'import', file, '--url', url);
    return { keys, importing };
  };
  const documentNamed = (name: string) => {
    const { building, ...document } = buildingOf([storey('00')]);
    return written(
      `${name}.json`,
      JSON.stringify({ ...document, building: { ...building, name } }),
    );
  };
  const idsNamed = async (wanted: string) =>
    (await buildings('list', '--all'))
      .json()
      .items.filter(({ name }: { name: string }) => name === wanted)
      .map(({ id }: { id: string }) => id);

  it('is sent again under its key, and makes one building', async () => {
    const { keys, importing } = await losing(1);
    const { code, out, err } = await importing(documentNamed('Lost once'));
    expect([code, err]).toEqual([0, '']);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
    expect(await idsNamed('Lost once')).toEqual([JSON.parse(out).buildingId]);
  });

  it('names the key under which the command can be repeated', async () => {
    const { keys, importing } = await losing(Number.POSITIVE_INFINITY);
    const file = documentNamed('Lost always');
    const { code, out, err } = await importing(file);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^atrium: .+; repeat with --idempotency-key [\w-]+\n$/);
    const key = err.trimEnd().split(' ').at(-1)!;
    expect([...new Set(keys)]).toEqual([key]);
    const repeated = (await buildings('import', file, '--idempotency-key', key)).json();
    expect(await idsNamed('Lost always')).toEqual([repeated.buildingId]);
  });
});

describe('an import that an overloaded server refuses', () => {
  const problemOf = (status: number) => ({
    type: 'about:blank',
    title: 'Busy',
    status,
    code: 'BUSY',
    requestId: 'r-busy',
    detail: 'Too\u001B[31mbusy.',
  });
  /** As its answer, or as a line of it. */
  const refusals: readonly [string, RequestListener][] = [
    [
      'a 429',
      (_, response) => {
        const type = 'application/problem+json';
        response.writeHead(429, { 'content-type': type, 'x-request-id': 'r-busy' });
        response.end(JSON.stringify(problemOf(429)));
      },
    ],
    [
      'a 503 after the first line',
      (_, response) => {
        const type = 'application/x-ndjson';
        response.writeHead(200, { 'content-type': type, 'x-request-id': 'r-1' });
        response.end(`{"phase":"reading"}\n${JSON.stringify({ problem: problemOf(503) })}\n`);
      },
    ],
  ];

  it.each(refusals)('has its code, its request and the key: %s', async (_, answer) => {
    const server = createServer((request, response) => {
      void buffer(request).then(() => answer(request, response));
    });
    const url = await listening(server);
    const file = written('busy.json', JSON.stringify(demoBuilding()));
    const words = ['buildings', 'import', file, '--url', url, '--idempotency-key', 'i-2'];
    const message = 'Too [31mbusy. (BUSY); repeat with --idempotency-key i-2';
    const refused = await runAtrium(environment('t'), ...words);
    expect(refused).toEqual({ code: 1, out: '', err: `atrium: ${message}\n` });
    const { err } = await runAtrium(environment('t'), ...words, '--json');
    expect(JSON.parse(err)).toEqual({
      error: { code: 'BUSY', status: expect.any(Number), requestId: 'r-busy', message },
    });
  });
});

describe('atrium buildings plan', () => {
  it('writes the plan of a storey that is named as people do', async () => {
    const { storeys } = (await buildings('get', buildingId)).json();
    const [first] = storeys;
    const file = join(directory, 'plan.svg');
    const plan = ['plan', first.name, '--building', 'HQ'];
    const printed = await buildings(...plan);
    expect(printed.out).toMatch(/^<svg /);
    const saved = await buildings(...plan, '--colour', 'tickets', '-o', file);
    expect(saved.json()).toEqual({ buildingId, storeyId: first.id, file });
    expect(readFileSync(file, 'utf8')).toMatch(/^<svg /);
    const nowhere = await buildings(...plan, '-o', join(directory, 'none', 'plan.svg'));
    expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining('cannot be written') });
    const none = await buildings('plan', 'Attic', '--building', buildingId);
    expect(none.err).toContain('there is no storey Attic');
  });
});

describe('atrium buildings spaces and points', () => {
  const names = (printed: { items: { code: string }[] }) => printed.items.map(({ code }) => code);

  it('finds spaces and points by words, and points of a space', async () => {
    const inHouse = ['--building', 'Harbour House'];
    const spaces = (await buildings('spaces', ...inHouse, '--search', 'meeting', '--all')).json();
    expect(spaces.items.length).toBeGreaterThan(0);
    for (const { code, name } of spaces.items)
      expect(`${code} ${name}`.toLowerCase()).toContain('meeting');
    const points = (await buildings('points', ...inHouse, '--all')).json();
    const [point] = points.items.filter(({ spaceId }: { spaceId: string }) => spaceId !== null);
    const same = (await buildings('points', ...inHouse, '--search', point.code)).json();
    expect(names(same)).toContain(point.code);
    const { body } = await platform
      .as('manager@acme.test')
      .get(`/api/v1/buildings/${buildingId}/spaces/${point.spaceId}`);
    const there = (await buildings('points', ...inHouse, '--space', body.code)).json();
    expect(names(there)).toContain(point.code);
    const none = await buildings('points', ...inHouse, '--search', 'no such thing');
    expect(none.json()).toEqual({ items: [] });
  });

  it('says that a building or a space is not there, and which are meant by a name', async () => {
    const unknown = await buildings('points', '--building', 'Nowhere');
    expect(unknown.err).toBe(
      'atrium: there is no building Nowhere; atrium buildings list lists them\n',
    );
    const noSpace = await buildings('points', '--building', buildingId, '--space', 'X-9');
    expect(noSpace.err).toContain('there is no space X-9');
    await platform.importBuilding();
    const several = await buildings('points', '--building', 'HQ');
    expect(several).toMatchObject({ code: 1, out: '' });
    expect(several.err).toMatch(/2 buildings are called HQ: HQ \([\da-f-]+\), HQ \([\da-f-]+\)/);
    const which = await buildings('points');
    expect(which.err).toContain('there are several buildings; name one with --building');
  });
});
