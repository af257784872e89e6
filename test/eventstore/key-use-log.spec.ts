import { describe, inject } from 'vitest';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { keyUseLogContract } from '../contract/key-use-log.contract.ts';

const url = inject('eventstoreUrl');

describe('on a real EventStoreDB', () => {
  keyUseLogContract('EventStoreDB', async () => {
    const [store, other] = [1, 2].map(() => eventstoreDbStore({ url }));
    const close = async () => void (await Promise.all([store!.close(), other!.close()]));
    return { store: store!, other: other!, close };
  });
});
