import { keyAuthority } from '../../src/identity/keys/authority.ts';
import { keyringOf, newKeyId, newToken } from '../../src/identity/keys/token.ts';
import { systemClock } from '../../src/ops/clock.ts';
import { loggerOf } from '../../src/ops/logging.ts';
import type { EventStore } from '../../src/store/event-store.ts';
import { keyringRepository } from '../../src/store/repositories/keyrings.ts';

const ORGANISATIONS = 20;
const AT_ONCE = 64;

/** Checks keys of {@link ORGANISATIONS} organisations, and so records so many uses in `log`. */
export const useKeys = async (log: EventStore, uses: number): Promise<void> => {
  const names = Array.from({ length: ORGANISATIONS }, (_, at) => `organisation-${at}`);
  const tokens = await Promise.all(names.map((organisation) => mintedToken(log, organisation)));
  const keys = keyAuthority({ log, clock: systemClock, logger: loggerOf('warn') });
  let next = 0;
  const work = async () => {
    for (; next < uses;) {
      const token = tokens[(next += 1) % ORGANISATIONS]!;
      const answer = await keys.check(token, {
        needs: 'platform.sandboxes:read',
        route: 'GET /api/v1/buildings/{buildingId}/points',
        sourceIp: '192.0.2.17',
        userAgent: 'acme-integration/4.2 (node)',
      });
      if (!answer.allowed) throw new Error(answer.detail);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
};

const mintedToken = async (log: EventStore, organisation: string): Promise<string> => {
  const keyId = newKeyId(organisation);
  const { token, secretHash } = newToken(keyId);
  await keyringRepository(log).give(
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
  return token;
};
