/**
 * Commands on one ticket. Each names the revision that it was based on, so that a concurrent change
 * is never overwritten. contract.md sections 1 and 5.
 */
import { AtriumError, type components } from '../../../../sdk/src/index.ts';
import type { Latest } from '../../actions.ts';
import { usePortal } from '../../context.ts';
import type { Ticket } from './words.tsx';

type Bodies = components['schemas'];

/** Sends a command at a revision. @returns the ticket as the command left it. */
export type TicketCommand = (id: string, revision: number) => Promise<Ticket>;

export interface TicketCommands {
  readonly load: (id: string) => Promise<Ticket>;
  /** Each is given an `Idempotency-Key` if it may be sent again: by a form, its `commandId`. */
  readonly patch: (body: Bodies['TicketPatch'], commandId?: string) => TicketCommand;
  readonly assign: (body: Bodies['Assignment'], commandId?: string) => TicketCommand;
  readonly move: (body: Bodies['Transition'], commandId?: string) => TicketCommand;
  readonly note: (id: string, body: string, commandId: string) => Promise<void>;
  /**
   * Sends a command at the newest revision, as long as the members that it sets equal those of
   * `seen`.
   *
   * @param latest The newest known version of the ticket.
   * @throws ChangedByOthers that names the member which another user has changed.
   */
  readonly unlessChanged: (
    seen: Ticket,
    names: readonly (keyof Ticket)[],
    command: TicketCommand,
    latest?: Latest,
  ) => Promise<Ticket>;
}

/** Attempts of one command against concurrent changes of other members. */
const ATTEMPTS_MAX = 4;

const MEMBER_NAMES: Readonly<Record<string, string>> = {
  assignedUserId: 'assignee',
  assignedTeamId: 'team',
};

const shown = (value: Ticket[keyof Ticket]): string =>
  value === null ? 'nobody' : typeof value === 'string' ? value : JSON.stringify(value);

/** Another user has set a member that a command is about. */
export class ChangedByOthers extends Error {
  override readonly name = 'ChangedByOthers';
  readonly current: Ticket;

  constructor(words: string, current: Ticket) {
    super(words);
    this.current = current;
  }
}

/** Names the first member that differs from `seen`; `null` if none does. */
export const changeByOthers = (
  seen: Partial<Ticket>,
  names: readonly (keyof Ticket)[],
  current: Ticket,
): ChangedByOthers | null => {
  const other = names.find((name) => current[name] !== seen[name]);
  if (other === undefined) return null;
  const member = MEMBER_NAMES[other] ?? other;
  const words = `someone else has set its ${member} to ${shown(current[other])} in the meantime.`;
  return new ChangedByOthers(words, current);
};

/**
 * The longest body of a request that may outlive its page: browsers allow 64 KiB for all of them.
 */
const KEEPALIVE_LENGTH_MAX = 10_000;

const sent = <Body>(body: Body) => ({
  body,
  keepalive: JSON.stringify(body).length <= KEEPALIVE_LENGTH_MAX,
});

export const useTicketCommands = (): TicketCommands => {
  const { api } = usePortal();
  const at = (id: string, revision: number, commandId: string | undefined) => ({
    path: { id },
    header: {
      'If-Match': `"${revision}"`,
      ...(commandId !== undefined && { 'Idempotency-Key': commandId }),
    },
  });
  const load = async (id: string) => {
    const params = { path: { id } };
    return (await api.GET('/api/service-desk/requests/{id}', { params })).data;
  };
  return {
    load,
    patch: (body, commandId) => async (id, revision) => {
      const path = '/api/service-desk/requests/{id}';
      return (await api.PATCH(path, { params: at(id, revision, commandId), ...sent(body) })).data;
    },
    assign: (body, commandId) => async (id, revision) => {
      const path = '/api/service-desk/requests/{id}/assign';
      return (await api.POST(path, { params: at(id, revision, commandId), ...sent(body) })).data;
    },
    move: (body, commandId) => async (id, revision) => {
      const path = '/api/service-desk/requests/{id}/transition';
      return (await api.POST(path, { params: at(id, revision, commandId), ...sent(body) })).data;
    },
    async note(id, body, commandId) {
      await api.POST('/api/service-desk/requests/{id}/updates', {
        params: { path: { id }, header: { 'Idempotency-Key': commandId } },
        body: { body, visibility: 'internal' },
      });
    },
    async unlessChanged(seen, names, command, latest = (ticket) => ticket) {
      let current = latest(seen);
      for (let attempt = 1; ; attempt += 1) {
        const change = changeByOthers(seen, names, current);
        if (change !== null) throw change;
        try {
          return await command(current.id, current.revision);
        } catch (error) {
          const isStale = AtriumError.is(error, 'PRECONDITION_FAILED');
          if (!isStale || attempt === ATTEMPTS_MAX) throw error;
          current = await load(current.id);
        }
      }
    },
  };
};
