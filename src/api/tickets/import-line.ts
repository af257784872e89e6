/** Parses a line of an import to a ticket, or to the reason of its refusal. */
import type { TicketToImport } from '../../use-cases/tickets/import-ticket.ts';
import { BODY_BYTES_MAX } from '../../limits.ts';
import { jsonOf } from '../http/bodies.ts';
import type { Line } from '../http/ndjson.ts';
import { invalid, Problem } from '../http/problems.ts';
import { schemaCheck } from '../http/validation.ts';
import { ImportLine } from './import-schemas.ts';

export type ReadLine = Pick<Line, 'number'> & { readonly importKey: string | null } & (
    | { readonly ticket: Omit<TicketToImport, 'organisation'>; readonly bytes: number }
    | { readonly problem: Problem }
  );

const checkLine = schemaCheck(ImportLine);

/** Bounded and validated as the body of a create. Returns the key if there is one. */
export const readLine = ({ number, json }: Line): ReadLine => {
  let importKey: string | null = null;
  try {
    if (json === null) throw tooLong();
    const value = jsonOf(json, { exactNumbersIn: ['metadata', 'formData'] });
    importKey = keyIn(value);
    const read = checkLine(value);
    if ('error' in read) throw invalid(read.error.errors);
    return { number, importKey, ticket: read.value, bytes: json.length };
  } catch (error) {
    if (error instanceof Problem) return { number, importKey, problem: error };
    throw error;
  }
};

const tooLong = () => {
  const mib = BODY_BYTES_MAX / 1024 / 1024;
  return new Problem('PAYLOAD_TOO_LARGE', `The line is longer than ${mib} MiB.`);
};

/** The key if it is valid; a longer one is not repeated. */
const keyIn = (value: unknown): string | null => {
  if (typeof value !== 'object' || value === null || !('importKey' in value)) return null;
  return ImportLine.shape.importKey.safeParse(value.importKey).data ?? null;
};
