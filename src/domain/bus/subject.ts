/** The subject of a bus message: `<prefix>.building.{buildingId}.{type}`. contract.md section 9. */
import { BUS_TYPE_CHARACTERS_MAX } from './limits.ts';

export interface Subject {
  /** Internal id, in lower case. */
  readonly buildingId: string;
  /** Words in lower case with dots between them: `cafm.work-order.created`. */
  readonly type: string;
}

export const subjectText = (prefix: string, { buildingId, type }: Subject): string =>
  `${prefix}.building.${buildingId}.${type}`;

/** `null` for a text of another form, or under another prefix. */
export const subjectOf = (prefix: string, text: string): Subject | null => {
  const subject = anySubjectOf(prefix, text);
  return subject !== null && isType(subject.type) ? subject : null;
};

/** Also accepts a type that {@link isType} rejects. */
export const anySubjectOf = (prefix: string, text: string): Subject | null => {
  const head = `${prefix}.building.`;
  if (!text.startsWith(head)) return null;
  const [, buildingId, type] = /^([0-9a-f-]{36})\.(.+)$/i.exec(text.slice(head.length)) ?? [];
  if (buildingId === undefined || type === undefined) return null;
  return uuid.test(buildingId) ? { buildingId: buildingId.toLowerCase(), type } : null;
};

export const isType = (text: string): boolean =>
  text.length <= BUS_TYPE_CHARACTERS_MAX && words.test(text);

/**
 * UUIDs as the log requires them (RFC 9562): a message with another id could not even be parked.
 */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const words = /^[a-z0-9][a-z0-9_-]*(\.[a-z0-9][a-z0-9_-]*)+$/;
