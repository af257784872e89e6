/** A client that stops reading holds up nobody, and is given up: contract.md section 8. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { logBus } from '../../../src/bus/log/bus.ts';
import { systemClock } from '../../../src/ops/clock.ts';
import { testApi } from '../../support/api/api.ts';
import { liveClient } from '../../support/api/live-client.ts';
import { rawLiveClient } from '../../support/api/raw-live-client.ts';

const api = testApi();
const soon = { timeout: 30_000 };
const dropped = async () => {
  const { body } = await api.as(null).get('/metrics');
  const line = /^atrium_live_dropped_sessions_total\{reason="SLOW_CONSUMER"\} (\d+)$/m.exec(body);
  return Number(line?.[1] ?? 0);
};

it('is disconnected, while the others of the room are told everything', async () => {
  const buildingId = await api.importBuilding();
  const token = await api.issuer.tokenOf('viewer@acme.test');
  const join = { buildingId };
  const stalled = await rawLiveClient(api.address, token);
  stalled.send(`42/buildings,0${JSON.stringify(['join', join])}`);
  await stalled.heard('43/buildings,0[{"ok":true');
  const reading = await liveClient(api.address, { token });
  await reading.ask('join', join);

  stalled.stopReading();
  const bus = logBus({ log: api.log, clock: systemClock, expected: [] });
  const data = { buildingId, readings: 'x'.repeat(60_000) };
  let sent = 0;
  // What the kernel keeps for a connection is its own affair: until the server has had enough.
  while (sent < 2_000 && (await dropped()) === 0) {
    for (let index = 0; index < 25; index += 1, sent += 1)
      await bus.publish(
        { buildingId, type: 'wifi-sensing.event' },
        { ...data, sent },
        {
          eventId: randomUUID(),
          at: systemClock.now(),
        },
      );
    await expect.poll(() => reading.told.length, soon).toBe(sent);
  }
  expect(await dropped()).toBe(1);
  const numbers = reading.told.map(({ body }) => body.data['sent']);
  expect(numbers).toEqual(Array.from({ length: sent }, (_, index) => index));
  stalled.readOn();
  await stalled.closed();
});
