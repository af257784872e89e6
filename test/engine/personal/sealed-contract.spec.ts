import { randomBytes } from 'node:crypto';
import { codecOf, type EventType } from '../../../src/engine/log/codec.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { postgresEventStore } from '../../../src/engine/log/postgres/store.ts';
import { personKeysIn } from '../../../src/engine/personal/person-keys.ts';
import { sealedLog } from '../../../src/engine/personal/sealed-log.ts';
import { secretsOf } from '../../../src/engine/secrets/secrets.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { eventStoreContract } from '../../contract/event-store.contract.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { poolOf } from '../../support/postgres/pool.ts';
import { z } from 'zod';

/** Every member of every event is personal data. */
const wholly: EventType = {
  schema: z.unknown(),
  personal: {
    since: 1,
    partsOf: ({ data }) => [
      {
        subject: 'user:ada',
        purpose: 'texts',
        standIns: Object.fromEntries(Object.keys(data).map((name) => [name, null])),
      },
    ],
  },
};

const everyType = new (class extends Map<string, EventType> {
  override get() {
    return wholly;
  }
})(codecOf({}).types);

/** Adds the organisation to each appended event. */
const ofOneOrganisation = (log: EventStore): EventStore =>
  logWith(log, {
    append: (stream, expected, events, options) =>
      log.append(
        stream,
        expected,
        events.map((event) => ({ ...event, meta: { ...event.meta, organisation: 'north' } })),
        options,
      ),
  });

const sealedOver = async (open: (url: string) => readonly [EventStore, EventStore]) => {
  const { url, drop } = await freshDatabase();
  const secrets = secretsOf([randomBytes(32)]);
  const pools = [poolOf(url), poolOf(url)];
  const stores = open(url);
  const [store, other] = stores.map((log, n) => {
    const keys = personKeysIn({ pool: pools[n]!, secrets, clock: systemClock });
    return ofOneOrganisation(sealedLog(log, keys, everyType));
  });
  return {
    store: store!,
    other: other!,
    async close() {
      await Promise.all(stores.map((log) => log.close()));
      await Promise.all(pools.map((pool) => pool.end()));
      await drop();
    },
  };
};

eventStoreContract('a sealed log in memory', () =>
  sealedOver(() => {
    const log = memoryEventStore();
    return [log, log];
  }),
);

eventStoreContract('a sealed log in Postgres', () =>
  sealedOver((url) => [postgresEventStore({ url }), postgresEventStore({ url })]),
);
