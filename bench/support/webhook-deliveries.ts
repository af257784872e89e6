import { randomUUID } from 'node:crypto';
import type { Secrets } from '../../src/engine/secrets/secrets.ts';
import { systemAuthority } from '../../src/domain/authority.ts';
import type { EventStore } from '../../src/engine/log/event-store.ts';
import {
  subscriptionRepository,
  subscriptionStream,
} from '../../src/use-cases/webhooks/subscriptions.ts';
import { tellPoints } from '../../test/support/webhooks/telemetry.ts';

const SUBSCRIPTIONS = 10;
const POINTS_OF_FACT = 10;

export interface Deliveries {
  readonly log: EventStore;
  readonly secrets: Secrets;
  readonly deliveries: number;
  /** The receiver's port. */
  readonly port: number;
}

/** Announces enough points for `deliveries` deliveries to {@link SUBSCRIPTIONS} subscriptions. */
export const deliverTo = async ({ log, secrets, deliveries, port }: Deliveries): Promise<void> => {
  for (let count = 0; count < SUBSCRIPTIONS; count += 1) {
    const webhookId = randomUUID();
    const secret = secrets.seal(`whsec_${'a'.repeat(43)}=`, subscriptionStream(webhookId));
    await subscriptionRepository(log).give(
      webhookId,
      {
        commandId: randomUUID(),
        command: {
          type: 'RegisterSubscription',
          authority: systemAuthority,
          webhookId,
          organisation: 'acme',
          url: `http://127.0.0.1:${port}/${count}`,
          events: ['building.point.updated'],
          buildingId: null,
          description: null,
          sealedSecret: secret,
        },
      },
      { at: new Date().toISOString(), by: { kind: 'system', id: 'bench' }, origin: 'system' },
    );
  }
  const facts = Math.ceil(deliveries / SUBSCRIPTIONS / POINTS_OF_FACT);
  for (let fact = 0; fact < facts; fact += 1)
    await tellPoints(log, { organisation: 'acme', points: POINTS_OF_FACT });
};
