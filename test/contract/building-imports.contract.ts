/** Whole servers while buildings are imported: the guarantees on every log. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isRefusal } from '../../src/engine/aggregates/decider.ts';
import { ifcReader } from '../../src/building/imports/ifc/ifc-reader.ts';
import { globalId, ifcBuilding } from '../support/domain/ifc-files.ts';
import type { Reply, ServerProcess } from '../support/servers/server.ts';
import { servers, type Servers } from '../support/servers/servers.ts';
import { until, untilCount } from '../support/until.ts';

export interface ServerEnvironment {
  /** With `DATABASE_URL`. */
  readonly env: Record<string, string>;
  close(): Promise<void>;
}

const BUILDINGS = '/api/v1/buildings';
const REQUESTS = '/api/service-desk/requests';
const AGENT = 'agent@acme.test';
const MANAGER = 'manager@acme.test';

const STOREYS = 3;
const SPACES_A_STOREY = 33;

/** An office of 99 rooms, each with the edition at the end of its name. */
const office = (edition: string, rooms = SPACES_A_STOREY): string =>
  ifcBuilding({
    storeys: Array.from({ length: STOREYS }, (_, storey) => ({
      id: `S${storey}`,
      name: `Level ${storey}`,
      elevation: storey * 3.5,
      spaces: Array.from({ length: rooms }, (__, room) => ({
        id: `R${storey}-${room}`,
        name: `${storey}${String(room).padStart(2, '0')}`,
        longName: `Office ${edition}`,
        area: 12.5,
      })),
    })),
  });

interface Space {
  readonly id: string;
  readonly externalId: string;
  readonly name: string;
}

export const buildingImportsOnServer = (make: () => Promise<ServerEnvironment>): void => {
  let running: Servers;
  let given: ServerEnvironment;
  let server: ServerProcess;
  beforeEach(async () => {
    running = servers();
    given = await make();
    server = await running.start(given.env);
  });
  afterEach(async () => {
    await running.release();
    await given.close();
  });

  const importing = async (file: string, path: string, key = randomUUID()): Promise<Reply> => {
    const answer = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await server.tokenOf(MANAGER)}`,
        'content-type': 'application/x-step',
        'idempotency-key': key,
      },
      body: file,
    });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  };
  const made = async (file: string): Promise<string> => {
    const { status, body } = await importing(file, `${BUILDINGS}/import`);
    expect(status).toBe(201);
    return body.buildingId;
  };
  const connection = () => new Client({ connectionString: given.env['DATABASE_URL'] });
  const get = async (path: string) => (await server.call(AGENT, 'GET', path)).body;
  const spacesOf = async (id: string): Promise<readonly Space[]> =>
    (await get(`${BUILDINGS}/${id}/spaces?limit=1000`)).items;

  it('lists the rooms of a model, takes values by GlobalId and a ticket in a room', async () => {
    const id = await made(office('one'));
    const spaces = await spacesOf(id);
    expect(spaces).toHaveLength(STOREYS * SPACES_A_STOREY);

    const reader = ifcReader();
    const read = reader.take(Buffer.from(office('one'))) ?? (await reader.end());
    if (isRefusal(read)) throw new Error(read.detail);
    const keys = read.document.building.storeys!.flatMap((storey) =>
      storey.spaces!.map((space) => space.externalId!),
    );
    const path = `${BUILDINGS}/${id}/data-layers/desk-count/values`;
    const uploaded = await server.call(MANAGER, 'PUT', path, {
      body: { values: keys.map((key, value) => ({ key, value })) },
    });
    expect(uploaded.body).toEqual({ written: keys.length, unmatched: [] });
    const values: readonly { spaceId: string; externalId: string; value: number }[] = (
      await get(`${path}?limit=1000`)
    ).items;
    const expected = new Map(keys.map((key, value) => [key, value]));
    expect(values.every((row) => expected.get(row.externalId) === row.value)).toBe(true);
    expect(values).toHaveLength(keys.length);

    const room = spaces.find(({ externalId }) => externalId === globalId('R1-7'))!;
    const raised = await server.call(AGENT, 'POST', REQUESTS, {
      body: { buildingId: id, spaceId: room.id, description: 'The radiator is cold' },
    });
    expect([raised.status, raised.body.spaceId]).toEqual([201, room.id]);
    await until(async () => (await get(`${REQUESTS}?spaceId=${room.id}`)).total === 1, 'the list');
  });

  it('imports atomically, though the server is killed while it writes', async () => {
    const id = await made(office('one'));
    const before = await spacesOf(id);
    const [db, watching] = [connection(), connection()];
    await Promise.all([db.connect(), watching.connect()]);
    // The import inserts its new rooms, and blocks on deleting one that is locked here.
    await db.query('begin');
    await db.query('select from graph.space where id = $1 for update', [before[0]!.id]);
    const key = randomUUID();
    const path = `${BUILDINGS}/${id}/import?replace=true`;
    const cut = importing(office('two'), path, key).catch(() => null);
    const underWay = async () => {
      const { rowCount } = await watching.query(
        `select from pg_stat_activity where datname = current_database()
           and application_name = 'atrium-import' and wait_event_type = 'Lock'`,
      );
      return rowCount === 1;
    };
    await until(underWay, 'an import that writes');
    await server.signal('SIGKILL');
    expect(await cut).toBeNull();
    await db.query('rollback');
    await Promise.all([db.end(), watching.end()]);

    server = await running.start({ ...given.env, PORT: new URL(server.url).port });
    expect(await spacesOf(id)).toEqual(before);
    const again = await importing(office('two'), path, key);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null]);
    const after = await spacesOf(id);
    expect(after.map(({ name }) => name)).toEqual(before.map(() => 'Office two'));
    expect(after.map(({ externalId }) => externalId)).toEqual(
      before.map(({ externalId }) => externalId),
    );
  });

  it('keeps tickets in their rooms, though an import gives these new ids meanwhile', async () => {
    const id = await made(office('0', 4));
    const raised = new Map<string, string>();
    const refused = new Set<string>();
    const over = new AbortController();
    const raising = async () => {
      for (let turn = 0; !over.signal.aborted; turn += 1) {
        const spaces = await spacesOf(id);
        const room = spaces[turn % spaces.length]!;
        const body = { buildingId: id, spaceId: room.id, description: 'It drips' };
        const { status, body: ticket } = await server.call(AGENT, 'POST', REQUESTS, { body });
        if (status === 201) raised.set(ticket.id, room.externalId);
        else refused.add(`${status} ${ticket.code}`);
      }
    };
    const lanes = Promise.all([raising(), raising(), raising()]);
    for (let edition = 1; edition <= 6; edition += 1) {
      const from = raised.size;
      const path = `${BUILDINGS}/${id}/import?replace=true`;
      expect((await importing(office(`${edition}`, 4), path)).status).toBe(200);
      await untilCount(() => raised.size, from + 6, 'tickets');
    }
    over.abort();
    await lanes;
    // Allowed only because the room got its new id after it was looked up.
    expect([...refused].filter((answer) => answer !== '400 REFERENCE_NOT_FOUND')).toEqual([]);

    const rooms = new Map(
      (await spacesOf(id)).map(({ id: room, externalId }) => [externalId, room]),
    );
    const astray = async () => {
      const found: string[] = [];
      for (const [ticketId, externalId] of raised) {
        const { spaceId } = await get(`${REQUESTS}/${ticketId}`);
        if (spaceId !== rooms.get(externalId)) found.push(ticketId);
      }
      return found;
    };
    await expect.poll(astray, { interval: 500 }).toEqual([]);
  });
};
