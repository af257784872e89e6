/** Reads a building from JSON. contract.md section 6. */
import { documentOf } from '../../../domain/buildings/document-check.ts';
import { isRefusal, refuse, type Refusal } from '../../../engine/aggregates/decider.ts';
import { jsonHash } from '../../../engine/aggregates/json-hash.ts';
import type { DocumentReader } from '../reader.ts';
import { jsonBounds } from './json-bounds.ts';

/** @param building The `externalId` that the building must have. Default: any. */
export const jsonReader = (building?: string): DocumentReader => {
  const bounds = jsonBounds();
  const chunks: Uint8Array[] = [];
  return {
    take(bytes) {
      chunks.push(bytes);
      return bounds.take(bytes);
    },

    async end() {
      const text = textOf(Buffer.concat(chunks.splice(0)));
      const value = typeof text === 'string' ? parsed(text) : text;
      if (isRefusal(value)) return value;
      const document = documentOf(value);
      if (isRefusal(document)) return document;
      const { externalId } = document.building;
      if (building !== undefined && externalId !== building) {
        const message = 'is not the externalId of the building of the document';
        return refuse('VALIDATION_FAILED', `building ${message}.`, {
          errors: [{ path: 'building', message }],
        });
      }
      return { document, codes: 'stated', warnings: [], hash: jsonHash(document) };
    },
  };
};

const textOf = (bytes: Buffer): string | Refusal => {
  if (bytes.length === 0) return unfit('is empty');
  try {
    // The decoder drops a byte order mark, which some editors write.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return unfit('is not valid UTF-8');
  }
};

/** Always an object: the bounds refuse any other value. */
const parsed = (text: string): object | Refusal => {
  try {
    return JSON.parse(text) as object;
  } catch (error) {
    return unfit(`is not valid JSON: ${(error as Error).message}`);
  }
};

const unfit = (what: string): Refusal =>
  refuse('VALIDATION_FAILED', `The document ${what}.`, {
    errors: [{ path: '', message: what }],
  });
