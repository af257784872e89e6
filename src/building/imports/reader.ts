import type { ImportDocument } from '../../domain/buildings/document.ts';
import type { ImportedCodes } from '../../domain/buildings/codes.ts';
import type { PlanReference } from '../../domain/buildings/plan-reference.ts';
import type { Refusal } from '../../engine/aggregates/decider.ts';

/** File formats of buildings. */
export type ImportFormat = 'json' | 'ifc';

/** Reads one building from a stream of bytes. */
export interface DocumentReader {
  /** Reads the next bytes. Must not be called after a refusal. */
  take(bytes: Uint8Array): Refusal | null;
  /**
   * Called after the last bytes.
   *
   * @param onShapes Called before outlines and drawings are read, which takes the longest.
   */
  end(onShapes?: () => void): Promise<ReadDocument | Refusal>;
}

export interface ReadDocument {
  readonly document: ImportDocument;
  /** Reference of the document's coordinates; absent for JSON, which has the building's. */
  readonly reference?: PlanReference;
  readonly codes: ImportedCodes;
  /** Parts that were not interpreted as written; empty for JSON. */
  readonly warnings: readonly string[];
  /** Equal for equivalent bodies. */
  readonly hash: string;
}
