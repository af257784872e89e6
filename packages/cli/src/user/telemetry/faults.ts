/** `atrium faults …`. */
import type { components } from '../../../../sdk/src/index.ts';
import { usageError } from '../../failures.ts';
import type { Invocation } from '../../invocation.ts';
import { localTime, record } from '../../terminal/text.ts';
import { nodeNamed } from '../buildings/nodes.ts';
import { given, underKey } from '../given.ts';
import { pageOf, printList, type Columns, type LimitOptions } from '../list.ts';
import { buildingOf, platformOf, type BuildingOption } from '../platform.ts';
import { described as describedTicket } from '../tickets.ts';

type Fault = components['schemas']['Fault'];

interface ListOptions extends BuildingOption, LimitOptions {
  readonly open?: true;
  readonly closed?: true;
  readonly space?: string;
}

const PAGE_MAX = 1_000;

const COLUMNS: Columns<Fault> = {
  id: ({ faultId }) => faultId,
  severity: ({ severity }) => severity,
  title: ({ title }) => title,
  opened: ({ openedAt }) => localTime(openedAt),
  closed: ({ closedAt }) => closedAt && localTime(closedAt),
  value: ({ value }) => (value === null ? null : String(value)),
  ticket: ({ ticket }) => ticket?.number ?? null,
};

export const listFaults = async (invocation: Invocation<ListOptions>): Promise<void> => {
  const { options } = invocation;
  const { open, closed, space } = options;
  if (open && closed) throw usageError('use either --open or --closed');
  const { client } = await platformOf(invocation);
  const buildingId = await buildingOf(client, options.building);
  const spaceId = space && (await nodeNamed(client, buildingId, 'space', space));
  const asked = given({ open: closed ? false : open, spaceId });
  const faults = client.items('/api/v1/buildings/{buildingId}/faults', {
    params: { path: { buildingId }, query: { ...pageOf(options, PAGE_MAX), ...asked } },
  });
  await printList(invocation, faults, COLUMNS, 'There is no such fault.');
};

export const getFault = async (invocation: Invocation<BuildingOption>): Promise<void> => {
  const { words, options, terminal } = invocation;
  const { client } = await platformOf(invocation);
  const buildingId = await buildingOf(client, options.building);
  const { data } = await client.GET('/api/v1/buildings/{buildingId}/faults/{faultId}', {
    params: { path: { buildingId, faultId: words[0]! } },
  });
  terminal.print(data, () => described(data));
};

const described = (fault: Fault): string =>
  record({
    id: fault.faultId,
    title: fault.title,
    severity: fault.severity,
    opened: localTime(fault.openedAt),
    closed: fault.closedAt && localTime(fault.closedAt),
    value: fault.value === null ? null : String(fault.value),
    rule: fault.ruleId,
    point: fault.pointId,
    element: fault.elementId,
    flapping: fault.flapping ? `yes, ${fault.flapCount} more openings` : null,
    ticket: fault.ticket && `${fault.ticket.number}, ${fault.ticket.state}`,
  });

export const raiseTicket = async (
  invocation: Invocation<BuildingOption & { readonly idempotencyKey?: string }>,
): Promise<void> => {
  const { words, options, terminal } = invocation;
  const { client } = await platformOf(invocation);
  const buildingId = await buildingOf(client, options.building);
  const { data } = await client.POST('/api/v1/buildings/{buildingId}/faults/{faultId}/ticket', {
    params: { path: { buildingId, faultId: words[0]! } },
    body: {},
    ...underKey(options.idempotencyKey),
  });
  terminal.print(data, () => describedTicket(data));
};
