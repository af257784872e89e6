/**
 * The two objects of a ticket that belong to its callers, `formData` and `metadata`: any JSON
 * object, within bounds, merged member by member.
 *
 * Objects are built with `Object.fromEntries`, which defines members and never calls a setter, so
 * that a member named `__proto__` is a member and nothing else.
 */
import { z } from 'zod';
import { isJsonObject } from '../../engine/json-object.ts';
import { FREE_FORM_BYTES_MAX, FREE_FORM_STORED_DEPTH_MAX } from './limits.ts';
import { FREE_FORM_DEPTH_MAX, FREE_FORM_MEMBERS_MAX } from '../../limits.ts';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [member: string]: Json;
}

/** As sent, before validation. */
export type FreeForm = Readonly<Record<string, unknown>>;

/** Validated but not copied: a copy would drop a member named `__proto__`. */
export const jsonObject = z.custom<JsonObject>(
  (value) => isJsonObject(value) && invalidMember(value, FREE_FORM_STORED_DEPTH_MAX) === null,
  'must be a JSON object',
);

/** The object as JSON, or the reason why it cannot be stored. */
export const jsonOf = (sent: FreeForm): JsonObject | string =>
  invalidMember(sent, FREE_FORM_DEPTH_MAX) ?? (sent as JsonObject);

/** An error for too many levels or members; `null`: within the bounds. */
export const excessOf = (sent: FreeForm): string | null => {
  const object = jsonOf(sent);
  return typeof object === 'string' ? object : tooManyIn(object);
};

/** The object, or an error if it is too large. Measured as JSON in UTF-8. */
export const withinSize = (object: JsonObject): JsonObject | string => {
  const tooMany = tooManyIn(object);
  if (tooMany !== null) return tooMany;
  const bytes = utf8.encode(JSON.stringify(object)).length;
  return bytes > FREE_FORM_BYTES_MAX
    ? `must not have more than ${FREE_FORM_BYTES_MAX} bytes as JSON; it would have ${bytes}`
    : object;
};

/** Combines both checks, for objects that a ticket is opened with. */
export const keepableOf = (sent: FreeForm): JsonObject | string => {
  const object = jsonOf(sent);
  return typeof object === 'string' ? object : withinSize(object);
};

/**
 * RFC 7396, section 2: `null` deletes a member, an object merges, anything else replaces. Both are
 * JSON by {@link jsonOf}, which bounds the depth.
 */
export const mergePatch = (target: JsonObject, patch: JsonObject): JsonObject => {
  const members = new Map<string, Json>(Object.entries(target));
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) members.delete(name);
    else if (isJsonObject(change)) {
      const before = members.get(name);
      members.set(name, mergePatch(isJsonObject(before) ? before : {}, change));
    } else members.set(name, change);
  }
  return Object.fromEntries(members);
};

/** Equal by value, whatever the order of members. */
export const sameJson = (a: Json | undefined, b: Json | undefined): boolean => {
  if (a === b) return true;
  if (isArray(a) && isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameJson(a[name], b[name]))
  );
};

const tooManyIn = (object: JsonObject): string | null => {
  const members = membersOf(object);
  return members > FREE_FORM_MEMBERS_MAX
    ? `must not have more than ${FREE_FORM_MEMBERS_MAX} members in total; ` +
        `it would have ${members}`
    : null;
};

/** Members of objects and items of lists, on all levels. */
const membersOf = (value: Json): number => {
  if (!isArray(value) && !isJsonObject(value)) return 0;
  const members = isArray(value) ? value : Object.values(value);
  return members.reduce<number>((sum, member) => sum + membersOf(member), members.length);
};

/** Bounds the depth before any recursive function is applied to the value. */
const invalidMember = (value: unknown, depthLeft: number): string | null => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null;
  if (typeof value === 'number') {
    return Number.isFinite(value) ? null : 'must hold finite numbers only';
  }
  if (!isArray(value) && !isJsonObject(value)) return 'must hold JSON only';
  if (depthLeft === 0) return `must not be nested deeper than ${FREE_FORM_DEPTH_MAX} levels`;
  for (const member of isArray(value) ? value : Object.values(value)) {
    const wrong = invalidMember(member, depthLeft - 1);
    if (wrong !== null) return wrong;
  }
  return null;
};

const isArray = (value: unknown): value is readonly Json[] => Array.isArray(value);

const utf8 = new TextEncoder();
