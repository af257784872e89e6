/** A scanned label: the place that it names, its open tickets, and the form for another. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { to, useRoute } from '../../router.ts';
import { Card, PageHead } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { Empty, Show } from '../../ui/notices.tsx';
import { placeIn } from '../labels/label-address.ts';
import { SmallPlan } from '../plan/small.tsx';
import { NewTicket } from '../tickets/new.tsx';
import { OpenTickets } from './open-tickets.tsx';
import { useScanned, type Scanned } from './scanned.ts';

export const ReportPage = (): JSX.Element => {
  const { may } = usePortal();
  const { query } = useRoute();
  if (!may('platform.buildings:read'))
    return (
      <>
        <PageHead title="Raise a ticket" />
        <Empty title="Your role cannot see buildings" />
      </>
    );
  return placeIn(query) === null ? <Somewhere /> : <AtPlace key={query.toString()} />;
};

/** Without a label: the same form, with no place filled in. */
const Somewhere = (): JSX.Element => (
  <>
    <PageHead title="Raise a ticket" lead="This address names no place." />
    <Raise isOpen={false} />
  </>
);

const AtPlace = (): JSX.Element => {
  const { query } = useRoute();
  const scanned = useScanned(placeIn(query)!);
  return (
    <Show of={scanned}>
      {(place) =>
        place === null ? (
          <>
            <PageHead title="Raise a ticket" />
            <p class="notice">
              The place of this label is no longer in the building. Choose it in the form, and have
              the label printed again.
            </p>
            <Raise isOpen={false} />
          </>
        ) : (
          <ThePlace of={place} />
        )
      }
    </Show>
  );
};

const ThePlace = ({ of }: { readonly of: Scanned }): JSX.Element => {
  const { may } = usePortal();
  const { code, name, buildingId, storeyId, spaceId } = of;
  return (
    <>
      <PageHead
        title={`${code} ${name}`}
        lead="Scanned from its label"
        above={[to(['buildings', buildingId]), 'Building']}
      />
      <Raise isOpen place={of} />
      {may('service-desk.tickets:read') && <OpenTickets of={of} />}
      {spaceId !== null && (
        <Card title="Place">
          <SmallPlan buildingId={buildingId} storeyId={storeyId} spaceId={spaceId} />
        </Card>
      )}
    </>
  );
};

const Raise = ({
  isOpen,
  place,
}: {
  /** The form opens at once, because the person has scanned its label. */
  readonly isOpen: boolean;
  readonly place?: Scanned;
}): JSX.Element => {
  const { may } = usePortal();
  const [isRaising, setRaising] = useState(isOpen);
  if (!may('service-desk.tickets:write'))
    return <p class="notice">Your role cannot raise tickets.</p>;
  return (
    <>
      <p class="below">
        <Button kind="primary" icon="plus" onPress={() => setRaising(true)}>
          {place === undefined ? 'New ticket' : 'Raise a ticket here'}
        </Button>
      </p>
      {isRaising && (
        <NewTicket
          {...(place && { place: ticketPlaceOf(place) })}
          onClose={() => setRaising(false)}
        />
      )}
    </>
  );
};

const ticketPlaceOf = ({ buildingId, storeyId, spaceId, elementId }: Scanned) => ({
  buildingId,
  storeyId,
  spaceId: spaceId ?? '',
  ...(elementId !== null && { elementId }),
});
