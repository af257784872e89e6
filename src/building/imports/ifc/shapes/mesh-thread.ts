/**
 * The thread that makes meshes of products, one at a time. The library may loop forever on some
 * products and crash on others, so the importing thread ends it and skips these products.
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

/** `ready` is sent once the file is open. */
export type MeshMessage = 'ready' | MeshAnswer;

/** One answer per product, in their order. */
export interface MeshAnswer {
  readonly product: ExpressId;
  readonly region: Region | null;
}

const say = (message: MeshMessage): void => parentPort?.postMessage(message, []);

const work = async ({ file, products }: MeshTask): Promise<void> => {
  // Not null: the import's own thread has opened the same file.
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
    // The library's memory may be corrupt, so another thread must continue.
    if ((error as Error).name === 'RuntimeError') throw error;
    return null;
  }
};

await work(workerData as MeshTask);
