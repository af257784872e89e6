/** The thread that loads the library of the reference page: 300 modules, one of them 4 MB long. */
import { parentPort, workerData } from 'node:worker_threads';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import type { Reference, ReferenceTask } from './reference.ts';

const app = fastify();
const { prefix, configuration } = workerData as ReferenceTask;
await app.register(scalar, {
  routePrefix: prefix,
  configuration,
} as Parameters<typeof scalar>[1]);
const text = async (path: string) => (await app.inject(prefix + path)).body;
const reference: Reference = { page: await text('/'), script: await text('/js/scalar.js') };
parentPort?.postMessage(reference, []);
