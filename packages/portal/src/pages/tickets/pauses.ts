/** Whether a ticket's clocks stand while it waits. contract.md section 5, `pauseWhileWaiting`. */
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import type { Schemas } from '../../session/requests.ts';
import { placeMembers } from '../place-members.ts';
import type { Ticket } from './words.tsx';

type Match = Schemas['ServiceDeskConfiguration']['slaPolicies'][number]['match'];

/** Members that a policy compares; a phrase it compares by its words alone. */
const MEMBERS = ['requestType', 'priority', 'category', ...placeMembers] as const;

const fits = (ticket: Ticket, match: Match): boolean => {
  const named: Readonly<Record<string, unknown>> = { ...match };
  const isEqual = MEMBERS.every((name) => {
    const wanted = named[name];
    return wanted === undefined || [wanted].flat().includes(ticket[name]);
  });
  const text = match?.text?.toLowerCase();
  const said = `${ticket.subject ?? ''}\n${ticket.description}`.toLowerCase();
  return isEqual && (text === undefined || said.includes(text));
};

/**
 * By the policies as they are configured now: the API does not say which one a ticket was opened
 * under.
 *
 * @param isWaiting Asked for only while the ticket waits.
 */
export const usePauses = (ticket: Ticket, isWaiting: boolean): boolean => {
  const { api } = usePortal();
  const { data } = useLoaded(
    async (signal) => {
      if (!isWaiting) return undefined;
      return (await api.GET('/api/service-desk/configuration', { signal })).data;
    },
    [api, isWaiting],
  );
  const policy = data?.slaPolicies.find(({ match }) => fits(ticket, match));
  return isWaiting && policy?.pauseWhileWaiting === true;
};
