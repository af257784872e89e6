/**
 * An organisation's service desk, `serviceDesk-<organisation>`: its configuration. Creating a
 * ticket reads it from here, never from a read model. contract.md section 5.
 */
import { z } from 'zod';
import { ERRORS_NAMED_MAX } from '../../limits.ts';
import { refuse, type Decider, type Refusal } from '../../engine/aggregates/decider.ts';
import { jsonOf, sameJson } from '../tickets/free-form.ts';
import { storedConfigurationSchema, type Configuration } from './configuration.ts';
import { problemsOf } from './problems.ts';

export const deskEventSchemas = {
  /** The whole document, as it was put. */
  ConfigurationReplaced: z.strictObject({
    type: z.literal('ConfigurationReplaced'),
    organisation: z.string().min(1),
    configuration: storedConfigurationSchema,
  }),
};

export type DeskEvent = z.infer<typeof deskEventSchemas.ConfigurationReplaced>;

export interface DeskCommand {
  readonly type: 'ReplaceConfiguration';
  readonly organisation: string;
  readonly configuration: Configuration;
}

/** `null`: never set, which is equivalent to {@link emptyConfiguration}. */
export type Desk = Configuration | null;

/** A document equal to the current one records nothing. Refuses as {@link refusalOf} does. */
export const deskDecider: Decider<DeskCommand, Desk, DeskEvent> = {
  initial: null,
  decide: ({ organisation, configuration }, desk) => {
    const refusal = refusalOf(configuration);
    if (refusal) return refusal;
    if (desk !== null && isSame(desk, configuration)) return [];
    return [{ type: 'ConfigurationReplaced', organisation, configuration }];
  },
  evolve: ({ configuration }) => configuration,
};

/**
 * The reason why it cannot be set; `null` if it can. `errors` lists the paths.
 *
 * `VALIDATION_FAILED` for parts that do not fit together, `EDGE_NOT_IN_GRAPH` if the only problem
 * is a workflow that adds an edge.
 */
export const refusalOf = (configuration: Configuration): Refusal | null => {
  const problems = problemsOf(configuration);
  const first = problems.find(({ code }) => code === 'VALIDATION_FAILED') ?? problems[0];
  if (!first) return null;
  const errors = problems
    .slice(0, ERRORS_NAMED_MAX)
    .map(({ path, message }) => ({ path, message }));
  return refuse(first.code, `${first.message}.`, { errors });
};

const isSame = (a: Configuration, b: Configuration): boolean => {
  const [one, other] = [jsonOf(a), jsonOf(b)];
  return typeof one !== 'string' && typeof other !== 'string' && sameJson(one, other);
};
