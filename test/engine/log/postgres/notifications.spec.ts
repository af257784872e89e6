import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { Signal } from '../../../../src/engine/concurrency/signal.ts';
import { Notifications } from '../../../../src/engine/log/postgres/notifications.ts';
import { letPass, until } from '../../../support/until.ts';

/** A connection to a server, or to a pooler that forwards no notification. */
const connectionTo = (server: 'server' | 'pooler') => {
  const clients: EventEmitter[] = [];
  const client = async () => {
    const made = Object.assign(new EventEmitter(), { query: async () => {} });
    clients.push(made);
    return made;
  };
  const rows = async ({ values: [channel, payload] }: { values: string[] }) => {
    if (server === 'server') clients.at(-1)!.emit('notification', { channel, payload });
    return [];
  };
  return { clients, connection: { client, rows } as never };
};

it('are known to arrive once the listening connection has received one', async () => {
  const { clients, connection } = connectionTo('server');
  const notifications = new Notifications(connection, 'atrium_es', new Signal());
  expect(notifications.arrive).toBe(false);
  const stop = notifications.listen();
  await until(() => notifications.arrive, 'a notification');
  clients[0]!.emit('end');
  expect(notifications.arrive).toBe(false);
  await until(() => notifications.arrive, 'a notification over the next connection');
  expect(clients).toHaveLength(2);
  stop();
  expect(notifications.arrive).toBe(false);
});

it('are not known to arrive through a pooler that drops them', async () => {
  const { connection } = connectionTo('pooler');
  const notifications = new Notifications(connection, 'atrium_es', new Signal());
  const stop = notifications.listen();
  await letPass(100, 'a notification would have come by now');
  expect(notifications.arrive).toBe(false);
  stop();
});
