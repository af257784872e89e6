/** Messages between an import's thread and its parent. */
import type { Refusal } from '../../engine/aggregates/decider.ts';
import type { ImportOptions, ImportResult } from '../graph/graph.ts';
import type { ImportFormat } from './reader.ts';

/** The import options that are not read from its bytes. */
export type ReadOptions = Omit<ImportOptions, 'bodyHash' | 'codes' | 'reference'>;

export interface ImportTask {
  readonly databaseUrl: string;
  readonly organisation: string;
  readonly format: ImportFormat;
  /** The request has an `Idempotency-Key` and may be a repeat, so its body is hashed. */
  readonly named: boolean;
  readonly options: ReadOptions;
  /** GlobalId of the building, if the file has several. */
  readonly building?: string | undefined;
  /** The import is executed and rolled back. */
  readonly isDryRun: boolean;
}

/** A task is sent after the answer to the previous one. */
export type ToThread =
  | { readonly type: 'task'; readonly task: ImportTask }
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'end' };

export type FromThread =
  | { readonly type: 'taken'; readonly bytes: number }
  | { readonly type: 'phase'; readonly phase: ImportPhase }
  | ThreadAnswer
  /** Errors lose their codes between threads. */
  | { readonly type: 'failure'; readonly message: string; readonly code: string | undefined };

export interface ThreadAnswer {
  readonly type: 'outcome';
  readonly outcome: ImportResult | Refusal;
  /** All bytes have arrived, and the thread keeps no memory of them. */
  readonly isReusable: boolean;
}

/**
 * Phases of an import: all bytes have arrived; the shapes of an IFC file are being read; the
 * document is complete and being written.
 */
export type ImportPhase =
  | { readonly name: 'reading'; readonly bytes: number }
  | { readonly name: 'shapes' }
  | { readonly name: 'writing'; readonly nodes: number };
