/**
 * A hosting process is killed in each step of waking and of suspending a sandbox: the statement of
 * the step waits for the test's lock. Another process then hosts the sandbox, without a request
 * where a timer of it could be due. contract.md section 4, design.md decision 18.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SandboxView } from '../../src/domain/sandboxes/view.ts';
import { leaseOf } from '../../src/hosting/claims.ts';
import { databaseIn } from '../support/postgres/database.ts';
import { freePort } from '../support/servers/port.ts';
import { until } from '../support/until.ts';
import { askedAt, hostingProcesses, killed, type HostingProcesses } from './hosting-processes.ts';

/** Long enough that a just used sandbox is still awake when the next step is prepared. */
const IDLE_MS = 1_500;
const NOW_AND_THEN = { everyMs: 50 };

interface Host {
  readonly child: ChildProcess;
  readonly port: number;
}

interface Step {
  readonly name: string;
  /** The lock that the step's statement waits for, and how the statement begins. */
  readonly lock: string;
  readonly statement: string;
  /** Whether the lock is in the sandbox's database. Default: in the main platform's. */
  readonly inItsDatabase?: boolean;
  /** Whether another process wakes it without a request, because a timer may be due. */
  readonly isWokenByItself: boolean;
}

const LEASE = 'select from consumers.lease where name = $1 for update';
const WAKE_TIME = 'select from hosting.wake where sandbox_id = $2 for update';

const waking: readonly Step[] = [
  {
    name: 'taking its lease',
    lock: LEASE,
    statement: 'insert into consumers.lease',
    isWokenByItself: false,
  },
  {
    name: 'noting that it is awake',
    lock: WAKE_TIME,
    statement: 'insert into hosting.wake',
    isWokenByItself: true,
  },
  {
    name: 'opening its database',
    lock: 'lock table migration.kysely_migration in access exclusive mode',
    statement: 'from migration.kysely_migration',
    inItsDatabase: true,
    isWokenByItself: true,
  },
];

const fallingAsleep: readonly Step[] = [
  {
    name: 'noting when it has to be woken',
    lock: WAKE_TIME,
    statement: 'insert into hosting.wake',
    isWokenByItself: false,
  },
  {
    name: 'giving its lease back',
    lock: LEASE,
    statement: 'with own as (select name from consumers.lease',
    isWokenByItself: false,
  },
];

let hosting: HostingProcesses;
let sandbox: SandboxView;
let host: Host;

beforeAll(async () => {
  hosting = await hostingProcesses();
  host = await started();
  await hosting.registered();
  sandbox = await hosting.provisioned(await hosting.requested());
});
afterAll(() => hosting.close());

const started = async (): Promise<Host> => {
  const port = await freePort();
  const times = ['--idle-ms', String(IDLE_MS), '--look-ms', '200'];
  const child = hosting.started('--port', String(port), ...times);
  await once(child.stdout!, 'data');
  return { child, port };
};

/** The lease's epoch, and whether it is held. */
const lease = async () => {
  const { rows } = await hosting.client.query<{ epoch: number; isHeld: boolean }>(
    'select epoch::int, holder is not null as "isHeld" from consumers.lease where name = $1',
    [leaseOf(sandbox)],
  );
  return rows[0]!;
};
const sleeps = () => until(async () => !(await lease()).isHeld, 'its sleep', NOW_AND_THEN);
const answers = () =>
  until(async () => (await askedAt(host.port, sandbox)) === 200, 'its answer', NOW_AND_THEN);

/** Runs `work` while the lock blocks the step's statement. */
const locked = async <Seen>(
  { lock, inItsDatabase = false }: Step,
  work: () => Promise<Seen>,
): Promise<Seen> => {
  const [database] = await hosting.databases('sbx');
  const { url } = hosting.database;
  const client = new Client({
    connectionString: inItsDatabase ? databaseIn(url, database!) : url,
  });
  await client.connect();
  try {
    await client.query('begin');
    const given = [leaseOf(sandbox), sandbox.sandboxId];
    // A statement accepts only parameters that it refers to.
    const text = lock.replaceAll(/\$(\d)/g, (_, nth) => `'${given[Number(nth) - 1]}'`);
    await client.query(text);
    return await work();
  } finally {
    await client.end();
  }
};
const waits = async ({ statement }: Step): Promise<boolean> => {
  const { rows } = await hosting.client.query(
    `select from pg_stat_activity
     where wait_event_type = 'Lock' and strpos(regexp_replace(query, '\\s+', ' ', 'g'), $1) > 0`,
    [statement],
  );
  return rows.length > 0;
};

/** Another process hosts the sandbox. The killed one's statement may still be carried out. */
const goesOn = async (step: Step) => {
  const { epoch } = await lease();
  host = await started();
  if (step.isWokenByItself)
    await until(async () => (await lease()).epoch > epoch, 'who wakes it', NOW_AND_THEN);
  await answers();
  expect((await lease()).epoch).toBeGreaterThan(epoch);
  expect(await hosting.databases('sbx')).toHaveLength(1);
  expect(await hosting.viewOf(sandbox)).toMatchObject({ status: 'ready', generation: 1 });
};

it.each(waking)('killed while it wakes a sandbox, $name', async (step) => {
  await sleeps();
  await locked(step, async () => {
    const asked = askedAt(host.port, sandbox);
    await until(() => waits(step), 'the step', NOW_AND_THEN);
    await killed(host.child);
    expect(await asked).toBeNull();
  });
  await goesOn(step);
});

it.each(fallingAsleep)('killed while it suspends a sandbox, $name', async (step) => {
  const isKilled = async () => {
    await answers();
    return locked(step, async () => {
      const isOver = async () => (await waits(step)) || !(await lease()).isHeld;
      await until(isOver, 'the step', NOW_AND_THEN);
      const isThere = await waits(step);
      if (isThere) await killed(host.child);
      return isThere;
    });
  };
  // It may be suspended before the lock is held: then it is woken and waited for again.
  await until(isKilled, 'the kill');
  await goesOn(step);
});

it('leaves no database and no quota slot when it is deleted then', async () => {
  await hosting.gone(sandbox);
});
