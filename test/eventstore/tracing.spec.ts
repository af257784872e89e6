/** On a server of its own: on one that others have filled, its processes would follow all of it. */
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { tracingContract } from '../contract/tracing.contract.ts';
import { ownServer } from './support/own-server.ts';

const own = ownServer();

tracingContract('over a real EventStoreDB', () => ({ log: eventstoreDbStore({ url: own.url }) }));
