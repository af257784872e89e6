/** The ticket of a fault, or a button that raises one. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useSubmission } from '../../loading.ts';
import { to } from '../../router.ts';
import type { Schemas } from '../../session/requests.ts';
import { Button } from '../../ui/controls.tsx';
import { Trouble } from '../../ui/notices.tsx';
import { useChanges } from '../tickets/live.ts';
import { StateBadge } from '../tickets/words.tsx';

export type Fault = Schemas['Fault'];

/** Calls `changed` when the ticket of a fault has changed, or may have. */
export const useTicketsOfFaults = (buildingId: string, changed: () => void): void =>
  useChanges((changes) => {
    const isOfFault = ({ ticket }: { ticket: { buildingId: string; faultId: string | null } }) =>
      ticket.buildingId === buildingId && ticket.faultId !== null;
    if (changes === null || changes.some(isOfFault)) changed();
  });

export const FaultTicket = ({
  buildingId,
  of: { faultId, title, ticket },
}: {
  readonly buildingId: string;
  readonly of: Fault;
}): JSX.Element | null => {
  const { api, may } = usePortal();
  const [raised, setRaised] = useState<Fault['ticket']>(null);
  const link = useRef<HTMLAnchorElement>(null);
  // The button that had the focus is gone.
  useEffect(() => {
    if (raised) link.current?.focus();
  }, [raised]);
  const raising = useSubmission(async () => {
    const params = { path: { buildingId, faultId } };
    const path = '/api/v1/buildings/{buildingId}/faults/{faultId}/ticket';
    const { id, number, state } = (await api.POST(path, { params, body: {} })).data;
    setRaised({ ticketId: id, number, state });
  });
  const shown = ticket ?? raised;
  if (shown)
    return (
      <span class="row">
        <a ref={link} class="nowrap" href={to(['tickets', shown.ticketId])}>
          {shown.number}
        </a>
        <StateBadge of={shown.state} />
      </span>
    );
  if (ticket === undefined || !may('service-desk.tickets:write')) return null;
  return (
    <>
      <Button
        icon="plus"
        isBusy={raising.isBusy}
        label={`Raise a ticket for ${title}`}
        onPress={raising.submit}
      >
        Raise a ticket
      </Button>
      <Trouble error={raising.error} />
    </>
  );
};
