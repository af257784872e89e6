import type { JSX } from 'preact';
import type { Schemas } from '../../session/requests.ts';
import { Badge, type Tone } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';

type Projection = Schemas['Projection'];

export const LOOK_MS = 2_000;

const TONES: Readonly<Record<Projection['state'], Tone>> = {
  live: 'good',
  building: 'busy',
  waiting: 'neutral',
  stopped: 'bad',
};

export const Running = ({ state }: { readonly state: Projection['state'] }): JSX.Element => (
  <Badge tone={TONES[state]}>{state}</Badge>
);

export const Lag = ({
  of: { lagEvents, lagSeconds },
}: {
  readonly of: Pick<Projection, 'lagEvents' | 'lagSeconds'>;
}): JSX.Element => {
  if (lagEvents === 0 || lagSeconds === 0) return <span class="faint">none</span>;
  const events = lagEvents === null ? '' : `${lagEvents.toLocaleString('en')} events, `;
  return (
    <span>
      {events}
      {lagSeconds.toFixed(1)} s
    </span>
  );
};

/** The number of parked streams, linked to their list. */
export const ParkedCount = ({
  of,
  count,
  onShow,
}: {
  readonly of: string;
  readonly count: number;
  readonly onShow: () => void;
}): JSX.Element =>
  count === 0 ? (
    <span class="faint">0</span>
  ) : (
    <Button label={`Parked of ${of}`} onPress={onShow}>
      {count}
    </Button>
  );
