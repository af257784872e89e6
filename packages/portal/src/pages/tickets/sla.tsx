/** The two SLA clocks of a ticket as bars: the elapsed time and the time left. */
import type { JSX } from 'preact';
import { Icon } from '../../ui/icons.tsx';
import { timeNow } from '../../ui/now.ts';
import { span, when } from '../../ui/times.tsx';
import { clocksOf, openClocksOf, type Clock } from './clocks.ts';
import type { Ticket } from './words.tsx';

const ALMOST_PERCENT = 80;

const Bar = ({
  of: { name, dueAt, endedAt, isBreached, pausedAt },
  createdAt,
}: {
  readonly of: Clock;
  readonly createdAt: string;
}): JSX.Element => {
  if (dueAt === null)
    return (
      <div class="sla">
        <p class="sla-head">
          <span>{name}</span>
          <span class="faint">no clock</span>
        </p>
      </div>
    );
  const [start, due] = [Date.parse(createdAt), Date.parse(dueAt)];
  const stoppedAt = endedAt ?? pausedAt;
  const at = stoppedAt === null ? timeNow() : Date.parse(stoppedAt);
  const percent = Math.max(0, Math.min(100, Math.round(((at - start) / (due - start)) * 100)));
  const isLate = isBreached || at > due;
  const tone = isLate ? 'bad' : endedAt === null && percent >= ALMOST_PERCENT ? 'warn' : 'good';
  const left = isLate ? `${span(at - due)} over` : `${span(due - at)} left`;
  const words = endedAt === null ? left : isLate ? `missed by ${span(at - due)}` : 'met';
  if (pausedAt !== null)
    return (
      <div class="sla paused">
        <p class="sla-head">
          <span>{name}</span>
          <strong>
            <Icon name="pause" /> paused, {left}
          </strong>
        </p>
        <progress max={100} value={percent} aria-label={`${name}: paused, ${left}`} />
        <p class="faint small">stopped since {when(pausedAt)}, while it waits</p>
      </div>
    );
  return (
    <div class={`sla ${tone}`}>
      <p class="sla-head">
        <span>{name}</span>
        <strong>{words}</strong>
      </p>
      <progress max={100} value={percent} aria-label={`${name}: ${words}`} />
      <p class="faint small">due {when(dueAt)}</p>
    </div>
  );
};

export const SlaClocks = ({ of }: { readonly of: Ticket }): JSX.Element => (
  <div class="stack">
    {clocksOf(of).map((clock) => (
      <Bar key={clock.name} of={clock} createdAt={of.createdAt} />
    ))}
  </div>
);

/** The clock that is due next, in a few words; a paused one only where none runs. */
export const SlaHint = ({ of }: { readonly of: Ticket }): JSX.Element | null => {
  const open = openClocksOf(of);
  const next = open.find(({ pausedAt }) => pausedAt === null) ?? open[0];
  if (next === undefined) return null;
  const { dueAt, pausedAt } = next;
  const left = Date.parse(dueAt) - (pausedAt === null ? timeNow() : Date.parse(pausedAt));
  if (left < 0) return <span class="late">{span(left)} over</span>;
  return (
    <span class="faint nowrap">
      {pausedAt !== null && 'paused, '}
      {span(left)} left
    </span>
  );
};
