import type { ImportDocument } from '../../domain/buildings/document.ts';
import type { ImportedCodes } from '../../domain/buildings/codes.ts';
import type { PlanReference } from '../../domain/buildings/plan-reference.ts';
import type { Refusal } from '../../engine/aggregates/decider.ts';

/** How a building is written down. */
export type ImportFormat = 'json' | 'ifc';

/** Reads a building from bytes as they come. Used once. */
export interface DocumentReader {
  /** The next bytes. After a refusal nothing more is to come. */
  take(bytes: Uint8Array): Refusal | null;
  /**
   * Once the last ones have come.
   *
   * @param onShapes When outlines and drawings begin to be read, which takes the longest.
   */
  end(onShapes?: () => void): Promise<ReadDocument | Refusal>;
}

export interface ReadDocument {
  readonly document: ImportDocument;
  /** Where the document's coordinates are; absent for JSON, which has those of the building. */
  readonly reference?: PlanReference;
  readonly codes: ImportedCodes;
  /** Parts that were interpreted differently from how they are written; empty for JSON. */
  readonly warnings: readonly string[];
  /** Equal for bodies that ask for the same. */
  readonly hash: string;
}
