import { beforeEach, expect, it } from 'vitest';
import {
  keyringAnnouncements,
  type KeyringAnnouncements,
} from '../../../src/identity/keys/key-use-log.ts';
import { keyringOf } from '../../../src/identity/keys/token.ts';
import { LogUnavailable, type EventStore } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { noon } from '../../support/domain/specify.ts';
import { clockAt, keysOf } from '../../support/log/keys.ts';

const clock = clockAt(noon.at);
let announced: (readonly [string, number])[];
let log: EventStore;
let uses: KeyringAnnouncements;
beforeEach(() => {
  announced = [];
  log = memoryEventStore();
  uses = {
    ...keyringAnnouncements({ log, clock }),
    announce: async (...call) => {
      announced.push(call);
    },
  };
});

it('announces its own records, and again those of other processes', async () => {
  const first = keysOf(log, clock, 'acme', uses);
  const { keyId } = await first.mint();
  await first.revoke(keyId);
  await keysOf(log, clock, 'acme', uses).revoke(keyId);
  const keyring = `keyring-${keyringOf('acme')}`;
  expect(announced).toEqual([
    [keyring, 1],
    [keyring, 2],
    [keyring, 2],
  ]);
});

it('does not answer where that fails', async () => {
  const gone = new LogUnavailable('it is gone');
  const failing = { ...uses, announce: () => Promise.reject(gone) };
  await expect(keysOf(log, clock, 'acme', failing).mint()).rejects.toBe(gone);
});
