import { describe, inject } from 'vitest';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { eventStoreContract } from '../contract/event-store.contract.ts';

const url = inject('eventstoreUrl');

describe('on a real EventStoreDB', () => {
  eventStoreContract('eventstoredb', async () => {
    const [store, other] = [1, 2].map(() => eventstoreDbStore({ url }));
    const close = async () => void (await Promise.all([store!.close(), other!.close()]));
    return { store: store!, other: other!, close };
  });
});
