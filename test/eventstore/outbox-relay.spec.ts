import { describe, inject } from 'vitest';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { outboxRelayContract } from '../contract/outbox-relay.contract.ts';

const url = inject('eventstoreUrl');

describe('announcements on a real EventStoreDB', () => {
  outboxRelayContract(async () => {
    const [store, other] = [1, 2].map(() => eventstoreDbStore({ url }));
    const close = async () => void (await Promise.all([store!.close(), other!.close()]));
    return { store: store!, other: other!, close };
  });
});
