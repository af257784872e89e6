/**
 * Uploads of 25 MiB files through the shipped server, beside the same bytes written and synced to
 * the same disk; into S3 (OpenStack Swift), beside bare PUTs of the same bytes; and memory while
 * 100 clients upload at once.
 *
 *     node bench/uploads.ts [files]
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { temporaryDirectory } from '../test/support/directory.ts';
import { hasS3Server, s3Server } from '../test/support/s3/server.ts';
import { spawnServer, type ServerProcess } from '../test/support/servers/server.ts';
import { benchCluster } from './support/cluster.ts';
import { processUs } from './support/cpu.ts';
import { residentMib } from './support/memory.ts';

const MIB = 1024 * 1024;
const FILE_MIB = 25;
const files = Number(process.argv[2] ?? 20);
const LANES = 4;
const AT_ONCE = 100;
const REQUESTS = '/api/service-desk/requests';
const AGENT = 'agent@acme.test';
/** 250 MiB per ticket. */
const FILES_OF_TICKET = 10;

/** Text, which any store accepts; different bytes each time. */
const contentOf = (): Buffer<ArrayBuffer> =>
  Buffer.from(randomBytes((FILE_MIB * MIB * 3) / 4).toString('base64'));

const inLanes = async (count: number, work: () => Promise<void>): Promise<number> => {
  let left = count;
  const began = performance.now();
  const lane = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return (performance.now() - began) / 1_000;
};
const rate = (seconds: number) => `${((files * FILE_MIB) / seconds).toFixed(0)} MiB/s`;
const report = (what: string, figures: string) => console.log(`${what.padEnd(44)} ${figures}`);

const cluster = await benchCluster();
const started = async (name: string, env: Record<string, string>): Promise<ServerProcess> => {
  const DATABASE_URL = await cluster.database(name);
  const server = await spawnServer({ DATABASE_URL, ATRIUM_DATA: temporaryDirectory(name), ...env });
  await server.ready();
  return server;
};
const ticketsOf = async (server: ServerProcess) => {
  const { body } = await server.call(AGENT, 'GET', '/api/v1/buildings');
  const buildingId = body.items[0].id;
  let used = 0;
  let ticket: Promise<string> | null = null;
  return () => {
    if (used % FILES_OF_TICKET === 0)
      ticket = server
        .call(AGENT, 'POST', REQUESTS, { body: { buildingId, description: 'x' } })
        .then((answer) => answer.body.id as string);
    used += 1;
    return ticket!;
  };
};
const upload = async (server: ServerProcess, ticketId: string, content: Buffer<ArrayBuffer>) => {
  const form = new FormData();
  form.set('file', new Blob([content]), 'file.txt');
  return fetch(`${server.url}${REQUESTS}/${ticketId}/attachments`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await server.tokenOf(AGENT)}`,
      'idempotency-key': randomUUID(),
    },
    body: form,
  });
};
const throughServer = async (what: string, server: ServerProcess) => {
  const ticketOf = await ticketsOf(server);
  const pid = server.process.pid!;
  const before = processUs(pid);
  const seconds = await inLanes(files, async () => {
    const { status } = await upload(server, await ticketOf(), contentOf());
    if (status !== 201) throw new Error(`an upload was answered ${status}`);
  });
  const cpuMs = (processUs(pid) - before) / 1_000 / (files * FILE_MIB);
  report(what, `${rate(seconds)}; CPU of the server ${cpuMs.toFixed(1)} ms a MiB`);
};

console.log(`load before: ${loadavg()[0]!.toFixed(1)}; ${files} files of ${FILE_MIB} MiB`);
const plain = temporaryDirectory('plain');
await mkdir(plain, { recursive: true });
const plainSeconds = await inLanes(files, async () => {
  const handle = await open(join(plain, randomUUID()), 'wx');
  await handle.writeFile(contentOf());
  await handle.sync();
  await handle.close();
});
report('plain write and fsync', rate(plainSeconds));
const server = await started('uploads', {});
await throughServer('uploads into a directory', server);

const idleMib = residentMib(server.process.pid!);
let peakMib = idleMib;
const over = new AbortController();
const looking = (async () => {
  while (!over.signal.aborted) {
    peakMib = Math.max(peakMib, residentMib(server.process.pid!));
    await sleep(20);
  }
})();
const ticketOf = await ticketsOf(server);
const content = contentOf();
const answers = await Promise.all(
  Array.from(
    { length: AT_ONCE },
    async () => (await upload(server, await ticketOf(), content)).status,
  ),
);
over.abort();
await looking;
const counts = Object.entries(Object.groupBy(answers, String)).map(
  ([status, all]) => `${all!.length} × ${status}`,
);
report(
  `${AT_ONCE} uploads at once`,
  `peak ${peakMib.toFixed(0)} MiB, ${idleMib.toFixed(0)} before; ${counts.join(', ')}`,
);
await server.signal('SIGTERM');

if (hasS3Server()) {
  const s3 = await s3Server();
  await s3.start();
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = s3.credentials;
  const bareSeconds = await inLanes(files, async () => {
    const body = contentOf();
    const { url, headers } = await new AwsV4Signer({
      method: 'PUT',
      url: `${s3.endpoint}/${s3.bucket}/bare/${randomUUID()}`,
      headers: { 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') },
      accessKeyId,
      secretAccessKey,
      service: 's3',
      region: 'us-east-1',
    }).sign();
    const { status } = await fetch(url, { method: 'PUT', headers, body });
    if (status !== 200) throw new Error(`a PUT was answered ${status}`);
  });
  report('bare PUT to S3', rate(bareSeconds));
  const onS3 = await started('uploads_s3', { FILES_URL: s3.url('bench'), ...s3.credentials });
  await throughServer('uploads into S3', onS3);
  await onS3.signal('SIGTERM');
  await s3.release();
}
await cluster.stop();
console.log(`load after: ${loadavg()[0]!.toFixed(1)}`);
