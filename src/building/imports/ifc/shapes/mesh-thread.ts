/**
 * The thread that makes meshes of products, one at a time. The library may run without end on some
 * and crash on others, so the importing thread ends it and goes on without them.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { IfcAPI } from 'web-ifc';
import { openModel, type ExpressId } from '../ifc-model.ts';
import { projectionOf } from './mesh-projection.ts';
import type { Region } from './regions.ts';

export interface MeshTask {
  readonly file: Uint8Array;
  readonly products: readonly ExpressId[];
}

/** Once the file is open. */
export type MeshMessage = 'ready' | MeshAnswer;

/** The answer to each product, in their order. */
export interface MeshAnswer {
  readonly product: ExpressId;
  readonly region: Region | null;
}

const say = (message: MeshMessage): void => parentPort?.postMessage(message, []);

const work = async ({ file, products }: MeshTask): Promise<void> => {
  // The same file has been opened by the import's own thread.
  const { api, model } = (await openModel(file, { CIRCLE_SEGMENTS }))!;
  say('ready');
  for (const product of products) say({ product, region: regionOf(api, model, product) });
};

/** Segments per full circle: the area of such a polygon is 0.6 % too small. */
const CIRCLE_SEGMENTS = 32;

const regionOf = (api: IfcAPI, model: number, product: ExpressId): Region | null => {
  try {
    return projectionOf(api, model, product);
  } catch (error) {
    // Its memory may be damaged: the thread ends, and another one goes on.
    if ((error as Error).name === 'RuntimeError') throw error;
    return null;
  }
};

await work(workerData as MeshTask);
