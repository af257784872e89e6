import { beforeEach, expect, it } from 'vitest';
import { keyringOf } from '../../../src/identity/keys/token.ts';
import { LogUnavailable, type EventStore } from '../../../src/engine/log/event-store.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { noon } from '../../support/domain/specify.ts';
import { clockAt, keysOf } from '../../support/log/keys.ts';

let announced: (readonly [string, number])[];
let log: EventStore;
beforeEach(() => {
  announced = [];
  log = logWith(memoryEventStore(), {
    announce: async (...call) => {
      announced.push(call);
    },
  });
});

it('announces what it records, and again what another process has recorded before', async () => {
  const first = keysOf(log, clockAt(noon.at), 'acme');
  const { keyId } = await first.mint();
  await first.revoke(keyId);
  await keysOf(log, clockAt(noon.at), 'acme').revoke(keyId);
  const keyring = `keyring-${keyringOf('acme')}`;
  expect(announced).toEqual([
    [keyring, 1],
    [keyring, 2],
    [keyring, 2],
  ]);
});

it('does not answer where that fails', async () => {
  const gone = new LogUnavailable('it is gone');
  const failing = logWith(log, { announce: () => Promise.reject(gone) });
  await expect(keysOf(failing, clockAt(noon.at), 'acme').mint()).rejects.toBe(gone);
});
