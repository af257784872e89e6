/** `atrium observations`, `rules` and `faults`, as somebody types them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { cellsOf, valueIn } from '../../packages/cli/src/user/telemetry/values.ts';
import { testApi } from '../support/api/api.ts';
import { importMetered, type MeteredBuilding } from '../support/api/telemetry.ts';
import { commandLine, followed } from '../support/cli/command-line.ts';
import { temporaryDirectory } from '../support/directory.ts';

const platform = testApi();
const { as } = commandLine(platform);
const manager = (...words: readonly string[]) => as('manager@acme.test', ...words);
const observations = (...words: readonly string[]) => manager('observations', ...words);
const directory = temporaryDirectory('cli-telemetry');
const written = (name: string, text: string) => {
  const file = join(directory, name);
  writeFileSync(file, text);
  return file;
};

let building: MeteredBuilding;
beforeAll(async () => {
  building = await importMetered(platform.as('manager@acme.test'), {
    'AHU.SAT': {},
    'AHU.RAT': {},
    'FAN.ON': { valueType: 'boolean' },
  });
});

const DAY = ['--from', '2026-03-02', '--to', '2026-03-03'];

describe('atrium observations', () => {
  it('records a value of a point by its code, and reads it again', async () => {
    const put = ['put', 'AHU.SAT', '21.5', '--at', '2026-03-02T12:00:00Z'];
    expect((await observations(...put)).json()).toEqual({
      pointId: await building.idOf('AHU.SAT'),
      value: 21.5,
      timestamp: '2026-03-02T12:00:00.000Z',
    });
    await observations(...put);
    expect((await observations('get', 'AHU.SAT', ...DAY)).json()).toEqual({
      items: [{ timestamp: '2026-03-02T12:00:00.000Z', value: 21.5 }],
    });
    const buckets = (await observations('get', 'AHU.SAT', ...DAY, '--bucket', '1h')).json();
    expect(buckets.items).toMatchObject([{ mean: 21.5, count: 1 }]);
  });

  it('refuses invalid values, times and points, and callers without permission', async () => {
    const value = await observations('put', 'AHU.SAT', 'warm');
    expect(value).toMatchObject({
      code: 2,
      err: expect.stringContaining('warm is neither a number nor true or false'),
    });
    for (const time of ['noon', '2026-02-30', '2026-13-01', '2026-02-30T12:00:00Z'])
      expect(await observations('put', 'AHU.SAT', '1', '--at', time)).toMatchObject({
        code: 2,
        out: '',
      });
    const point = await observations('get', 'AHU.XYZ');
    expect(point.err).toBe(
      'atrium: there is no point AHU.XYZ; atrium buildings points lists them\n',
    );
    const kind = await observations('put', 'FAN.ON', '3');
    expect(kind).toMatchObject({ code: 1, err: expect.stringContaining('(VALIDATION_FAILED)') });
    const viewer = await as('viewer@acme.test', 'observations', 'put', 'AHU.SAT', '1');
    expect(viewer.err).toContain('(PERMISSION_DENIED)');
  });
});

describe('atrium observations upload', () => {
  it('records a file of more days than one request may have, idempotently', async () => {
    const days = Array.from({ length: 45 }, (_, day) =>
      new Date(Date.UTC(2026, 0, 1 + day)).toISOString(),
    );
    const rows = days.map((at, index) => `AHU.RAT,${at},${index}`);
    const file = written('days.csv', `point,timestamp,value\n${rows.join('\n')}\n`);
    for (const _ of [1, 2])
      expect((await observations('upload', file)).json()).toEqual({ accepted: 45 });
    const read = ['get', 'AHU.RAT', '--from', '2026-01-01', '--to', '2026-02-20'];
    const { items } = (await observations(...read)).json();
    expect(items.map(({ value }: { value: number }) => value)).toEqual(days.map((_, at) => at));
  });

  it('reads semicolons, quotes and a mark of byte order', async () => {
    const text = '\uFEFFtimestamp;point;value\r\n2026-03-04T00:00:00Z;"FAN.ON";true\r\n';
    const uploaded = await observations('upload', written('excel.csv', text));
    expect(uploaded.json()).toEqual({ accepted: 1 });
    const read = ['get', 'FAN.ON', '--from', '2026-03-04', '--to', '2026-03-05'];
    expect((await observations(...read)).json().items).toMatchObject([{ value: true }]);
  });

  it.each([
    ['x.csv', 'point,value\nAHU.SAT,1', 'no column timestamp'],
    ['x.csv', 'point,value,timestamp\nAHU.SAT,1,2026-03-02\n\nAHU.SAT,warm,2026-03-02', 'line 4'],
    ['x.csv', 'point,value,timestamp\nAHU.SAT,1,noon', 'line 2: noon is not an ISO 8601 time'],
    ['x.csv', 'point,value,timestamp\nAHU.SAT,1,2026-02-30', 'line 2: 2026-02-30 is not'],
    ['x.csv', 'point,value,timestamp\nAHU.XYZ,1,2026-03-02', 'line 2: no point is called AHU.XYZ'],
    ['x.csv', 'point,value,timestamp\nAHU.SAT,1,2026-03-02\nFAN.ON,3,2026-03-02', 'line 3:'],
    ['x.csv', 'point,value,timestamp\nAHU.SAT,1,1999-01-01', '(VALIDATION_FAILED)'],
  ])('names the line of %s that is wrong: %j', async (name, text, why) => {
    const refused = await observations('upload', written(name, text));
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain(why);
  });
});

describe('atrium rules and faults', () => {
  const RULE = { title: 'Too warm', severity: 'high', comparison: 'gt', threshold: 26 };

  it('tries, creates and lists a rule, follows its fault to a ticket, and deletes it', async () => {
    const pointId = await building.idOf('AHU.SAT');
    const file = written('rule.json', JSON.stringify({ ...RULE, pointId }));
    await observations('put', 'AHU.SAT', '27', '--at', '2026-03-06T12:00:00Z');
    const tried = await manager('rules', 'try', file, '--from', '2026-03-06', '--to', '2026-03-07');
    expect(tried.json().items).toMatchObject([{ pointId, value: 27 }]);
    expect((await manager('rules', 'list')).json()).toEqual({ items: [] });

    const created = (await manager('rules', 'create', file, '--idempotency-key', 'r-1')).json();
    const again = (await manager('rules', 'create', file, '--idempotency-key', 'r-1')).json();
    expect(again.ruleId).toBe(created.ruleId);
    expect((await manager('rules', 'get', 'Too warm')).json()).toMatchObject(RULE);

    await observations('put', 'AHU.SAT', '30');
    const { items } = await followed(
      () => manager('faults', 'list', '--open'),
      (list) => list.items.length === 1,
    );
    const [{ faultId }] = items;
    expect((await manager('faults', 'show', faultId)).json()).toMatchObject({
      title: 'Too warm',
      value: 30,
    });
    const ticket = (await manager('faults', 'ticket', faultId)).json();
    expect((await manager('faults', 'ticket', faultId)).json().number).toBe(ticket.number);
    expect(await manager('faults', 'list', '--open', '--closed')).toMatchObject({ code: 2 });

    expect(await manager('rules', 'delete', 'Too warm')).toMatchObject({ code: 2, out: '' });
    const { ruleId } = created;
    expect((await manager('rules', 'delete', 'Too warm', '--yes')).json()).toEqual({
      ruleId,
      deleted: true,
    });
    await followed(
      () => manager('faults', 'list', '--closed'),
      (list) => list.items.length === 1,
    );
    const gone = await manager('rules', 'get', ruleId);
    expect(gone.err).toContain(`there is no rule ${ruleId}`);
  });

  it('is refused where the file is no rule, and without the permission', async () => {
    const text = await manager('rules', 'create', written('text.json', 'gt 26'));
    expect(text).toMatchObject({ code: 1, err: expect.stringContaining('text.json is not JSON') });
    const half = written('half.json', '{"title":"x"}');
    expect((await manager('rules', 'create', half)).err).toContain('(VALIDATION_FAILED)');
    const whole = written('whole.json', JSON.stringify({ ...RULE, pointClass: 'x' }));
    const denied = await as('viewer@acme.test', 'rules', 'create', whole);
    expect(denied.err).toContain('(PERMISSION_DENIED)');
    const fault = await manager('faults', 'get', '019b0000-0000-7000-8000-000000000000');
    expect(fault).toMatchObject({ code: 1, err: expect.stringContaining('(NOT_FOUND)') });
  });
});

it('reads cells and values as spreadsheets write them', () => {
  expect(cellsOf('a,"b, ""c""",,d', ',')).toEqual(['a', 'b, "c"', '', 'd']);
  expect(cellsOf(',x', ',')).toEqual(['', 'x']);
  const read = ['1', '-1.5e3', '.5', 'true', '', '1,5', '0x1', 'Infinity', '1e999'].map(valueIn);
  expect(read).toEqual([1, -1500, 0.5, true, null, null, null, null, null]);
});
