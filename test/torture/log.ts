/** The protocol between the processes of a torture run. */
import type { EventStore } from '../../src/engine/log/event-store.ts';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { postgresEventStore } from '../../src/engine/log/postgres/store.ts';

/** The log at `url`: EventStoreDB, or Postgres in which the log has been made. */
export const openLog = (url: string): EventStore =>
  url.startsWith('esdb') ? eventstoreDbStore({ url }) : postgresEventStore({ url });

/** The categories that the writers of a round write to. */
export const categoriesOf = (round: string): readonly string[] => [
  `own${round}`,
  `hot${round}`,
  `journal${round}`,
];

/** A worker's message: ids acknowledged to it or read by it, or its end. */
export type Said = { readonly ids: readonly string[] } | { readonly done: true };
