/** Events of tickets, by tickets that are raised, moved and left waiting. */
import type { components } from '../../../sdk/src/index.ts';
import { CommandFailed } from '../failures.ts';
import { buildingOf } from './platform.ts';
import type { Deed, Scene } from './trigger.ts';

type Ticket = components['schemas']['Ticket'];
type NewTicket = components['schemas']['NewTicket'];

/** Beyond the time that is meant. */
const MARGIN_S = 1;

const draftOf = async ({ client, building }: Scene): Promise<NewTicket> => ({
  buildingId: await buildingOf(client, building),
  description: 'Raised by atrium trigger',
  priority: 'critical',
});

const raised = async (scene: Scene): Promise<Ticket> => {
  const body = await draftOf(scene);
  const { data } = await scene.client.POST('/api/service-desk/requests', { body });
  return data;
};

const valueOf = ({ buildingId, id, number, state }: Ticket) => ({
  buildingId,
  ticketId: id,
  number,
  state,
});

export const raiseTicket = async (scene: Scene): Promise<Deed> => {
  const ticket = await raised(scene);
  return { value: valueOf(ticket), words: `${ticket.number} is raised.` };
};

export const updateTicket = async (scene: Scene): Promise<Deed> => {
  const { id } = await raised(scene);
  const { data: ticket } = await scene.client.POST('/api/service-desk/requests/{id}/transition', {
    params: { path: { id } },
    body: { state: 'triaged' },
  });
  return { value: valueOf(ticket), words: `${ticket.number} is ${ticket.state}.` };
};

export const warnOfSla = async (scene: Scene): Promise<Deed> => {
  const { data } = await scene.client.POST('/api/service-desk/configuration/simulate', {
    body: { ticket: await draftOf(scene) },
  });
  const { firstResponseMinutes, warningPercent } = data.sla;
  // Working time is at most elapsed time, so the warning comes at least this long before the due
  // time, whatever the calendar.
  return waited(scene, ((firstResponseMinutes ?? 0) * 60 * (100 - warningPercent)) / 100);
};

export const breachSla = (scene: Scene): Promise<Deed> => waited(scene, 0);

/** @param leftS Seconds before the first response is due. */
const waited = async (scene: Scene, leftS: number): Promise<Deed> => {
  const ticket = await raised(scene);
  const { number, createdAt, firstRespondedAt, slaFirstResponseDueAt: dueAt } = ticket;
  if (dueAt === null || firstRespondedAt !== null)
    throw new CommandFailed(`${number} has no clock for a first response`);
  const dueS = (Date.parse(dueAt) - Date.parse(createdAt)) / 1_000;
  const seconds = Math.ceil(dueS - leftS) + MARGIN_S;
  const now = await scene.client.clock.advance(`PT${seconds}S`);
  return {
    value: { ...valueOf(ticket), dueAt, now },
    words: `${number} is due at ${dueAt}, and the sandbox's clock is at ${now}.`,
  };
};
