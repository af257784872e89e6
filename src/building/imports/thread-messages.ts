/** What an import's thread and the one who started it say to each other. */
import type { Refusal } from '../../engine/aggregates/decider.ts';
import type { ImportOptions, ImportResult } from '../graph/graph.ts';
import type { ImportFormat } from './reader.ts';

/** Of an import, those that are not read from its bytes. */
export type ReadOptions = Omit<ImportOptions, 'bodyHash' | 'codes' | 'reference'>;

export interface ImportTask {
  readonly databaseUrl: string;
  readonly organisation: string;
  readonly format: ImportFormat;
  /** The command has a name, so it may be a repeat, and its body is hashed. */
  readonly named: boolean;
  readonly options: ReadOptions;
  /** GlobalId of the building of a file with several. */
  readonly building?: string | undefined;
  /** Everything is done, and nothing kept. */
  readonly isDryRun: boolean;
}

/** A task comes after the answer to the one before. */
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
  /** All bytes have come, and the thread holds nothing of them that matters to the next import. */
  readonly isReusable: boolean;
}

/**
 * How far an import is: all bytes have come, the shapes of an IFC file are being read, the document
 * is whole and being written.
 */
export type ImportPhase =
  | { readonly name: 'reading'; readonly bytes: number }
  | { readonly name: 'shapes' }
  | { readonly name: 'writing'; readonly nodes: number };
