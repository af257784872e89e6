/** Regions of products from meshes, made in a separate thread, with bounded time and number. */
import { Worker } from 'node:worker_threads';
import { MESH_MAX_MS, MESH_THREADS_MAX, MESHES_MAX, MESH_HEAP_MAX_MIB } from '../../limits.ts';
import type { ExpressId } from '../ifc-model.ts';
import type { MeshAnswer, MeshMessage, MeshTask } from './mesh-thread.ts';
import type { Region } from './regions.ts';

export interface Meshing {
  readonly regions: ReadonlyMap<ExpressId, Region>;
  /** Number of products skipped for lack of time, or beyond {@link MESHES_MAX}. */
  readonly left: number;
}

/**
 * @param products The most important first. A product that takes longer than {@link MESH_MAX_MS},
 *   fails or crashes the thread has no region.
 * @param endsAtMs Deadline, by `performance.now()`.
 */
export const regionsByMesh = async (
  file: Uint8Array,
  products: readonly ExpressId[],
  endsAtMs: number,
): Promise<Meshing> => {
  const regions = new Map<ExpressId, Region>();
  let waiting = products.slice(0, MESHES_MAX);
  for (let thread = 0; thread < MESH_THREADS_MAX && waiting.length > 0; thread += 1) {
    const answers = await answersOf({ file, products: waiting }, endsAtMs);
    for (const { product, region } of answers) if (region) regions.set(product, region);
    const isLate = performance.now() >= endsAtMs;
    // The product after the last answer crashed the thread.
    waiting = waiting.slice(answers.length + (isLate ? 0 : 1));
    if (isLate) break;
  }
  return { regions, left: waiting.length + Math.max(0, products.length - MESHES_MAX) };
};

/** Resolves when all products are answered, one takes too long, or the thread ends. */
const answersOf = async (task: MeshTask, endsAtMs: number): Promise<readonly MeshAnswer[]> => {
  const answers: MeshAnswer[] = [];
  const worker = new Worker(new URL('./mesh-thread.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MESH_HEAP_MAX_MIB },
    // Captured, because the library prints its reason for aborting.
    stdout: true,
    stderr: true,
  });
  const ended = Promise.withResolvers<void>();
  const within = (ms: number) =>
    setTimeout(ended.resolve, Math.max(0, Math.min(ms, endsAtMs - performance.now())));
  let timer = within(MESH_START_MAX_MS);
  worker.on('message', (message: MeshMessage) => {
    if (message !== 'ready') answers.push(message);
    clearTimeout(timer);
    timer = within(MESH_MAX_MS);
    if (answers.length === task.products.length) ended.resolve();
  });
  // A crash of the library: the next product continues in another thread.
  worker.on('error', () => ended.resolve());
  worker.on('exit', () => ended.resolve());
  await ended.promise;
  clearTimeout(timer);
  await worker.terminate();
  return answers;
};

/** Timeout of loading the library and opening the file. */
const MESH_START_MAX_MS = 30_000;
