/** The change feed blocked by an unreadable event, where the log is a real EventStoreDB. */
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { blockedFeed } from '../contract/blocked-feed.contract.ts';
import {
  eventstoreProgram,
  eventstoreServer,
  type EventStoreServer,
} from '../support/eventstoredb/server.ts';

const program = eventstoreProgram();
/** A separate server, because an unreadable event would block other tests on a shared log. */
let server: EventStoreServer | null = null;
const url = () => server?.url ?? inject('eventstoreUrl');

beforeAll(async () => {
  server = program ? await eventstoreServer(program) : null;
});
afterAll(() => server?.release());

describe('a change feed blocked by an unreadable event', () => {
  blockedFeed(() => ({ log: eventstoreDbStore({ url: url() }) }));
});
