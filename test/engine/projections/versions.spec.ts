import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { leases } from '../../../src/engine/consumers/leases.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { schemaOf, type Projection } from '../../../src/engine/projections/projection.ts';
import { ticketList, type TicketListRow } from '../../../src/projections/tickets/list.ts';
import { ticketQueries } from '../../../src/projections/tickets/query/queries.ts';
import { dropVersion, otherVersions } from '../../../src/engine/projections/versions.ts';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import { ticketCodec } from '../../../src/domain/tickets/codecs.ts';
import { opened } from '../../support/domain/tickets.ts';
import {
  caughtUp,
  projectionTests,
  type RunningProjections,
} from '../../support/consumers/running-projections.ts';
import { until } from '../../support/until.ts';

type Row2 = TicketListRow & { readonly words: number };

/** The next release: one more column, therefore another version. */
const nextList: Projection<TicketEvent, Row2> = {
  ...ticketList,
  version: ticketList.version + 1,
  table: {
    ...ticketList.table,
    columns: { ...ticketList.table.columns, words: 'integer not null' },
  },
  rowAfter: (recorded, row) => {
    const after = ticketList.rowAfter(recorded, row);
    return after && { ...after, words: after.description.split(/\s+/).length };
  },
};

const test = projectionTests({ rebuildEventsMin: 1 });

const released = (list: typeof ticketList | typeof nextList) => test.start({ projections: [list] });

const openTicket = async () => {
  const ticketId = randomUUID();
  const event = ticketCodec.encode(randomUUID(), opened({ ticketId }), {
    commandId: randomUUID(),
    at: '2026-03-02T12:00:00.000Z',
    by: { kind: 'user', id: 'ana' },
    origin: 'api',
  });
  await test.log.append(`ticket-${ticketId}`, 'no_stream', [event]);
};

/** The query of the older release. */
const listed = async ({ db }: Pick<RunningProjections, 'db'>) => {
  const filter = { organisation: 'acme', now: '2026-03-02T12:00:00.000Z' };
  const { items, total } = await ticketQueries(db).list({ ...filter, page: 1, limit: 50 });
  expect(items.length).toBe(total);
  return total;
};

const listed2 = async ({ db }: Pick<RunningProjections, 'db'>) => {
  const { rows } = await db.pool.query<{ words: number }>(
    `select words from ${schemaOf(nextList)}.ticket_list`,
  );
  expect(rows.every(({ words }) => words === 7)).toBe(true);
  return rows.length;
};

const isReady = async ({ models }: RunningProjections) => (await models.ready()) === true;

it('exists beside the older one: prepared, switched to, and rolled back', async () => {
  await openTicket();
  const older = released(ticketList);
  await caughtUp(older.models, test.log, 'ticket-list');
  expect(await listed(older)).toBe(1);

  // `prepare` of the next release, while the older one runs.
  const preparing = released(nextList);
  expect(await preparing.models.ready()).toMatch(`ticket-list ${nextList.version}`);
  await until(() => isReady(preparing));
  await openTicket();
  await caughtUp(older.models, test.log, 'ticket-list');
  expect(await listed(older)).toBe(2);
  await preparing.stop();
  await openTicket();
  await caughtUp(older.models, test.log, 'ticket-list');

  // The next release finds its prepared version, and is ready before it applies an event.
  const next = test.open({ projections: [nextList] });
  expect(await next.models.ready()).toBe(true);
  next.start();
  await caughtUp(next.models, test.log, 'ticket-list');
  expect([await listed(older), await listed2(next)]).toEqual([3, 3]);
  await older.stop();
  await openTicket();
  await caughtUp(next.models, test.log, 'ticket-list');
  expect(await listed2(next)).toBe(4);

  // A rollback starts the older release again.
  await next.stop();
  const again = released(ticketList);
  expect(await again.models.ready()).toBe(true);
  await caughtUp(again.models, test.log, 'ticket-list');
  expect(await listed(again)).toBe(4);
});

it('is dropped only where no process feeds it', async () => {
  await openTicket();
  const older = released(ticketList);
  const next = released(nextList);
  await until(async () => (await isReady(older)) && isReady(next));
  const ownProjections = [nextList];
  const pool = next.db.pool;
  const owners = leases({ db: next.db, logger: loggerOf('silent') });
  const before = { name: 'ticket-list', version: ticketList.version };

  expect(await otherVersions(pool, owners, ownProjections)).toEqual([
    { ...before, position: '1', owner: 'other' },
  ]);
  expect(await dropVersion(pool, owners, before)).toBe('fed');
  expect(await listed(older)).toBe(1);
  await older.stop();
  expect(await dropVersion(pool, owners, before)).toBe('dropped');
  expect(await otherVersions(pool, owners, ownProjections)).toEqual([]);
  const { rows } = await pool.query('select from pg_namespace where nspname = $1', [
    schemaOf(before),
  ]);
  expect(rows.length).toBe(0);
  expect(await dropVersion(pool, owners, before)).toBe('unknown');
  expect(await listed2(next)).toBe(1);
  await owners.close();
});
