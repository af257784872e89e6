import { keyringAnnouncements } from '../../src/identity/keys/key-use-log.ts';
import { keyringOf, newKeyId, newToken } from '../../src/identity/keys/token.ts';
import { systemClock } from '../../src/engine/time/clock.ts';
import type { EventStore } from '../../src/engine/log/event-store.ts';
import { keyringRepository } from '../../src/use-cases/keys/keyrings.ts';

export interface MintedKey {
  readonly keyId: string;
  readonly token: string;
  readonly secretHash: string;
}

/** A key of the organisation, with scope `sandbox`, for 90 days. */
export const mintedKey = async (log: EventStore, organisation: string): Promise<MintedKey> => {
  const keyId = newKeyId(organisation);
  const { token, secretHash } = newToken(keyId);
  await keyringRepository(log, keyringAnnouncements({ log, clock: systemClock })).give(
    keyringOf(organisation),
    {
      commandId: crypto.randomUUID(),
      organisation,
      command: {
        type: 'MintKey',
        organisation,
        keyId,
        label: 'bench',
        scope: 'sandbox',
        secretHash,
        expiresInDays: 90,
      },
    },
    { at: systemClock.now(), by: { kind: 'user', id: 'ada' }, origin: 'api' },
  );
  return { keyId, token, secretHash };
};
