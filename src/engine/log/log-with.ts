import type { Channel, EventStore } from './event-store.ts';

/** The same log with some of its calls replaced; its methods stay bound to it. */
export const logWith = (log: EventStore, changes: Partial<EventStore>): EventStore => ({
  backend: log.backend,
  capabilities: log.capabilities,
  channel: log.channel,
  orderedAppends: null,
  append: (...call) => log.append(...call),
  readStream: (...call) => log.readStream(...call),
  readAll: (...call) => log.readAll(...call),
  subscribe: (...call) => log.subscribe(...call),
  head: () => log.head(),
  compare: (a, b) => log.compare(a, b),
  distance: (a, b) => log.distance(a, b),
  truncateStream: (...call) => log.truncateStream(...call),
  deleteStream: (...call) => log.deleteStream(...call),
  close: () => log.close(),
  ...changes,
});

/** The same channel with `ask` replaced, and `ready` where it is given. */
export const channelWith = (
  channel: Channel,
  ask: Channel['ask'],
  ready: Channel['ready'] = () => channel.ready(),
): Channel => ({
  get connection() {
    return channel.connection;
  },
  ready,
  ask,
});
