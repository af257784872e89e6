import { keyUseLog } from '../../src/identity/keys/key-use-log.ts';
import { keyAuthority } from '../../src/identity/keys/authority.ts';
import { systemClock } from '../../src/engine/time/clock.ts';
import { loggerOf } from '../../src/engine/observe/logging.ts';
import type { EventStore } from '../../src/engine/log/event-store.ts';
import { mintedKey } from './minted-key.ts';
import { currentVersions } from '../../test/support/log/keys.ts';

const ORGANISATIONS = 20;
const AT_ONCE = 64;

/** Records `uses` uses in `log`, by checking keys of {@link ORGANISATIONS} organisations. */
export const useKeys = async (log: EventStore, uses: number): Promise<void> => {
  const names = Array.from({ length: ORGANISATIONS }, (_, at) => `organisation-${at}`);
  const minted = await Promise.all(names.map((organisation) => mintedKey(log, organisation)));
  const recording = keyUseLog({ log, clock: systemClock, versions: currentVersions });
  const logger = loggerOf('warn');
  const keys = keyAuthority({ log, uses: recording, clock: systemClock, logger });
  let next = 0;
  const work = async () => {
    for (; next < uses;) {
      const { token } = minted[(next += 1) % ORGANISATIONS]!;
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
  await recording.close();
};
