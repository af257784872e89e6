/** Events of tickets, by tickets that are raised, moved and left waiting. */
import type { components } from '../../../sdk/src/index.ts';
import { CommandFailed } from '../failures.ts';
import { buildingOf } from './platform.ts';
import type { Deed, Scene } from './trigger.ts';

type Ticket = components['schemas']['Ticket'];

/** Of a policy that names none, and of no policy. */
const WARNING_PERCENT = 80;
/** Beyond the time that is meant. */
const MARGIN_S = 1;

const raised = async ({ client, building }: Scene): Promise<Ticket> => {
  const { data } = await client.POST('/api/service-desk/requests', {
    body: {
      buildingId: await buildingOf(client, building),
      description: 'Raised by atrium trigger',
      priority: 'critical',
    },
  });
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
  const { data } = await scene.client.GET('/api/service-desk/configuration');
  const percents = data.slaPolicies.map(({ warningPercent }) => warningPercent ?? WARNING_PERCENT);
  return waited(scene, Math.max(WARNING_PERCENT, ...percents));
};

export const breachSla = (scene: Scene): Promise<Deed> => waited(scene, 100);

/** @param percent Of the time for the first response. */
const waited = async (scene: Scene, percent: number): Promise<Deed> => {
  const ticket = await raised(scene);
  const { createdAt, slaFirstResponseDueAt: dueAt } = ticket;
  if (dueAt === null) throw new CommandFailed(`${ticket.number} has no clock for a first response`);
  const dueS = (Date.parse(dueAt) - Date.parse(createdAt)) / 1_000;
  const seconds = Math.ceil((dueS * percent) / 100) + MARGIN_S;
  const now = await scene.client.clock.advance(`PT${seconds}S`);
  return {
    value: { ...valueOf(ticket), dueAt, now },
    words: `${ticket.number} is due at ${dueAt}, and the sandbox's clock is at ${now}.`,
  };
};
