/** Rollouts of a newer release, and one rollback: with real processes, under load. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../../src/engine/postgres/pool.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { schemaOf } from '../../../src/engine/projections/projection.ts';
import { ticketList } from '../../../src/projections/tickets/list.ts';
import { changedList, releaseOfChangedTickets } from './changed-ticket.ts';
import { runAtrium, runAtriumOf } from '../../support/servers/cli.ts';
import type { Release } from './next-release.ts';
import { rolloutCallers } from './callers.ts';
import type { Reply, ServerProcess } from '../../support/servers/server.ts';
import { servers } from '../../support/servers/servers.ts';
import { AGENT, REQUESTS } from '../../support/servers/ticket-load.ts';
import { until } from '../../support/until.ts';

export interface RolloutPlace {
  readonly env: Readonly<Record<'DATABASE_URL' | 'ATRIUM_DATA', string>> &
    Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** @param open Creates a database, and a log where that is not in the database. */
export const rollout = (open: () => Promise<RolloutPlace>): void => {
  describe('a release with a changed event, a changed note and a changed read model', () => {
    let place: RolloutPlace;
    let db: Database;
    let next: Release;
    const { start, release } = servers();
    const load = rolloutCallers();
    let older: ServerProcess;
    let newer: ServerProcess;

    beforeAll(async () => {
      place = await open();
      db = openDatabase({ url: place.env.DATABASE_URL, logger: loggerOf('silent') });
      next = releaseOfChangedTickets();
    });
    afterAll(async () => {
      await load.use();
      await release();
      await db.close();
      await place.close();
    });

    const startNewer = () => start(place.env, next.server);
    const newerCommand = (...words: string[]) =>
      runAtriumOf(next.command, place.env, 'releases', ...words);
    const parked = async () => {
      const { rows } = await db.pool.query<{ consumer: string; stream: string; reason: string }>(
        'select consumer, stream, reason from consumers.parked where retry_at is null',
      );
      return rows;
    };
    const listed = async (version: number) => {
      const { rows } = await db.pool.query<{ id: string }>(
        `select id from ticket_list_v${version}.ticket_list`,
      );
      return new Set(rows.map(({ id }) => id));
    };
    const opened = async (server: ServerProcess): Promise<string> => {
      await load.use(server);
      return load.tickets.at(-1)!;
    };

    it('starts beside the older release and is rolled back without a failed request', async () => {
      older = await start(place.env);
      await load.use(older);
      newer = await startNewer();
      await load.use(older, newer);
      // The newer release does not yet write versions that the older one cannot read.
      const refused = await newerCommand('raise');
      expect([refused.code, refused.err]).toEqual([
        1,
        expect.stringMatching(/a release runs that cannot read TicketOpened 3: 0\.2\.0 since/),
      ]);
      // Rolls back to the older release.
      await load.use(older);
      await newer.signal('SIGTERM');
      for (const id of load.tickets.slice(-4))
        expect(await older.call(AGENT, 'GET', `${REQUESTS}/${id}`)).toMatchObject({ status: 200 });
      newer = await startNewer();
      await load.use(older, newer);
      const table = (await newerCommand('--json')).out;
      expect(JSON.parse(table)).toMatchObject({
        items: [{ name: '0.2.0' }, { name: '0.3.0' }],
        toRaise: { TicketOpened: 3 },
      });
      await load.use(newer);
      await older.signal('SIGTERM');
      expect(load.failures()).toEqual([]);
      expect(await parked()).toEqual([]);
    });

    it('writes its own version once the last older process has ended', async () => {
      expect(await newerCommand('raise')).toMatchObject({
        code: 0,
        out: 'written from now on: TicketOpened 3\n',
      });
      // Within the time in which each process learns of the raise.
      await until(async () => {
        const { rows } = await db.pool.query<{ language: string | null }>(
          `select language from ${schemaOf(changedList)}.ticket_list where language = 'en'`,
        );
        return rows.length > 0;
      }, 'a ticket in the new version');
      expect(load.failures()).toEqual([]);
    });

    it('is required for its events: an older release reports so, and changes no data', async () => {
      const written = await opened(newer);
      older = await start(place.env);
      const { status, headers, body }: Reply = await older.call(
        AGENT,
        'GET',
        `${REQUESTS}/${written}`,
      );
      expect([status, body.code]).toEqual([503, 'NEWER_RELEASE_NEEDED']);
      expect(headers.get('retry-after')).toBe('2');
      const command = await older.call(AGENT, 'POST', `${REQUESTS}/${written}/updates`, {
        body: { body: 'Seen.' },
      });
      expect(command.status).toBe(503);
      const first = await older.call(AGENT, 'GET', `${REQUESTS}/${load.tickets[0]}`);
      expect(first.status).toBe(200);
      await older.signal('SIGTERM');
      // Its version of the list is dropped with it.
      const dropped = await runAtrium(
        place.env,
        'projections',
        'drop',
        'ticket-list',
        String(ticketList.version),
      );
      expect(dropped).toMatchObject({ code: 0 });
      await load.use();
      expect(load.failures()).toEqual([]);
      await until(async () => (await parked()).length === 0, 'that nothing is parked');
      await until(async () => {
        const shown = await listed(changedList.version);
        return load.tickets.every((id) => shown.has(id));
      }, 'every ticket in the list');
    });
  });
};
