/** One action on many tickets, answered ticket by ticket. contract.md section 5, «Bulk». */
import { errorOf } from '../../../../sdk/src/problems.ts';
import { repeated } from '../../../../sdk/src/retries.ts';
import type { Api } from '../../session/requests.ts';
import type { NewNote } from './note-dialog.tsx';
import type { Assignment } from './quick.ts';
import type { Priority, State } from './words.tsx';

export type BulkAction =
  | { readonly assign: Assignment }
  | { readonly transition: { readonly state: State } }
  | { readonly patch: { readonly priority?: Priority; readonly category?: string | null } }
  | { readonly note: NewNote };

interface BulkPart {
  readonly action: BulkAction;
  /** Its `Idempotency-Key`: a repeat under it resumes the action. */
  readonly commandId: string;
  readonly ids: readonly string[];
}

/** A bulk as plain data, from which another page resumes it. */
export interface BulkRepeat {
  /** `Assign to Acme Agent`. */
  readonly words: string;
  readonly parts: readonly BulkPart[];
}

export interface BulkOutcome {
  readonly id: string;
  readonly status: 'done' | 'refused';
  readonly code?: string;
}

const REASONS: Readonly<Record<string, string>> = {
  TRANSITION_NOT_ALLOWED: 'its state does not allow this transition',
  TICKET_CLOSED: 'it is closed',
  TICKET_FULL: 'it has reached its limit of notes',
  NOT_FOUND: 'it no longer exists',
  CONFLICT: 'someone else was changing it',
};

/** Why a ticket was not changed. */
export const reasonOf = (code: string): string => REASONS[code] ?? code;

/** Retries per part; each resumes where the previous stream was cut. */
const RETRIES_MAX = 3;

const PATH = '/api/service-desk/requests/bulk';

/** A server that stops midway ends the stream with a problem. */
type Line = BulkOutcome | { readonly summary: object } | { readonly problem: object };

/**
 * @param signal Its end stops the action at the server too.
 * @throws if an action itself is refused, or the connection breaks too often.
 */
export const sendBulk = async (
  api: Api,
  parts: readonly BulkPart[],
  onOutcome: (outcome: BulkOutcome) => void,
  signal: AbortSignal,
): Promise<void> => {
  for (const { action, commandId, ids } of parts) {
    if (ids.length === 0) continue;
    const init = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/x-ndjson',
        'idempotency-key': commandId,
      },
      body: JSON.stringify({ tickets: ids, action }),
      signal,
    };
    await repeated({ method: 'POST', path: PATH }, { signal, retries: RETRIES_MAX }, async () => {
      const answer = await api.fetch(PATH, init);
      if (!answer.ok) throw await errorOf(answer);
      let isWhole = false;
      for await (const line of linesOf(answer)) {
        const parsed = JSON.parse(line) as Line;
        if ('id' in parsed) onOutcome(parsed);
        else isWhole = 'summary' in parsed;
      }
      if (!isWhole) throw new TypeError('The response was incomplete.');
    });
  }
};

async function* linesOf({ body }: Response): AsyncGenerator<string, void, undefined> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value = '' } = await reader.read();
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line.trim() !== '');
    if (done) break;
  }
  if (rest.trim() !== '') yield rest;
}
