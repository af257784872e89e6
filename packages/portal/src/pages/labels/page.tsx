/** Sheets of QR labels for rooms or elements, each of which opens the ticket form of its place. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { to, useRoute } from '../../router.ts';
import { PageHead } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { Empty, Loading, Show } from '../../ui/notices.tsx';
import { useStoreysOf } from '../plan/storey-plan.ts';
import { Choices, useLabelRoute } from './choices.tsx';
import { useQrCodes } from './codes.ts';
import { labelAddress } from './label-address.ts';
import { PlaceList } from './list.tsx';
import { LABELS_MAX, usePlaces, type LabelPlace } from './places.ts';
import { SheetPreview } from './preview.tsx';

export const LabelsPage = (): JSX.Element => {
  const buildingId = useRoute().path[1]!;
  const building = useStoreysOf(buildingId);
  const route = useLabelRoute();
  const { data } = building;
  const storeys = useMemo(
    () => (data === undefined ? null : new Map(data.storeys.map(({ id, name }) => [id, name]))),
    [data],
  );
  const places = usePlaces(buildingId, route, storeys);
  return (
    <Show of={building}>
      {({ name, storeys: buildingStoreys }) => (
        <div class="labels-page">
          <PageHead
            title={`Labels of ${name}`}
            above={[to(['buildings', buildingId]), name]}
            lead={
              'QR codes for doors and machines. Scanning one opens the form to raise a ' +
              'ticket there.'
            }
          />
          <Choices route={route} storeys={buildingStoreys} />
          <OriginNotice />
          {storeys === null ? (
            <Loading />
          ) : (
            <Show of={places}>
              {({ places: found, isMore }) => (
                <>
                  {isMore && (
                    <p class="notice">
                      These are the first {found.length.toLocaleString('en')}: at most{' '}
                      {LABELS_MAX.toLocaleString('en')} labels are printed at once. Choose a storey
                      for the others.
                    </p>
                  )}
                  {found.length === 0 ? (
                    <Empty
                      title={`There are no ${route.kind === 'space' ? 'rooms' : 'elements'} here`}
                    />
                  ) : (
                    <Labels
                      key={`${route.kind} ${route.storeyId} ${route.spaceId}`}
                      buildingId={buildingId}
                      building={name}
                      of={found}
                      route={route}
                    />
                  )}
                </>
              )}
            </Show>
          )}
        </div>
      )}
    </Show>
  );
};

const Labels = ({
  buildingId,
  building,
  of,
  route: { sheet, start },
}: {
  readonly buildingId: string;
  readonly building: string;
  readonly of: readonly LabelPlace[];
  readonly route: ReturnType<typeof useLabelRoute>;
}): JSX.Element => {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = useMemo(
    () =>
      of
        .filter(({ id }) => !left.has(id))
        .map((place) => ({
          ...place,
          building,
          address: labelAddress(location.origin, buildingId, place),
        })),
    [of, left, building, buildingId],
  );
  const addresses = useMemo(() => chosen.map(({ address }) => address), [chosen]);
  const codeOf = useQrCodes(addresses);
  const made = addresses.filter((address) => codeOf(address) !== undefined).length;
  const isReady = made === addresses.length;
  const count = chosen.length.toLocaleString('en');
  return (
    <div class="labels-columns">
      <PlaceList of={of} left={left} onLeft={setLeft} />
      <div>
        <div class="row labels-print">
          <Button
            kind="primary"
            onPress={() => print()}
            isDisabled={!isReady || chosen.length === 0}
          >
            Print {count} {chosen.length === 1 ? 'label' : 'labels'}
          </Button>
          <p class="faint small" role="status">
            {isReady
              ? 'In the print dialog: no margins, a scale of 100 %.'
              : `Created ${made.toLocaleString('en')} of ${count} codes…`}
          </p>
        </div>
        <SheetPreview of={chosen} sheet={sheet} start={start} codeOf={codeOf} />
      </div>
    </div>
  );
};

const LOCAL = /^(localhost|.*\.localhost|127\..*|\[::1\])$/;

/** A label with a loopback address does not work on a phone. */
const OriginNotice = (): JSX.Element | null =>
  LOCAL.test(location.hostname) ? (
    <p class="notice">
      The codes lead to {location.origin}, which only works on this computer. Print from the address
      that everyone uses.
    </p>
  ) : null;
