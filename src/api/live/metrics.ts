import { Counter, Gauge } from 'prom-client';
import type { MetricRegistry } from '../../engine/observe/metrics.ts';

/** Metrics of the live service. Labels have no ids: those are unbounded. */
export interface LiveMetrics {
  /** Messages were sent to this many clients, directly or through their buffers. */
  sent(clients: number): void;
  /** A buffered message was replaced by a later one of the same point. */
  conflated(): void;
  /** The server ended a session. */
  dropped(reason: string): void;
  /** Read at every scrape. */
  standing(read: () => LiveUsage): void;
}

export interface LiveUsage {
  readonly connections: number;
  readonly rooms: number;
}

export const liveMetrics = ({ registry, beforeScrape }: MetricRegistry): LiveMetrics => {
  const registers = [registry];
  let standing: () => LiveUsage = () => ({ connections: 0, rooms: 0 });
  const connections = new Gauge({
    name: 'atrium_live_connections',
    help: 'Sessions of the live service in this process',
    registers,
  });
  const rooms = new Gauge({
    name: 'atrium_live_rooms',
    help: 'Buildings with subscribers in this process',
    registers,
  });
  const messages = new Counter({
    name: 'atrium_live_messages_total',
    help: 'Messages for clients of the live service, counted by client',
    registers,
  });
  const conflations = new Counter({
    name: 'atrium_live_conflated_messages_total',
    help: 'Messages for slow clients that a later one of the same point replaced',
    registers,
  });
  const drops = new Counter({
    name: 'atrium_live_dropped_sessions_total',
    help: 'Sessions that the server ended, by reason',
    labelNames: ['reason'],
    registers,
  });
  beforeScrape(() => {
    const now = standing();
    connections.set(now.connections);
    rooms.set(now.rooms);
  });

  return {
    sent: (clients) => messages.inc(clients),
    conflated: () => conflations.inc(),
    dropped: (reason) => drops.inc({ reason }),
    standing(read) {
      standing = read;
    },
  };
};
