/**
 * An erasure in a platform of many tickets, from the request to its end: of the server as
 * `npm start` starts it, of a person who raised some of the tickets and wrote a note to each.
 *
 *     node bench/erasure.ts [tickets] [of the person]
 *
 * Asked for when every read model shows the whole log; processes may still follow it.
 * Ten seconds of it are waiting for keys in the memory of other processes. contract.md section 11.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresEventStore, prepareLog } from '../src/engine/log/postgres/store.ts';
import { benchCluster } from './support/cluster.ts';
import { processUs, treeUs } from './support/cpu.ts';
import { recordFigures } from './support/figures.ts';
import { DESK, shippedServer } from './support/shipped-server.ts';
import { writeHistories } from './support/ticket-histories.ts';

const [tickets = 1_000_000, own = 200] = process.argv.slice(2).map(Number);
const BAR_SECONDS = 60;
const AT_ONCE = 8;

const cluster = await benchCluster();
const url = await cluster.database('erasure');
await prepareLog(url);
// Events of a new log are sealed from the first one on.
await (await shippedServer(url, [])).stop();
const log = postgresEventStore({ url });
await writeHistories(log, { events: tickets, tickets, foreign: 0 });
await log.close();
const began = performance.now();
const server = await shippedServer(url, []);
const since = (from: number) => ((performance.now() - from) / 1_000).toFixed(1);
console.log(`${tickets} tickets; ready after ${since(began)} s, while read models are being made`);

/** Read models that lack events of the log. */
const behind = async () => {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const lags = [...text.matchAll(/^atrium_projection_lag_events\{\w+="([^"]+)",[^}]*\} (\d+)$/gm)];
  // None are told while the database does not answer in time.
  if (lags.length === 0) return ['unknown'];
  return lags.filter(([, , lag]) => lag !== '0').map(([, name, lag]) => `${name} ${lag}`);
};
const caughtUp = async () => {
  for (let left = await behind(); left.length > 0; left = await behind()) {
    console.log(`${since(began)} s: ${left.join(', ')}`);
    await sleep(10_000);
  }
};

const as = async (email: string) => {
  const signedIn = await fetch(`${server.url}/dev/oidc/dev-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  return async <Body>(path: string, body?: object): Promise<Body> => {
    const answer = await fetch(server.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Body;
  };
};

try {
  const person = await as('agent@acme.test');
  const manager = await as('manager@acme.test');
  const { items } = await manager<{ items: readonly { id: string }[] }>('/api/v1/buildings');
  const { actor } = await person<{ actor: { id: string } }>('/api/v1/me');
  const raise = async () => {
    const { id } = await person<{ id: string }>(DESK, {
      buildingId: items[0]!.id,
      description: 'The radiator is cold since Monday.',
    });
    await person(`${DESK}/${id}/updates`, { body: 'It still is.', visibility: 'public' });
  };
  for (let left = own; left > 0; left -= AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, raise));

  await caughtUp();
  console.log(`every read model is at the end after ${since(began)} s`);
  const cpu = () => processUs(server.pid) + (treeUs(cluster.postmaster) ?? Number.NaN);
  const [asked, before] = [performance.now(), cpu()];
  const { erasureId } = await manager<{ erasureId: string }>('/api/v1/erasures', {
    subject: { userId: actor.id },
    texts: 'erase',
    reason: 'Asked for by letter',
  });
  interface Answer {
    readonly status: string;
    readonly found: { readonly tickets: number; readonly notes: number };
  }
  let answer: Answer;
  do {
    await sleep(250);
    answer = await manager<Answer>(`/api/v1/erasures/${erasureId}`);
  } while (answer.status !== 'finished');
  const seconds = (performance.now() - asked) / 1_000;
  const { found } = answer;
  console.log(
    `${found.tickets} tickets and ${found.notes} notes of a person erased in ` +
      `${seconds.toFixed(1)} s, ${((cpu() - before) / 1e6).toFixed(1)} s of processor time, ` +
      `bar ${BAR_SECONDS} s: ${seconds <= BAR_SECONDS ? 'holds' : 'MISSED'}`,
  );
  recordFigures({
    name: 'to its end',
    value: seconds,
    unit: 's',
    better: 'less',
    bar: BAR_SECONDS,
  });
} finally {
  await server.stop();
  await cluster.stop();
}
