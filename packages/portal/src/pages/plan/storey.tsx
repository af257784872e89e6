/** One storey: its coloured plan, the list of its rooms, and the details of the open room. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Facts } from '../../ui/content.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Empty, Trouble } from '../../ui/notices.tsx';
import type { PlanRoute } from './address.ts';
import { hasPast, useColourings, useColours, useLayers } from './coloured.ts';
import { paintOf, roomWords, valueWords, type Colouring, type Colours } from './colours.ts';
import { DaySlider } from './day.tsx';
import { Drawing } from './drawing.tsx';
import { Legend } from './legend.tsx';
import type { Space, StoreyPlan } from './storey-plan.ts';
import { RoomPanel } from './room.tsx';
import { RoomList } from './rooms.tsx';

/** The value in the address for rooms without colours. */
const NONE = 'none';

export const StoreyView = ({
  buildingId,
  plan,
  route,
}: {
  readonly buildingId: string;
  readonly plan: StoreyPlan;
  readonly route: PlanRoute;
}): JSX.Element => {
  const place = { buildingId, storeyId: plan.storey.id };
  const colourings = useColourings(place);
  const items = colourings.data ?? NO_COLOURINGS;
  const colour = route.colour ?? items[0]?.colour ?? NONE;
  // The address does not change during playback.
  const [movedTo, setMovedTo] = useState<string | null | undefined>(undefined);
  useEffect(() => setMovedTo(undefined), [route.at]);
  const at = hasPast(colour) ? (movedTo === undefined ? route.at : movedTo) : null;
  const colours = useColours(place, colour === NONE ? null : colour, at);
  const coloured = colours.data ?? null;
  const paint = useMemo(() => paintOf(coloured), [coloured]);
  const wordsOf = useWords(coloured);
  const [hot, setHot] = useState<Space | null>(null);
  const chosen = useMemo(
    () => plan.spaces.find(({ id }) => id === route.space) ?? null,
    [plan, route.space],
  );
  const [wasOpened, setOpened] = useState(false);
  useEffect(() => setOpened((before) => before || chosen !== null), [chosen]);
  const layers = useLayers(place, items, wasOpened);
  const side = useRef<HTMLDivElement>(null);
  const choose = ({ id }: Space) => route.show({ space: id });
  const close = () => {
    route.show({ space: null });
    side.current?.querySelector('input')?.focus({ preventScroll: true });
  };
  const { name } = plan.storey;
  return (
    <div class="plan-storey-view">
      <div>
        <div class="toolbar plan-toolbar">
          <SelectField
            label="Colour by"
            value={colour}
            choices={choicesOf(items, colour)}
            onValue={(next) => {
              setMovedTo(undefined);
              route.show({ colour: next, at: null });
            }}
          />
          {hasPast(colour) && (
            <DaySlider
              at={at}
              isLoading={colours.isLoading}
              onMove={setMovedTo}
              onRest={(next) => {
                setMovedTo(next);
                route.show({ at: next });
              }}
            />
          )}
          {coloured && <Legend of={coloured} />}
        </div>
        <Trouble error={colourings.error} again={colourings.reload} />
        <Trouble error={colours.error} again={colours.reload} />
        <PlanNotices of={plan} />
        {plan.bounds === null ? (
          <Empty title="This storey has no rooms" />
        ) : (
          <Drawing
            plan={plan}
            label={`Plan of ${name}`}
            paint={paint}
            hot={hot}
            chosen={chosen}
            onHot={setHot}
            onChoose={choose}
          >
            {hot && (
              <>
                <strong>{hot.code}</strong> {hot.name}
                <br />
                {wordsOf(hot)}
              </>
            )}
          </Drawing>
        )}
      </div>
      <div class="plan-side" ref={side}>
        {chosen && (
          <RoomPanel
            key={chosen.id}
            buildingId={buildingId}
            storeyId={plan.storey.id}
            space={chosen}
            onClose={close}
          >
            <Trouble error={layers.error} again={layers.reload} />
            <LayerValues of={layers.data ?? []} space={chosen} />
          </RoomPanel>
        )}
        <RoomList
          spaces={plan.spaces}
          storey={name}
          valueOf={wordsOf}
          hot={hot}
          chosen={chosen}
          onHot={setHot}
          onChoose={choose}
        />
      </div>
    </div>
  );
};

const NO_COLOURINGS: readonly Colouring[] = [];

const choicesOf = (items: readonly Colouring[], colour: string) => {
  const isListed = colour === NONE || items.some((colouring) => colouring.colour === colour);
  return [
    [NONE, 'Nothing'] as const,
    ...items.map((colouring) => [colouring.colour, colouring.name] as const),
    ...(isListed ? [] : [[colour, colour] as const]),
  ];
};

/** The coloured value of a room as text; blank without one. */
const useWords = (colours: Colours | null): ((space: Space) => string) =>
  useMemo(() => {
    const values = new Map(colours?.spaces.map((room) => [room.spaceId, room]));
    return ({ id }) => {
      const value = values.get(id);
      return value === undefined || colours === null ? '' : roomWords(value, colours);
    };
  }, [colours]);

const LayerValues = ({
  of,
  space: { id },
}: {
  readonly of: readonly (readonly [name: string, Colours])[];
  readonly space: Space;
}): JSX.Element | null => {
  const facts = of.flatMap(([name, { spaces, unit }]) => {
    const found = spaces.find(({ spaceId }) => spaceId === id);
    return found === undefined ? [] : [[name, valueWords(found.value, unit)] as const];
  });
  if (facts.length === 0) return null;
  return (
    <>
      <h3>Data layers</h3>
      <Facts of={facts} />
    </>
  );
};

/** Notices of what the drawing omits or only approximates. */
const PlanNotices = ({ of }: { readonly of: StoreyPlan }): JSX.Element => {
  const left = of.spacesTotal - of.spaces.length;
  const bare = of.spaces.filter(({ outline }) => outline === null).length;
  return (
    <>
      {of.schematic && (
        <p class="notice">
          This plan is schematic: no room of this storey has an outline, so rooms are drawn by their
          areas only.
        </p>
      )}
      {left > 0 && (
        <p class="notice">
          {left.toLocaleString('en')} of {of.spacesTotal.toLocaleString('en')} rooms are left out.
        </p>
      )}
      {bare > 0 && (
        <p class="notice">
          {bare.toLocaleString('en')} {bare === 1 ? 'room has' : 'rooms have'} no outline: see the
          list.
        </p>
      )}
    </>
  );
};
