import { inject } from 'vitest';
import { eventstoreDbStore } from '../../src/store/eventstoredb/store.ts';
import { tracingContract } from '../contract/tracing.contract.ts';

const url = inject('eventstoreUrl');

tracingContract('over a real EventStoreDB', () => ({ log: eventstoreDbStore({ url }) }));
