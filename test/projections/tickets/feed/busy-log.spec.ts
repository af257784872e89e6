/** The feeds in a busy log, where the log is in Postgres. */
import { describe } from 'vitest';
import { postgresEventStore } from '../../../../src/engine/log/postgres/store.ts';
import { feedsOnABusyLog } from '../../../contract/feeds-on-a-busy-log.contract.ts';

describe('the feeds in a log that is full of another organisation’s events', () => {
  feedsOnABusyLog(
    () => ({}),
    (url) => postgresEventStore({ url }),
  );
});
