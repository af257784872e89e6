/** The change feed behind an event that cannot be read, where the log is in Postgres. */
import { describe } from 'vitest';
import { blockedFeed } from '../../../contract/blocked-feed.contract.ts';

describe('a change feed before an event that cannot be read', () => {
  blockedFeed(() => ({}));
});
