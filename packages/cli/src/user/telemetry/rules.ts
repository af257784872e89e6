/** `atrium rules …`. */
import type { Atrium, components } from '../../../../sdk/src/index.ts';
import { CommandFailed } from '../../failures.ts';
import type { Invocation } from '../../invocation.ts';
import { localTime, record } from '../../terminal/text.ts';
import { textIn } from '../files.ts';
import { underKey } from '../given.ts';
import { collected, printList, type Columns, type LimitOptions } from '../list.ts';
import { oneNamed, type Kind } from '../named.ts';
import { buildingOf, platformOf, type BuildingOption } from '../platform.ts';

type Schemas = components['schemas'];
type Rule = Schemas['DiagnosticRule'];

const conditionOf = ({ comparison, threshold, forSeconds }: Rule): string =>
  `${comparison} ${threshold}${forSeconds === 0 ? '' : ` for ${forSeconds} s`}`;

const COLUMNS: Columns<Rule> = {
  id: ({ ruleId }) => ruleId,
  title: ({ title }) => title,
  severity: ({ severity }) => severity,
  when: conditionOf,
  of: ({ pointId, pointClass }) => pointClass ?? pointId ?? null,
  ticket: ({ raiseTicket }) => raiseTicket?.priority ?? null,
};

const FOUND: Columns<Schemas['FoundFault']> = {
  opened: ({ openedAt }) => localTime(openedAt),
  closed: ({ closedAt }) => closedAt && localTime(closedAt),
  value: ({ value }) => (value === null ? null : String(value)),
  point: ({ pointId }) => pointId,
};

const RULES: Kind<Rule> = {
  one: 'rule',
  many: 'rules',
  list: 'atrium rules list',
  names: ({ ruleId, title }) => [ruleId, title],
  label: ({ ruleId }) => ruleId,
};

const rulesOf = (client: Atrium, buildingId: string) =>
  client.items('/api/v1/buildings/{buildingId}/diagnostic-rules', {
    params: { path: { buildingId } },
  });

export const listRules = async (
  invocation: Invocation<BuildingOption & LimitOptions>,
): Promise<void> => {
  const { client } = await platformOf(invocation);
  const buildingId = await buildingOf(client, invocation.options.building);
  await printList(invocation, rulesOf(client, buildingId), COLUMNS, 'There are no rules.');
};

/** The rule that the first word names, and where it is. */
const ruleNamed = async (invocation: Invocation<BuildingOption>) => {
  const { client } = await platformOf(invocation);
  const buildingId = await buildingOf(client, invocation.options.building);
  const rules = await collected(rulesOf(client, buildingId));
  return { client, buildingId, rule: oneNamed(invocation.words[0]!, rules, RULES) };
};

export const getRule = async (invocation: Invocation<BuildingOption>): Promise<void> => {
  const { rule } = await ruleNamed(invocation);
  invocation.terminal.print(rule, () => described(rule));
};

const described = (rule: Rule): string =>
  record({
    id: rule.ruleId,
    title: rule.title,
    severity: rule.severity,
    when: conditionOf(rule),
    of: rule.pointClass ?? rule.pointId,
    ticket: rule.raiseTicket && Object.values(rule.raiseTicket).join(', '),
    created: localTime(rule.createdAt),
  });

export const createRule = async (
  invocation: Invocation<BuildingOption & { readonly idempotencyKey?: string }>,
): Promise<void> => {
  const { words, options, terminal } = invocation;
  const body = await draftIn(words[0]!);
  const { client } = await platformOf(invocation);
  const buildingId = await buildingOf(client, options.building);
  const { data } = await client.POST('/api/v1/buildings/{buildingId}/diagnostic-rules', {
    params: { path: { buildingId } },
    body,
    ...underKey(options.idempotencyKey),
  });
  terminal.print(data, () => described(data));
};

interface TryOptions extends BuildingOption, LimitOptions {
  readonly from: string;
  readonly to?: string;
}

export const tryRule = async (invocation: Invocation<TryOptions>): Promise<void> => {
  const { words, options } = invocation;
  const { from, to = new Date().toISOString() } = options;
  const rule = await draftIn(words[0]!);
  const { client } = await platformOf(invocation);
  const buildingId = await buildingOf(client, options.building);
  const { data } = await client.POST('/api/v1/buildings/{buildingId}/diagnostic-rules/dry-run', {
    params: { path: { buildingId } },
    body: { rule, from, to },
  });
  await printList(invocation, data.items, FOUND, 'The rule would have found no faults.');
};

/** @throws {@link CommandFailed} if it is no JSON; what a rule needs, the server says. */
const draftIn = async (file: string): Promise<Schemas['DiagnosticRuleDraft']> => {
  const text = await textIn(file);
  try {
    return JSON.parse(text) as Schemas['DiagnosticRuleDraft'];
  } catch (error) {
    throw new CommandFailed(`${file} is not JSON: ${(error as Error).message}`, error);
  }
};

export const deleteRule = async (
  invocation: Invocation<BuildingOption & { readonly yes?: true }>,
): Promise<void> => {
  const { options, terminal } = invocation;
  const { client, buildingId, rule } = await ruleNamed(invocation);
  const { ruleId, title } = rule;
  if (!options.yes) await terminal.confirm(`Delete ${title} (${ruleId}) and close its faults?`);
  await client.DELETE('/api/v1/buildings/{buildingId}/diagnostic-rules/{ruleId}', {
    params: { path: { buildingId, ruleId } },
  });
  terminal.print({ ruleId, deleted: true }, () => `Deleted ${title} (${ruleId}).`);
};
