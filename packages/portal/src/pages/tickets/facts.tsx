/** The facts of a ticket, its links, and other tickets of the same place. */
import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import { Actor, Badge, Card, Facts } from '../../ui/content.tsx';
import { At } from '../../ui/times.tsx';
import { nameIn, useBuildings, useSpaces, useStoreys } from '../places.ts';
import { useRoomNames } from '../rooms.ts';
import { answerWords, type RequestType } from './answers.ts';
import { usePeopleNamed, type Names } from './people.ts';
import type { Entry } from './sentences.ts';
import { TypeName } from './type-icon.tsx';
import { StateBadge, titleOf, type Ticket } from './words.tsx';

/** Related tickets on screen. */
const RELATED_MAX = 5;

const nameOrId = (names: ReadonlyMap<string, string>, id: string | null): string | null =>
  id === null ? null : (names.get(id) ?? id);

export const TicketFacts = ({
  of,
  names,
  type,
}: {
  readonly of: Ticket;
  readonly names: Names;
  /** Its request type in the configuration. */
  readonly type: RequestType | undefined;
}): JSX.Element => {
  const building = nameIn(useBuildings(), of.buildingId);
  const storey = nameIn(useStoreys(of.buildingId), of.storeyId);
  const space = nameIn(useSpaces(of.buildingId, of.storeyId ?? ''), of.spaceId);
  return (
    <Facts
      of={[
        ['Assigned to', nameOrId(names.people, of.assignedUserId)],
        ['Team', nameOrId(names.teams, of.assignedTeamId)],
        ['Building', building],
        ['Storey', storey],
        ['Space', space],
        ['Category', of.category],
        ['Request type', <TypeName of={type} slug={of.requestType} />],
        ['Channel', <Badge>{of.channel}</Badge>],
        [
          'Reported by',
          of.reporterErased ? 'Erased person' : (of.reporterName ?? of.reporterEmail),
        ],
        ['Raised', <At at={of.createdAt} />],
        ['Raised by', <Actor of={of.createdBy} />],
        ['Changed', <At at={of.updatedAt} />],
        ...Object.entries(of.metadata).map(
          ([name, value]) => [name, <code>{JSON.stringify(value)}</code>] as const,
        ),
      ]}
    />
  );
};

/** The answers in the order of the form, then those to fields that the form no longer has. */
export const TicketAnswers = ({
  of: { formData, buildingId },
  names,
  type,
}: {
  readonly of: Ticket;
  readonly names: Names;
  readonly type: RequestType | undefined;
}): JSX.Element | null => {
  const fields = type?.fields ?? [];
  const asked = new Map(fields.map((field) => [field.key, field]));
  const hasRooms = fields.some(({ key, kind }) => kind === 'space' && Object.hasOwn(formData, key));
  const rooms = useRoomNames(hasRooms ? [buildingId] : []);
  const answered = fields.filter(({ kind }) => kind === 'person').map(({ key }) => formData[key]);
  const people = usePeopleNamed(
    names.people,
    answered.filter((answer) => typeof answer === 'string'),
  );
  const others = Object.keys(formData).filter((key) => !asked.has(key));
  const keys = fields.map(({ key }) => key).filter((key) => Object.hasOwn(formData, key));
  if (keys.length + others.length === 0) return null;
  return (
    <Card title={type?.name ?? 'Form'}>
      <Facts
        of={[
          ...keys.map((key) => {
            const field = asked.get(key)!;
            return [field.label, answerWords(field, formData[key], { people, rooms })] as const;
          }),
          ...others.map((key) => [key, <code>{JSON.stringify(formData[key])}</code>] as const),
        ]}
      />
    </Card>
  );
};

const linkOf = (entry: Entry): string | null => {
  const to = entry.to as { readonly workOrderId?: string } | null | undefined;
  return entry.kind === 'work_order' ? (to?.workOrderId ?? null) : null;
};

/** Renders nothing without linked work orders. */
export const WorkOrders = ({
  of: { workOrderIds, workOrderId },
  entries,
}: {
  readonly of: Ticket;
  readonly entries: readonly Entry[];
}): JSX.Element | null =>
  workOrderIds.length === 0 ? null : (
    <Card title="Work orders">
      <ul class="related">
        {workOrderIds.map((id) => {
          const linkedAt = entries.find((entry) => linkOf(entry) === id)?.at;
          return (
            <li key={id}>
              <code>{id}</code>
              {id === workOrderId && workOrderIds.length > 1 && <Badge>latest</Badge>}
              {linkedAt !== undefined && (
                <span class="faint small">
                  linked <At at={linkedAt} />
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );

/** Other tickets of the same element, or else of the same room; renders nothing without any. */
export const RelatedTickets = ({
  of: { id, elementId, spaceId },
}: {
  readonly of: Ticket;
}): JSX.Element | null => {
  const { api } = usePortal();
  const { data = [] } = useLoaded<readonly Ticket[]>(
    async (signal) => {
      const place = elementId !== null ? { elementId } : spaceId !== null ? { spaceId } : null;
      if (place === null) return [];
      const params = { query: { ...place, limit: RELATED_MAX + 1 } };
      return (await api.GET('/api/service-desk/requests', { params, signal })).data.items;
    },
    [api, id, elementId, spaceId],
  );
  const others = data.filter((ticket) => ticket.id !== id).slice(0, RELATED_MAX);
  if (others.length === 0) return null;
  return (
    <Card title={elementId === null ? 'Same room' : 'Same element'}>
      <ul class="related">
        {others.map((ticket) => (
          <li key={ticket.id}>
            <a href={to(['tickets', ticket.id])}>{titleOf(ticket)}</a>
            <span class="faint small nowrap">{ticket.number}</span>
            <StateBadge of={ticket.state} />
          </li>
        ))}
      </ul>
    </Card>
  );
};
