/**
 * A mirror between a facility's own system and the service desk, as an integrator would write it.
 * Each field has one system that originates its changes: the facility says title and priority, the
 * desk says state, crew and category; both raise tickets.
 */
import type { Reply } from '../support/servers/server.ts';
import { letPass } from '../support/until.ts';

const REQUESTS = '/api/service-desk/requests';
const CHANGES = '/api/service-desk/changes';
const SENDERS = 4;

/** The fields of the facility and of the desk. */
export interface FacilityFields {
  readonly title: string;
  readonly priority: string;
}
export interface DeskFields {
  readonly state: string;
  readonly crew: string | null;
  readonly category: string | null;
}

export interface Order extends FacilityFields, DeskFields {
  readonly id: string;
  /** Of its last entry. */
  readonly version: number;
}

/** One change that the facility's system recorded. */
export interface Entry {
  readonly orderId: string;
  readonly version: number;
  readonly by: 'staff' | 'mirror';
  readonly changed: Partial<FacilityFields & DeskFields>;
}

/** The facility's own system. Like the desk, it records nothing where nothing changes. */
export class Facility {
  readonly orders = new Map<string, Order>();
  readonly entries: Entry[] = [];
  /** Writes that changed nothing. */
  redundant = 0;

  open(id: string, fields: FacilityFields & Partial<DeskFields>, by: Entry['by']): void {
    if (this.orders.has(id)) throw new Error(`${id} was opened twice`);
    const order = { state: 'new', crew: null, category: null, ...fields };
    this.orders.set(id, { id, ...order, version: 1 });
    this.entries.push({ orderId: id, version: 1, by, changed: order });
  }

  change(orderId: string, fields: Entry['changed'], by: Entry['by']): void {
    const order = this.orders.get(orderId);
    if (!order) throw new Error(`${orderId} is unknown`);
    const before: Record<string, unknown> = { ...order };
    const news = Object.entries(fields).filter(([name, value]) => before[name] !== value);
    if (news.length === 0) {
      this.redundant += 1;
      return;
    }
    const changed: Entry['changed'] = Object.fromEntries(news);
    const version = order.version + 1;
    this.orders.set(orderId, { ...order, ...changed, version });
    this.entries.push({ orderId, version, by, changed });
  }
}

/** Asks again until there is an answer that is neither a broken connection nor a 503. */
export type Ask = (
  method: string,
  path: string,
  ask?: { body?: unknown; headers?: Record<string, string> },
) => Promise<Reply>;

export interface MirrorParts {
  readonly facility: Facility;
  readonly ask: Ask;
  /** The mirror's own `actor.id`. */
  readonly me: string;
  readonly buildingId: string;
  /** The source of the desk's changes. */
  readonly by: 'feed' | 'list';
}

export interface Mirror {
  /** Ticket → order. */
  readonly orders: ReadonlyMap<string, string>;
  /** Polls each side until aborted, and copies changes to the other. */
  run(signal: AbortSignal): Promise<void>;
  /** Whether both sides have received every change. */
  idle(): boolean;
}

/** Notes and clocks stay where they are. */
const mirrored = ['created', 'state', 'assignment', 'fields'];

interface Ticket {
  readonly id: string;
  readonly subject: string | null;
  readonly priority: string;
  readonly state: string;
  readonly category: string | null;
  readonly assignedTeamId: string | null;
  readonly updatedAt: string;
  readonly metadata: { readonly mirror?: { readonly order: string } };
}

export const mirrorOf = ({ facility, ask, me, buildingId, by }: MirrorParts): Mirror => {
  const orders = new Map<string, string>();
  const tickets = new Map<string, string>();
  const seen = new Map<string, string>();
  let cursor = '0';
  let sent = 0;
  let quiet = 0;

  const link = (ticketId: string, orderId: string) => {
    orders.set(ticketId, orderId);
    tickets.set(orderId, ticketId);
  };

  /** From the desk to the facility. */
  const take = (ticket: Ticket) => {
    const said = {
      state: ticket.state,
      crew: ticket.assignedTeamId,
      category: ticket.category,
    };
    // The stamp says which order a ticket came from, even before our own write was answered.
    const known = orders.get(ticket.id) ?? ticket.metadata.mirror?.order;
    if (known !== undefined) {
      facility.change(known, said, 'mirror');
      return;
    }
    const orderId = `from-${ticket.id}`;
    link(ticket.id, orderId);
    const title = ticket.subject ?? '';
    facility.open(orderId, { title, priority: ticket.priority, ...said }, 'mirror');
  };

  const followFeed = async () => {
    const { body } = await ask('GET', `${CHANGES}?after=${cursor}&limit=50&wait=1`);
    for (const { actor, change, ticket } of body.items)
      if (mirrored.includes(change) && actor.id !== me) take(ticket);
    cursor = body.nextCursor;
    quiet = body.items.length === 0 && body.caughtUp ? quiet + 1 : 0;
  };

  const lookThroughList = async () => {
    let news = 0;
    for (let page = 1; ; page += 1) {
      const { body } = await ask('GET', `${REQUESTS}?limit=200&page=${page}`);
      for (const ticket of body.items as Ticket[]) {
        if (seen.get(ticket.id) === ticket.updatedAt) continue;
        seen.set(ticket.id, ticket.updatedAt);
        news += 1;
        take(ticket);
      }
      if (body.items.length < 200) break;
    }
    quiet = news === 0 ? quiet + 1 : 0;
  };

  const write = async ({ orderId, version, changed: { title, priority } }: Entry) => {
    const fields = {
      ...(title === undefined ? {} : { subject: title }),
      ...(priority === undefined ? {} : { priority }),
      metadata: { mirror: { order: orderId, version } },
    };
    const headers = { 'idempotency-key': `${orderId}/${version}` };
    const ticketId = tickets.get(orderId);
    if (ticketId !== undefined) {
      await ask('PATCH', `${REQUESTS}/${ticketId}`, { body: fields, headers });
      return;
    }
    const made = { ...fields, buildingId, description: `Order ${orderId}` };
    const { body } = await ask('POST', REQUESTS, { body: made, headers });
    link(body.id, orderId);
  };

  /** From the facility to the desk: the staff's changes, in order per work order. */
  const send = async () => {
    const upTo = facility.entries.length;
    const news = facility.entries.slice(sent, upTo).filter((entry) => entry.by === 'staff');
    const orderly = Map.groupBy(news, ({ orderId }) => orderId).values();
    const sender = async () => {
      for (const entries of orderly) for (const entry of entries) await write(entry);
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
    sent = upTo;
    if (news.length > 0) quiet = 0;
  };

  const repeated = async (signal: AbortSignal, work: () => Promise<void>) => {
    while (!signal.aborted) {
      await work();
      await letPass(10, 'the pause between two looks');
    }
  };

  return {
    orders,
    async run(signal) {
      const follow = by === 'feed' ? followFeed : lookThroughList;
      await Promise.all([repeated(signal, follow), repeated(signal, send)]);
    },
    idle: () => quiet >= 2 && sent === facility.entries.length,
  };
};
