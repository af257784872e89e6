import { describe, inject } from 'vitest';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { keyAuthorityContract } from '../contract/key-authority.contract.ts';

const url = inject('eventstoreUrl');

describe('on a real EventStoreDB', () => {
  keyAuthorityContract('EventStoreDB', async () => {
    const log = eventstoreDbStore({ url });
    return { log, close: () => log.close() };
  });
});
