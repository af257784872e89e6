/** The findings of `atrium doctor`, check by check. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configOf } from '../../../src/config/config.ts';
import type { ConsumerStatus } from '../../../src/engine/consumers/runtime.ts';
import { DOCTOR_DISK_FREE_MIN_BYTES } from '../../../src/operator/limits.ts';
import type { ClockReading } from '../../../src/operator/conditions/clocks.ts';
import { examined, ok } from '../../../src/operator/doctor/check.ts';
import {
  clockFinding,
  diskFinding,
  releaseFinding,
  spaceAt,
} from '../../../src/operator/doctor/machine.ts';
import { hidingSecretsOf, placeOf } from '../../../src/operator/doctor/secrets.ts';
import {
  auditChainFinding,
  parkedFinding,
  processesFinding,
  projectionsFinding,
} from '../../../src/operator/doctor/standing.ts';
import { dataDirectories, writtenDirectories } from '../../../src/operator/open-log.ts';
import type { ProcessStatus } from '../../../src/engine/control/process-control.ts';
import type { ProjectionStatus } from '../../../src/engine/projections/read-models.ts';
import { temporaryDirectory } from '../../support/directory.ts';

/** Deadline on a busy machine, whose slowness is not a finding here. */
const MUCH_MS = 60_000;

const projection = (over: Partial<ProjectionStatus> = {}): ProjectionStatus => ({
  name: 'ticket-list',
  version: 4,
  position: '1',
  lagEvents: 0,
  lagSeconds: 0,
  state: 'waiting',
  owner: 'other',
  parked: 0,
  lastError: null,
  work: null,
  ...over,
});
const process = (over: Partial<ProcessStatus> = {}): ProcessStatus => ({
  name: 'ticket-publishing',
  kind: 'process',
  position: '1',
  lagEvents: 0,
  lagSeconds: 0,
  owner: 'other',
  parked: 0,
  retrying: 0,
  nextDueAt: null,
  lastError: null,
  ...over,
});

describe('a read model', () => {
  it('is ok where it is fed and near the head, or no server runs', () => {
    expect(projectionsFinding([projection({ lagSeconds: 59 })], true).status).toBe('ok');
    const stopped = projection({ state: 'stopped', owner: 'none', lagSeconds: 3_600 });
    expect(projectionsFinding([stopped], false).status).toBe('ok');
  });

  it.each([
    [{ lagSeconds: 61 }, 'ticket-list 4 is 61.0 s behind'],
    [{ state: 'building' }, 'ticket-list 4 is being built'],
    [{ state: 'stopped', owner: 'none' }, 'no process feeds ticket-list 4'],
    [{ lagSeconds: 61, lastError: 'Error: x' }, 'ticket-list 4 is 61.0 s behind (Error: x)'],
  ] as const)('has failed with %j', (over, detail) =>
    expect(projectionsFinding([projection(), projection(over)], true)).toEqual({
      status: 'failed',
      detail,
    }),
  );
});

it('a lagging process has failed, with or without an owner, while a server runs', () => {
  expect(processesFinding([process()], true).status).toBe('ok');
  const stopped = process({ owner: 'none', lagSeconds: 61 });
  expect(processesFinding([stopped], false).status).toBe('ok');
  expect(processesFinding([stopped], true).detail).toBe(
    'no process runs ticket-publishing, which is 61.0 s behind',
  );
  expect(processesFinding([{ ...stopped, position: null }], true).status).toBe('ok');
  expect(processesFinding([process({ lagSeconds: 61 })], true)).toEqual({
    status: 'failed',
    detail: 'ticket-publishing is 61.0 s behind',
  });
});

it('parked streams and a blocked feed have failed, with the command that lists them', () => {
  const projections = [projection()];
  const processes = [process()];
  expect(parkedFinding({ projections, processes, blocked: 0 }).status).toBe('ok');
  expect(
    parkedFinding({ projections: [projection({ parked: 2 })], processes, blocked: 0 }).detail,
  ).toBe('2 of ticket-list: see atrium projections parked ticket-list');
  expect(
    parkedFinding({ projections, processes: [process({ parked: 1 })], blocked: 0 }),
  ).toMatchObject({
    status: 'failed',
    detail: '1 of ticket-publishing: see atrium processes parked ticket-publishing',
  });
  expect(parkedFinding({ projections, processes, blocked: 1 })).toMatchObject({
    status: 'failed',
    detail: '1 of the change feed: see atrium feed blocked',
  });
});

it('the audit chains have failed where no process writes them, or for minutes', () => {
  const chain = (seconds: number, owner: ConsumerStatus['owner']): ConsumerStatus => ({
    consumer: 'work/audit-chain',
    owner,
    seconds,
    events: 1,
    reached: { position: '1', caughtUp: true },
    checkpoint: {
      position: '1',
      caughtUp: true,
      lastError: null,
      parked: 0,
      waiting: 0,
      waitingSince: null,
      tablesMissing: false,
    },
  });
  expect(auditChainFinding(chain(70, 'other'), true).status).toBe('ok');
  expect(auditChainFinding(chain(70, 'none'), false).status).toBe('none');
  expect(auditChainFinding({ ...chain(0, 'other'), checkpoint: null }, true).status).toBe('none');
  expect(auditChainFinding(chain(301, 'other'), true).detail).toBe('301.0 s behind');
  expect(auditChainFinding(chain(1, 'none'), true).status).toBe('failed');
});

describe('a clock', () => {
  const reading = (atMs: number, over: Partial<ClockReading> = {}): ClockReading => ({
    whose: 'Postgres',
    atMs,
    afterMs: 100_000,
    beforeMs: 100_200,
    coarseMs: 0,
    ...over,
  });

  it.each([
    [100_100, 'Postgres agrees'],
    [104_000, 'Postgres is 3.8 s ahead'],
    [96_000, 'Postgres is 4.0 s behind'],
  ])('is ok at %i', (atMs, detail) =>
    expect(clockFinding([reading(atMs)])).toEqual({ status: 'ok', detail }),
  );

  it.each([
    [110_200, 'Postgres is 10.0 s ahead'],
    [90_000, 'Postgres is 10.0 s behind'],
  ])('has failed at %i', (atMs, detail) =>
    expect(clockFinding([reading(atMs)])).toEqual({ status: 'failed', detail }),
  );

  it('of whole seconds is not reported as late by the rounding', () =>
    expect(clockFinding([reading(99_100, { coarseMs: 1_000 })]).detail).toBe('Postgres agrees'));

  it('has no finding without another clock to compare', () =>
    expect(clockFinding([]).status).toBe('none'));
});

it.each([
  [{ freeBytes: DOCTOR_DISK_FREE_MIN_BYTES, totalBytes: DOCTOR_DISK_FREE_MIN_BYTES }, 'ok'],
  [{ freeBytes: DOCTOR_DISK_FREE_MIN_BYTES - 1, totalBytes: 2 ** 31 }, 'failed'],
  [{ freeBytes: 2 ** 31, totalBytes: 2 ** 40 }, 'failed'],
])('a disk with %j is %s', (space, status) =>
  expect(diskFinding('/data', space).status).toBe(status),
);

it('looks at the disk of an embedded Postgres that is elsewhere', async () => {
  const data = temporaryDirectory('elsewhere');
  const config = configOf({ ATRIUM_DATA: data });
  expect(dataDirectories(config)).toEqual([data, join(data, 'postgres')]);
  mkdirSync(join(data, 'postgres'));
  writeFileSync(join(data, 'postgres/cluster-is-in'), '/var/lib/atrium/cluster-1\n');
  expect(dataDirectories(config)).toEqual([data, '/var/lib/atrium/cluster-1']);
  expect(dataDirectories(configOf({ ATRIUM_DATA: data, DATABASE_URL: 'postgres://db/a' }))).toEqual(
    [data],
  );
});

it('measures the disk of attachments too, unless they are in a bucket', () => {
  const env = { ATRIUM_DATA: '/data', DATABASE_URL: 'postgres://db/a' };
  const written = (over: object) => writtenDirectories(configOf({ ...env, ...over }));
  expect(written({ FILES_URL: '/shared' })).toEqual(['/data', '/shared']);
  const key = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  expect(written({ FILES_URL: 's3://bucket', ...key })).toEqual(['/data']);
});

it('checks the disk on which a directory will be created', async () =>
  expect((await spaceAt('/no/such/directory')).totalBytes).toBeGreaterThan(0));

it.each([
  ['24.11.9', 'failed'],
  ['22.99.0', 'failed'],
  ['24.12.0', 'ok'],
  ['25.0.0', 'ok'],
])('Node %s is %s', (node, status) => expect(releaseFinding(null, node).status).toBe(status));

describe('a check', () => {
  it('that exceeds its deadline has failed', async () => {
    const never = () => new Promise<never>(() => {});
    expect(await examined('log', never, { hidden: String, withinMs: 10 })).toEqual({
      name: 'log',
      status: 'failed',
      detail: 'no answer within 0.01 s',
    });
  });

  it('that throws has failed, with its reason in one line', async () => {
    const refused = async () => {
      throw new AggregateError([new Error('connect\nECONNREFUSED'), new Error('x')]);
    };
    expect(await examined('log', refused, { hidden: String, withinMs: MUCH_MS })).toMatchObject({
      status: 'failed',
      detail: 'connect ECONNREFUSED, x',
    });
  });

  it('prints no secret, wherever it comes from', async () => {
    const hidden = hidingSecretsOf({
      DATABASE_URL: 'postgres://atrium:p%40ss@db/atrium',
      EVENTSTORE_URL: 'esdb://admin:changeit@one:2113,two:2113',
      NATS_URL: 'nats://user:let-me-in@a:4222,nats://user:other@b:4222,nats://t0ken@c',
      ATRIUM_SECRETS_KEY: `${'A'.repeat(43)}=,${'B'.repeat(43)}=`,
    });
    const keys = `${'A'.repeat(43)}= ${'B'.repeat(43)}=`;
    const secrets = `p%40ss p@ss changeit let-me-in other t0ken ${keys}`;
    const { detail } = await examined('x', async () => ok(`said ${secrets}`), {
      hidden,
      withinMs: MUCH_MS,
    });
    expect(detail).toBe(`said${' ***'.repeat(8)}`);
    expect(placeOf('postgres://atrium:p%40ss@db:5432/atrium?password=x')).toBe(
      'postgres://db:5432/atrium',
    );
  });

  it('are hidden up to the last @, and short ones within their address alone', () => {
    const addresses = ['postgres://u:x@db/atrium', 'postgres://u:first@second@db/atrium'];
    for (const DATABASE_URL of addresses) {
      const hidden = hidingSecretsOf({ DATABASE_URL });
      expect(hidden(`next: ${DATABASE_URL}`)).toBe('next: postgres://u:***@db/atrium');
    }
    expect(hidingSecretsOf({ DATABASE_URL: addresses[1] })('said first@second')).toBe('said ***');
    const DATABASE_URL = 'postgres://h/db?user=u&password=abc&sslmode=require';
    expect(hidingSecretsOf({ DATABASE_URL })(`at ${DATABASE_URL}`)).toBe(
      'at postgres://h/db?user=u&password=***&sslmode=require',
    );
    const NATS_URL = 'nats://tok@h:4222';
    expect(hidingSecretsOf({ NATS_URL })(`at ${NATS_URL}`)).toBe('at nats://***@h:4222');
  });
});
