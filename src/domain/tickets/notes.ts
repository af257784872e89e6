/** The notes of a ticket, and their visibility. contract.md section 5. */
import type { Actor, Instant } from '../../engine/aggregates/decider.ts';
import type { Visibility } from './events.ts';
import type { ShownEvent } from './expiry.ts';

export interface Note {
  readonly id: string;
  readonly body: string;
  readonly visibility: Visibility;
  readonly createdAt: Instant;
  readonly createdBy: Actor;
  /** Its text was erased. */
  readonly erased?: true;
}

/** The facts of one command. */
interface Recorded {
  readonly facts: readonly ShownEvent[];
  readonly at: Instant;
  readonly actor: Actor;
}

/** The notes that a command added; those of rules and work orders are public. */
export const notesIn = ({ facts, at, actor }: Recorded): readonly Note[] =>
  facts.flatMap(({ event: fact, erased = [] }) => {
    if (fact.type !== 'NoteAdded' && fact.type !== 'SystemNoteAdded') return [];
    const visibility = fact.type === 'NoteAdded' ? fact.visibility : 'public';
    const note = { id: fact.noteId, body: fact.body, visibility, createdAt: at, createdBy: actor };
    return [erased.includes('texts') ? { ...note, erased: true as const } : note];
  });

/**
 * Whether a note, or another item of a ticket, is visible without the permission to read internal
 * notes.
 */
export const isPublic = (item: object): boolean =>
  !('visibility' in item) || item.visibility !== 'internal';
