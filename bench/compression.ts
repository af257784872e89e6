/**
 * The cost of compressing a list of tickets, against sending it uncompressed: bytes, CPU of the
 * event loop's thread, and the longest turn of the event loop.
 *
 *     node bench/compression.ts [runs]
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fastify from 'fastify';
import { compressor, compressResponses } from '../src/api/http/compression.ts';
import texts from '../test/fixtures/maintenance-texts.json' with { type: 'json' };

const runs = Number(process.argv[2] ?? 200);

/** As long as a ticket of a page: ids and instants differ, and the text is realistic. */
const ticketOf = (n: number) => ({
  id: crypto.randomUUID(),
  number: `ACME-${n}`,
  buildingId: crypto.randomUUID(),
  subject: texts[n % texts.length],
  description: [1, 2, 3, 5, 7].map((step) => texts[(n * step) % texts.length]).join('. '),
  state: 'triaged',
  priority: 'high',
  spaceId: crypto.randomUUID(),
  metadata: { source: 'cafm', externalId: crypto.randomUUID() },
  createdAt: new Date(n * 1_000).toISOString(),
  updatedAt: new Date(n * 2_000).toISOString(),
});

/** Reads the responses in a separate thread, without decompressing them. */
const READER = `
  const { parentPort } = require('node:worker_threads');
  const { Agent, get } = require('node:http');
  const agent = new Agent({ keepAlive: true });
  parentPort.on('message', async ({ url, accepted, count }) => {
    let bytes = 0;
    for (let run = 0; run < count; run += 1)
      await new Promise((resolve, reject) => {
        const headers = { 'accept-encoding': accepted };
        const asked = get(url, { agent, headers }, (answer) => {
          answer.on('data', (part) => (bytes += part.length)).on('end', resolve);
        });
        asked.on('error', reject);
      });
    parentPort.postMessage(bytes / count);
  });
`;

const cpuMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000;

const measured = async (reader: Worker, tickets: number, accepted: string) => {
  const text = JSON.stringify({ items: Array.from({ length: tickets }, (_, n) => ticketOf(n)) });
  const answer = Buffer.from(text);
  const app = fastify();
  compressResponses(app, compressor());
  app.get('/', (_request, reply) => reply.type('application/json').send(answer));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const read = async (count: number): Promise<number> => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is no window
    reader.postMessage({ url, accepted, count });
    const [bytes] = (await once(reader, 'message')) as [number];
    return bytes;
  };
  const count = Math.max(5, Math.min(runs, Math.ceil((runs * 50_000) / answer.length)));
  await read(count);
  const before = process.threadCpuUsage();
  let since = cpuMs(before);
  let heldMs = 0;
  const looking = setInterval(() => {
    const now = cpuMs(process.threadCpuUsage());
    heldMs = Math.max(heldMs, now - since);
    since = now;
  }, 1);
  const sent = await read(count);
  clearInterval(looking);
  const ownMs = cpuMs(process.threadCpuUsage(before)) / count;
  await app.close();
  return {
    answer: answer.length,
    accepted,
    sent,
    'times smaller': (answer.length / sent).toFixed(1),
    'ms of the loop’s thread': ownMs.toFixed(2),
    'its longest turn, ms': heldMs.toFixed(1),
  };
};

const reader = new Worker(READER, { eval: true });
const rows = [];
for (const tickets of [2, 50, 1_500, 20_000])
  for (const accepted of ['identity', 'br', 'gzip'])
    rows.push(await measured(reader, tickets, accepted));
console.table(rows);
await reader.terminate();
