/** Background work yields to the platform's event loop. contract.md section 4. */
import { expect, it, onTestFinished } from 'vitest';
import { demoBuilding } from '../../../src/demo/building.ts';
import { testPlatform } from '../../support/api/platform.ts';
import { until } from '../../support/until.ts';

it('read models, processes and timers resume only in their turn of the yield queue', async () => {
  const released = Promise.withResolvers<void>();
  let isHeld = false;
  let waiting = 0;
  const one = await testPlatform({
    waits: { commandMs: 1, readMs: 1 },
    async turn() {
      if (!isHeld) return;
      waiting += 1;
      await released.promise;
      waiting -= 1;
    },
  });
  onTestFinished(async () => {
    released.resolve();
    await one.close();
  });
  const agent = one.as('agent@acme.test');
  const { body } = await one
    .as('manager@acme.test')
    .post('/api/v1/buildings/import', demoBuilding());
  const ticket = () =>
    agent.post('/api/service-desk/requests', { buildingId: body.buildingId, description: 'Hot.' });
  const total = async () => (await agent.get('/api/service-desk/requests')).body.total;

  expect((await ticket()).status).toBe(201);
  await until(async () => (await total()) === 1, 'the first ticket in the list');
  isHeld = true;
  expect((await ticket()).status).toBe(201);
  await until(() => waiting >= 2, 'consumers that wait for their turn');
  expect(await total()).toBe(1);
  released.resolve();
  await until(async () => (await total()) === 2, 'the second ticket in the list');
});
