/**
 * Validates an ingest's body by hand. A list may fill the whole body and be mostly invalid: a
 * validator that counts or names all errors would block the event loop.
 */
import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { isJsonObject } from '../../engine/json-object.ts';
import type { Observation } from '../../domain/telemetry/observations.ts';
import { ERRORS_NAMED_MAX, OBSERVATIONS_AT_ONCE_MAX } from '../../limits.ts';
import { memberPath, UNKNOWN } from '../http/schema-precheck.ts';
import type { FieldError } from '../http/problems.ts';
import type { ObservationsBody } from './schemas.ts';

export type Observations = z.infer<typeof ObservationsBody>;

/** Equivalent to `ObservationsBody`, with a bounded number of errors. */
export const checkObservations = (body: unknown): Observations | readonly FieldError[] => {
  const errors: FieldError[] = [];
  if (!isJsonObject(body)) return [{ path: '', message: 'must be an object' }];
  errors.push(...unknownMembers(body, bodyMembers, ''));
  const { observations } = body;
  if (!Array.isArray(observations))
    return [...errors, { path: 'observations', message: 'must be a list' }];
  if (observations.length < 1 || observations.length > OBSERVATIONS_AT_ONCE_MAX) {
    const message = `must have 1 to ${OBSERVATIONS_AT_ONCE_MAX} members`;
    return [...errors, { path: 'observations', message }];
  }
  for (const [index, observation] of observations.entries()) {
    errors.push(...errorsIn(observation, `observations[${index}]`));
    if (errors.length > ERRORS_NAMED_MAX) break;
  }
  return errors.length > 0 ? errors : (body as Observations);
};

/** Normalised: ids in lower case, times in milliseconds. */
export const observationsOf = (
  { observations }: Observations,
  nowMs: number,
): readonly Observation[] =>
  observations.map(({ pointId, value, timestamp }) => ({
    pointId: pointId.toLowerCase(),
    // Normalises negative zero.
    value: value === 0 ? 0 : value,
    atMs: timestamp === undefined ? nowMs : Date.parse(timestamp),
  }));

const errorsIn = (observation: unknown, path: string): readonly FieldError[] => {
  if (!isJsonObject(observation)) return [{ path, message: 'must be an object' }];
  const errors = unknownMembers(observation, observationMembers, path);
  const { pointId, value, timestamp } = observation;
  if (typeof pointId !== 'string' || !isUuid(pointId))
    errors.push({ path: `${path}.pointId`, message: 'must be a UUID' });
  if (typeof value !== 'boolean' && !Number.isFinite(value))
    errors.push({ path: `${path}.value`, message: 'must be a finite number, true or false' });
  if (timestamp !== undefined && !isInstant(timestamp))
    errors.push({ path: `${path}.timestamp`, message: 'must be an ISO 8601 date and time' });
  return errors;
};

const unknownMembers = (
  object: Readonly<Record<string, unknown>>,
  members: readonly string[],
  path: string,
): FieldError[] => {
  const strange: FieldError[] = [];
  for (const name in object) {
    if (members.includes(name)) continue;
    strange.push({ path: memberPath(path, name), message: UNKNOWN });
    if (strange.length > ERRORS_NAMED_MAX) break;
  }
  return strange;
};

const bodyMembers = ['observations'];
const observationMembers = ['pointId', 'value', 'timestamp'];

/** `Date.parse` rejects other spellings but accepts days that do not exist. */
const isInstant = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.length <= INSTANT_CHARACTERS_MAX &&
  instant.safeParse(value).success &&
  Number.isFinite(Date.parse(value));

const instant = z.iso.datetime({ offset: true });
const INSTANT_CHARACTERS_MAX = 40;
