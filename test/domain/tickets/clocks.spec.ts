/** The two SLA clocks: when they end and which breaches are recorded. contract.md section 5. */
import { describe, it } from 'vitest';
import { ticketDecider } from '../../../src/domain/tickets/ticket.ts';
import { afterNoon, specify } from '../../support/domain/specify.ts';
import {
  acme,
  assigned,
  edit,
  firstResponseBreached,
  historyOf,
  moved,
  opened,
  resolutionBreached,
  responded,
  transition,
} from '../../support/domain/tickets.ts';

const given = specify(ticketDecider);

describe('the SLA clocks', () => {
  const assign = { type: 'AssignTicket', authority: acme, assignedUserId: 'u1' } as const;

  it('count a first response at its due time as in time', () =>
    given(opened()).when(assign, afterNoon(60)).records(assigned('u1'), responded));

  it('record the breach before a first response after its due time', () =>
    given(opened())
      .when(assign, afterNoon(60.001))
      .records(firstResponseBreached, assigned('u1'), responded));

  it('record with a response only the breach of the clock that it ends', () =>
    given(opened())
      .when(assign, afterNoon(481))
      .records(firstResponseBreached, assigned('u1'), responded));

  it('record a breach once', () =>
    given(opened(), firstResponseBreached)
      .when(assign, afterNoon(61))
      .records(assigned('u1'), responded));

  it.each(['resolved', 'cancelled'] as const)('record both breaches before a late %s', (to) =>
    given(...historyOf('triaged'))
      .when(transition(to), afterNoon(481))
      .records(firstResponseBreached, resolutionBreached, moved('triaged', to)),
  );

  it('record only the breach of the clock that is past due', () =>
    given(...historyOf('triaged'))
      .when(transition('resolved'), afterNoon(61))
      .records(firstResponseBreached, moved('triaged', 'resolved')));

  it('record no breach of a clock that has ended with the response', () =>
    given(...historyOf('triaged'), assigned('u1'), responded)
      .when(transition('resolved'), afterNoon(61))
      .records(moved('triaged', 'resolved')));

  it.each(['waiting', 'in_progress'] as const)('record nothing with a late %s: they run on', (to) =>
    given(...historyOf('triaged'))
      .when(transition(to), afterNoon(481))
      .records(moved('triaged', to)),
  );

  it('end the resolution no second time when a resolved ticket is closed late', () =>
    given(...historyOf('resolved'))
      .when(transition('closed'), afterNoon(481))
      .records(moved('resolved', 'closed')));

  it('run on after a reopen with the old due time', () =>
    given(...historyOf('reopened'))
      .when(transition('resolved'), afterNoon(481))
      .records(resolutionBreached, moved('reopened', 'resolved')));

  it('record no second breach after a reopen', () =>
    given(
      ...historyOf('triaged'),
      resolutionBreached,
      moved('triaged', 'resolved'),
      moved('resolved', 'reopened'),
    )
      .when(transition('resolved'), afterNoon(481))
      .records(moved('reopened', 'resolved')));

  it('that ended with a resolution are late no more, though the first response still counts', () =>
    given(...historyOf('reopened'))
      .when(assign, afterNoon(61))
      .records(assigned('u1'), responded));

  it('that are not there are never late', () =>
    given(
      opened({ slaFirstResponseDueAt: null, slaResolutionDueAt: null }),
      moved('new', 'triaged'),
    )
      .when(transition('resolved'), afterNoon(10_000))
      .records(moved('triaged', 'resolved')));

  it('do not move when the priority does', () =>
    given(opened())
      .when(edit({ priority: 'critical' }))
      .records({ type: 'TicketEdited', changes: { priority: 'critical' } }));
});
