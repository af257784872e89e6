/** The change feed behind an event that cannot be read, where the log is a real EventStoreDB. */
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { blockedFeed } from '../contract/blocked-feed.contract.ts';
import {
  eventstoreProgram,
  eventstoreServer,
  type EventStoreServer,
} from '../support/eventstoredb/server.ts';

const program = eventstoreProgram();
/** Of its own: what cannot be read would be in the way of all who share a log. */
let server: EventStoreServer | null = null;
const url = () => server?.url ?? inject('eventstoreUrl');

beforeAll(async () => {
  server = program ? await eventstoreServer(program) : null;
});
afterAll(() => server?.release());

describe('a change feed before an event that cannot be read', () => {
  blockedFeed(() => ({ log: eventstoreDbStore({ url: url() }) }));
});
