/** The feeds in a busy log, where the log is a real EventStoreDB. */
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { feedsOnABusyLog } from '../contract/feeds-on-a-busy-log.contract.ts';
import {
  eventstoreProgram,
  eventstoreServer,
  type EventStoreServer,
} from '../support/eventstoredb/server.ts';

const program = eventstoreProgram();
/** A separate server, because all of its tickets and messages are counted. */
let server: EventStoreServer | null = null;
const open = () => eventstoreDbStore({ url: server?.url ?? inject('eventstoreUrl') });

beforeAll(async () => {
  server = program ? await eventstoreServer(program) : null;
});
afterAll(() => server?.release());

describe('the feeds in a log that is full of another organisation’s events', () => {
  feedsOnABusyLog(() => ({ log: open() }), open);
});
