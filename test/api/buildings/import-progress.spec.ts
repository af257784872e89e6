import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { answerInLines } from '../../../src/api/buildings/import-progress.ts';
import { errorLog } from '../../../src/api/http/errors.ts';
import { loggerOptions } from '../../../src/engine/observe/logging.ts';
import { LogUnavailable } from '../../../src/engine/log/event-store.ts';
import { testApi } from '../../support/api/api.ts';
import { writtenLines } from '../../support/api/written-lines.ts';
import {
  buildingOf,
  smallBuilding,
  space,
  storey,
} from '../../support/domain/building-documents.ts';
import { ifcBuilding } from '../../support/domain/ifc-files.ts';

const api = testApi();
const manager = api.as('manager@acme.test');

const BUILDINGS = '/api/v1/buildings';
const accept = { accept: 'application/x-ndjson' };
const step = { 'content-type': 'application/x-step' };

interface AnswerLine {
  readonly phase?: string;
  readonly result?: { readonly buildingId?: string };
}

const linesOf = (body: unknown): readonly AnswerLine[] =>
  String(body)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const send = async (document: unknown, path = `${BUILDINGS}/import`, headers = {}) => {
  const {
    status,
    headers: answered,
    body,
  } = await manager.post(path, document, {
    ...accept,
    ...headers,
  });
  return { status, type: answered['content-type'], lines: linesOf(body) };
};

describe('an import that accepts NDJSON', () => {
  it('reports its phases, and finally the result', async () => {
    const { status, type, lines } = await send(smallBuilding());
    expect([status, type]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    const bytes = Buffer.byteLength(JSON.stringify(smallBuilding()));
    expect(lines).toEqual([
      { phase: 'reading', bytes },
      { phase: 'writing', nodes: 9 },
      {
        result: expect.objectContaining({
          created: { storeys: 2, spaces: 3, elements: 2, points: 2 },
          warnings: [],
        }),
        replayed: false,
      },
    ]);
    const { buildingId } = lines[2]!.result!;
    expect((await manager.get(`${BUILDINGS}/${buildingId}/spaces`)).body.total).toBe(3);
  });

  it('reports when it reads the shapes of an IFC file, the longest phase', async () => {
    const file = ifcBuilding({ storeys: [{ id: 'G', name: 'Ground', elevation: 0 }] });
    const { lines } = await send(file, undefined, step);
    expect(lines.map(({ phase }) => phase)).toEqual(['reading', 'shapes', 'writing', undefined]);
  });

  it('is replayed under its key, and marked as a replay', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await send(smallBuilding(), undefined, key);
    const again = await send(smallBuilding(), undefined, key);
    expect(again.lines.at(-1)).toEqual({ ...first.lines.at(-1), replayed: true });
  });

  it('has no id of a new building in a dry run', async () => {
    const { lines } = await send(smallBuilding(), `${BUILDINGS}/import?dryRun=true`);
    expect(lines.at(-1)!.result).not.toHaveProperty('buildingId');
  });

  it('ends with the same problem as an answer without NDJSON', async () => {
    const twice = buildingOf([storey('00', { spaces: [space('1'), space('1')] })]);
    const plain = await manager.post(`${BUILDINGS}/import`, twice);
    const { status, lines } = await send(twice);
    expect(status).toBe(200);
    const { requestId: _id, ...problem } = plain.body;
    expect(plain.status).toBe(409);
    expect(lines.at(-1)).toEqual({ problem: expect.objectContaining(problem) });
    expect(lines.filter((line) => 'result' in line)).toEqual([]);
  });

  it('is refused with a status before the document has arrived', async () => {
    const there = `${BUILDINGS}/${randomUUID()}/import`;
    const { status, body } = await manager.post(there, smallBuilding(), accept);
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('is JSON for clients that prefer it, or have no preference', async () => {
    for (const header of ['*/*', 'application/json, application/x-ndjson;q=0.9']) {
      const { status, body } = await manager.post(`${BUILDINGS}/import`, smallBuilding(), {
        accept: header,
      });
      expect([status, body.created.storeys]).toEqual([201, 2]);
    }
  });

  it('logs a failure that many imports meet at once in one line', async () => {
    const { logger, text } = writtenLines(loggerOptions('warn'));
    const app = fastify({ loggerInstance: logger }).decorate('logError', errorLog());
    app.get('/', async (request, reply) =>
      answerInLines(request, reply, async (onPhase) => {
        onPhase({ name: 'reading', bytes: 1 });
        throw new LogUnavailable('its disk is full');
      }),
    );
    for (let count = 0; count < 3; count += 1)
      expect((await app.inject('/')).body).toContain('"UNAVAILABLE"');
    expect(text().trim().split('\n')).toHaveLength(1);
    await app.close();
  });
});
