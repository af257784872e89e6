/**
 * A capability that only the test tree has: added to the list, it works whole, without an edit
 * anywhere else.
 */
import { expect, it } from 'vitest';
import { releaseOf } from '../../src/composition/release.ts';
import { capabilities } from '../../src/compose.ts';
import { virtualClock } from '../../src/engine/time/clock.ts';
import { testApi } from '../support/api/api.ts';
import { saidJournal } from './toy/greeting.ts';
import { greetingsCapability } from './toy/greetings.ts';

const GREETINGS = '/api/v1/greetings';
const DAY_MS = 24 * 3_600_000;
const clock = virtualClock();
let isMute = false;
const release = releaseOf([...capabilities, greetingsCapability(() => isMute)]);
const platform = testApi(() => ({ release, clock, timeTravel: true, generatesDocument: true }));
const manager = platform.as('manager@acme.test');
const operator = platform.as('operator@atrium.test');
const advance = async (by: string) =>
  expect((await operator.post('/api/v1/clock', { advance: by })).status).toBe(200);

it('plans, lists, fires, acts, and deletes its journal after its term', async () => {
  const dueAt = new Date(Date.parse(clock.now()) + DAY_MS).toISOString();
  const journal = saidJournal('acme', dueAt);
  const said = async () => (await platform.log.readStream(journal)).map(({ data }) => data);
  const planned = await manager.post(GREETINGS, { words: 'Good morning', dueAt });
  expect(planned).toMatchObject({ status: 201, body: { words: 'Good morning' } });
  const { greetingId } = planned.body;
  expect((await manager.get(GREETINGS)).body).toEqual({
    items: [{ greetingId, words: 'Good morning', dueAt }],
  });
  expect((await platform.as('manager@globex.test').get(GREETINGS)).body).toEqual({ items: [] });

  await advance('PT23H');
  expect(await said()).toEqual([]);
  await advance('PT2H');
  expect(await said()).toMatchObject([{ words: 'Good morning' }]);
  expect((await platform.as(null).get('/metrics')).body).toContain('atrium_greetings_said_total 1');
  await expect
    .poll(async () => (await manager.get(GREETINGS)).body)
    .toEqual({ items: [{ greetingId, words: 'Good morning', dueAt: null }] });

  await advance('P1D');
  expect(await said()).toHaveLength(1);
  await advance('P2D');
  await expect.poll(said).toEqual([]);
});

it('is shown by readiness, the metrics, the operations and the OpenAPI document', async () => {
  const { as } = platform;
  const health = async () => (await as(null).get('/health/ready')).body;
  const metrics = async () => (await as(null).get('/metrics')).body;
  await expect.poll(health).toEqual({ status: 'ready' });
  expect(await metrics()).toContain('atrium_degraded{part="greetings"} 0');
  isMute = true;
  await expect.poll(async () => JSON.stringify(await health())).toContain('cannot be said');
  expect(await metrics()).toContain('atrium_degraded{part="greetings"} 1');
  isMute = false;

  const shown = async (path: string) =>
    (await operator.get(path)).body.items.map(({ name }: { name: string }) => name);
  expect(await shown('/api/v1/operations/projections')).toContain('greeting-list');
  const processes = await shown('/api/v1/operations/processes');
  expect(processes).toEqual(expect.arrayContaining(['greeting-saying', 'greeting-due']));
  const { body } = await as(null).get('/openapi.json');
  expect(Object.keys(body.paths)).toContain(GREETINGS);
});
