/** On a separate server: on a filled one its processes would have to catch up first. */
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { tracingContract } from '../contract/tracing.contract.ts';
import { ownServer } from './support/own-server.ts';

const own = ownServer();

tracingContract('over a real EventStoreDB', () => ({ log: eventstoreDbStore({ url: own.url }) }));
