import { open } from 'node:fs/promises';
import { SUPPORT_LOG_BYTES_MAX } from '../limits.ts';

/** Fields without a caller's text. Only type and code of `err`: a message may quote a body. */
const FIELDS = [
  'level',
  'time',
  'pid',
  'msg',
  'requestId',
  'method',
  'route',
  'status',
  'ms',
  'consumer',
  'projection',
  'process',
  'timer',
  'lease',
  'epoch',
  'attempt',
  'phase',
] as const;

export interface LogLines {
  readonly lines: readonly object[];
  /** Number of omitted lines, which are not Atrium's JSON. */
  readonly others: number;
}

/** The end of a log file of JSON lines, at most {@link SUPPORT_LOG_BYTES_MAX} of it. */
export const logSection = async (path: string): Promise<LogLines> => {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - SUPPORT_LOG_BYTES_MAX);
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(Math.min(size, SUPPORT_LOG_BYTES_MAX)),
      position: from,
    });
    const texts = buffer
      .subarray(0, bytesRead)
      .toString()
      .split('\n')
      .slice(from === 0 ? 0 : 1);
    const written = texts.filter((text) => text !== '');
    const lines = written.flatMap(lineOf);
    return { lines, others: written.length - lines.length };
  } finally {
    await file.close();
  }
};

const lineOf = (text: string): readonly object[] => {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return [];
  }
  if (typeof line !== 'object' || line === null || !('level' in line)) return [];
  const from = line as Readonly<Record<string, unknown>>;
  const kept = FIELDS.flatMap((name) => (name in from ? [[name, from[name]] as const] : []));
  const { type, code } = (from['err'] ?? {}) as { type?: unknown; code?: unknown };
  return [{ ...Object.fromEntries(kept), ...(type === undefined ? {} : { err: { type, code } }) }];
};
