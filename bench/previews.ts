/**
 * The cost of previews of photos for the shipped server and its processes.
 *
 *     node bench/previews.ts [photos] [at once]
 *
 * Photos of 12 megapixels are uploaded concurrently, and then their previews are requested, `at
 * once` concurrently. Memory is the maximum resident size, of the server, and of the server with
 * the processes that draw, sampled each {@link LOOK_MS}.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { formHeaders, formOf } from '../test/support/api/form.ts';
import { photo } from '../test/support/pictures.ts';
import { servers } from '../test/support/servers/servers.ts';
import { median, quantile } from './support/figures.ts';
import { residentMib } from './support/memory.ts';

const [photos = 100, atOnce = 10] = process.argv.slice(2).map(Number);
const LOOK_MS = 10;
const RETRY_MS = 1_000;
const OF_TICKET = 10;
const REQUESTS = '/api/service-desk/requests';
const manager = 'manager@acme.test';

const directory = mkdtempSync(join(tmpdir(), 'atrium-bench-previews-'));
const running = servers();
const server = await running.start({ ATRIUM_DATA: directory });
const pid = server.process.pid!;

const childrenOf = (parent: number): readonly number[] => {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim();
  return children === '' ? [] : children.split(' ').map(Number);
};

const isDrawing = (child: number): boolean =>
  readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('drawing-process');

/** Returns `gone` for a process that has ended. */
const unlessGone = <T>(look: () => T, gone: T): T => {
  try {
    return look();
  } catch {
    return gone;
  }
};

const peaks = { server: 0, drawing: 0, all: 0 };
const look = () => {
  const own = residentMib(pid);
  const drawing = childrenOf(pid)
    .filter((child) => unlessGone(() => isDrawing(child), false))
    .map((child) => unlessGone(() => residentMib(child), 0));
  const together = drawing.reduce((sum, one) => sum + one, 0);
  peaks.server = Math.max(peaks.server, own);
  peaks.drawing = Math.max(peaks.drawing, ...drawing);
  peaks.all = Math.max(peaks.all, own + together);
};
const looking = setInterval(look, LOOK_MS);
const printMemory = (name: string) => {
  const mib = Object.entries(peaks).map(([whose, peak]) => `${whose} ${Math.round(peak)} MiB`);
  console.log(`${name}: ${mib.join(', ')}`);
  for (const whose of ['server', 'drawing', 'all'] as const) peaks[whose] = 0;
};

const token = await server.tokenOf(manager);
const call = async (method: string, path: string, body?: object): Promise<Response> => {
  const json = body !== undefined && !(body instanceof Uint8Array);
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(json ? { 'content-type': 'application/json' } : formHeaders),
    },
    ...(body === undefined
      ? {}
      : { body: json ? JSON.stringify(body) : (body as Uint8Array<ArrayBuffer>) }),
  });
  // Retries after a 429, as a client should.
  if (answer.status === 429) {
    await answer.arrayBuffer();
    await sleep(RETRY_MS);
    return call(method, path, body);
  }
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer;
};

const answered = async <T>(answer: Promise<Response>): Promise<T> =>
  (await (await answer).json()) as T;

const { items } = await answered<{ readonly items: readonly { readonly id: string }[] }>(
  call('GET', '/api/v1/buildings'),
);
const { id: buildingId } = items[0]!;
const tickets: string[] = [];
for (let made = 0; made < photos / OF_TICKET; made += 1) {
  const body = { buildingId, description: 'photos' };
  const { id } = await answered<{ readonly id: string }>(call('POST', REQUESTS, body));
  tickets.push(id);
}

const original = await photo(4_000, 3_000).blur(1).jpeg({ quality: 92 }).toBuffer();
/** A distinct file with the same pixels: only the density differs, which decoders ignore. */
const photoOf = (number: number): Buffer => {
  const bytes = Buffer.from(original);
  bytes.writeUInt16BE(72 + number, 14);
  return bytes;
};
console.log(`${photos} photos of ${(original.length / 1024 / 1024).toFixed(1)} MiB`);
look();
printMemory('at rest');

const began = performance.now();
const previews = await Promise.all(
  Array.from({ length: photos }, async (_, number): Promise<string> => {
    const form = formOf({ name: 'file', fileName: 'a.jpg', content: photoOf(number) });
    const path = `${REQUESTS}/${tickets[number % tickets.length]}/attachments`;
    const { preview } = await answered<{ readonly preview: string }>(call('POST', path, form));
    return preview;
  }),
);
const seconds = (performance.now() - began) / 1000;
const mib = (photos * original.length) / 1024 / 1024;
console.log(`uploaded in ${seconds.toFixed(1)} s, ${(mib / seconds).toFixed(0)} MiB/s`);
printMemory('while uploading all at once');

const round = async (name: string, count: number) => {
  const waiting = previews.values();
  const times: number[] = [];
  const reader = async () => {
    for (const preview of waiting) {
      const start = performance.now();
      await (await call('GET', preview)).arrayBuffer();
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: count }, reader));
  const ms = [median(times), quantile(times, 0.99)].map((one) => Math.round(one));
  console.log(`${name}, ${count} at once: median ${ms[0]} ms, p99 ${ms[1]} ms`);
  printMemory('meanwhile');
};

const first = previews.splice(0, 10);
const rest = previews.splice(0);
previews.push(...first);
await round('drawn', 1);
previews.splice(0, first.length, ...rest);
await round('drawn', atOnce);
await round('kept', atOnce);

clearInterval(looking);
await running.release();
rmSync(directory, { recursive: true, force: true });
