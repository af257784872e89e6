import type { Actor } from './metadata.ts';

/** Who somebody is, or what they wrote: either can be erased without the other. */
export type Purpose = 'identity' | 'texts';

/** The subject of an account; `by` in the metadata of an event has the same form. */
export const subjectOfUser = (userId: string): string => USER + userId;
export const subjectOfAddress = (email: string): string => `email:${email.toLowerCase()}`;
/** The account of a subject; `null`: the subject is no account. */
export const userIdIn = (subject: string): string | null =>
  subject.startsWith(USER) ? subject.slice(USER.length) : null;
const USER = 'user:';

/** Replaces the id of an erased user. */
export const ERASED_USER_ID = 'erased';

/** An event as it is about to be stored. */
export interface PersonalEvent {
  readonly stream: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly actor: Pick<Actor, 'kind' | 'id' | 'name'>;
  /** How the command was given; absent: unknown. */
  readonly origin?: string | undefined;
}

/** Members of an event's data that belong to one person. */
export interface PersonalPart {
  /** See `KeyOwner`. */
  readonly subject: string;
  readonly purpose: Purpose;
  /** By member: the value that is stored and shown after the erasure. It fits the schema. */
  readonly standIns: Readonly<Record<string, unknown>>;
}

/** The personal data in events of a type, and whose it is. decision 0123. */
export interface PersonalType {
  /** The schema version from which on it is sealed: releases that read only older ones cannot. */
  readonly since: number;
  /** Pure. Leaves out what has no content, such as a name that is `null`. */
  readonly partsOf: (event: PersonalEvent) => readonly PersonalPart[];
}
