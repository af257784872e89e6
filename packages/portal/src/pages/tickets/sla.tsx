/** The two SLA clocks of a ticket as bars: the elapsed time and the time left. */
import type { JSX } from 'preact';
import { Icon } from '../../ui/icons.tsx';
import { span, when } from '../../ui/times.tsx';
import type { Ticket } from './words.tsx';

interface Clock {
  readonly name: string;
  readonly dueAt: string | null;
  /** When it stopped; `null` while it runs. */
  readonly endedAt: string | null;
  readonly isBreached: boolean;
}

const ENDED: ReadonlySet<Ticket['state']> = new Set(['resolved', 'closed', 'cancelled']);

const clocksOf = (ticket: Ticket): readonly Clock[] => {
  const end = ENDED.has(ticket.state) ? (ticket.resolvedAt ?? ticket.updatedAt) : null;
  return [
    {
      name: 'First response',
      dueAt: ticket.slaFirstResponseDueAt,
      endedAt: ticket.firstRespondedAt ?? end,
      isBreached: ticket.slaFirstResponseBreached,
    },
    {
      name: 'Resolution',
      dueAt: ticket.slaResolutionDueAt,
      endedAt: end,
      isBreached: ticket.slaResolutionBreached,
    },
  ];
};

const ALMOST_PERCENT = 80;

const Bar = ({
  of: { name, dueAt, endedAt, isBreached },
  createdAt,
  pausedAt,
}: {
  readonly of: Clock;
  readonly createdAt: string;
  /** When the clocks were paused; `null` while they run. */
  readonly pausedAt: string | null;
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
  // A clock that was overdue before the pause is not paused.
  const isPaused =
    endedAt === null && !isBreached && pausedAt !== null && Date.parse(pausedAt) < due;
  const stoppedAt = endedAt ?? (isPaused ? pausedAt : null);
  const at = stoppedAt === null ? Date.now() : Date.parse(stoppedAt);
  const percent = Math.max(0, Math.min(100, Math.round(((at - start) / (due - start)) * 100)));
  const isLate = isBreached || at > due;
  const tone = isLate ? 'bad' : endedAt === null && percent >= ALMOST_PERCENT ? 'warn' : 'good';
  const left = isLate ? `${span(at - due)} over` : `${span(due - at)} left`;
  const words = endedAt === null ? left : isLate ? `missed by ${span(at - due)}` : 'met';
  if (isPaused)
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
      <Bar key={clock.name} of={clock} createdAt={of.createdAt} pausedAt={of.slaPausedAt} />
    ))}
  </div>
);

/** The clock that is due next, in a few words. */
export const SlaHint = ({ of }: { readonly of: Ticket }): JSX.Element | null => {
  const next = clocksOf(of).find(({ dueAt, endedAt }) => dueAt !== null && endedAt === null);
  if (next?.dueAt === null || next === undefined) return null;
  const left = Date.parse(next.dueAt) - Date.now();
  return left < 0 ? (
    <span class="late">{span(left)} over</span>
  ) : (
    <span class="faint nowrap">{span(left)} left</span>
  );
};
