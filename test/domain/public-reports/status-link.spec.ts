import { describe, expect, it } from 'vitest';
import type { StatusLinkEvent } from '../../../src/domain/public-reports/events.ts';
import {
  STATUS_LINK_AFTER_CLOSE_MAX_DAYS,
  STATUS_LINK_MAX_DAYS,
} from '../../../src/domain/public-reports/limits.ts';
import {
  endOfStatusLink,
  isStatusLinkOpen,
  statusLinkAfter,
  statusLinkDecider,
  type StatusLinkCommand,
} from '../../../src/domain/public-reports/status-link.ts';
import { daysAfter } from '../../../src/engine/time/calendar.ts';
import { noon, specify } from '../../support/domain/specify.ts';

const at = noon.at;
const given = specify(statusLinkDecider);
const ticketId = '916ee21c-cdbb-5255-b2c2-094796fa6236';
const expiresAt = daysAfter(at, STATUS_LINK_MAX_DAYS);
const issued: StatusLinkEvent = {
  type: 'StatusLinkIssued',
  ticketId,
  organisation: 'acme',
  tokenHash: 'aa',
  expiresAt,
};
const revoked: StatusLinkEvent = { type: 'StatusLinkRevoked', ticketId };
const issue: StatusLinkCommand = {
  type: 'IssueStatusLink',
  ticketId,
  organisation: 'acme',
  tokenHash: 'aa',
};
const revoke = (organisation = 'acme'): StatusLinkCommand => ({
  type: 'RevokeStatusLink',
  organisation,
});

describe('a status link', () => {
  it('is issued once, for 90 days', () => {
    given().when(issue).records(issued);
    given(issued).when(issue).recordsNothing();
  });

  it('is revoked once, and stays revoked when its report is repeated', () => {
    given(issued).when(revoke()).records(revoked);
    given(issued, revoked).when(revoke()).recordsNothing();
    given(issued, revoked).when(issue).recordsNothing();
  });

  it('cannot be revoked by another organisation, nor before it exists', () => {
    given().when(revoke()).refuses('NOT_FOUND');
    given(issued).when(revoke('globex')).refuses('NOT_FOUND');
  });

  it('ends 14 days after its ticket was closed, or by its own term', () => {
    const link = statusLinkAfter({ event: issued, at }, null);
    const closed = daysAfter(at, 10);
    const end = daysAfter(closed, STATUS_LINK_AFTER_CLOSE_MAX_DAYS);
    expect(endOfStatusLink(link, null)).toBe(expiresAt);
    expect(endOfStatusLink(link, closed)).toBe(end);
    expect(endOfStatusLink(link, daysAfter(at, 89))).toBe(expiresAt);
    expect(isStatusLinkOpen(link, null, daysAfter(at, 89))).toBe(true);
    expect(isStatusLinkOpen(link, null, expiresAt)).toBe(false);
    expect(isStatusLinkOpen(link, closed, daysAfter(closed, 13))).toBe(true);
    expect(isStatusLinkOpen(link, closed, end)).toBe(false);
    const gone = statusLinkAfter({ event: revoked, at }, link);
    expect(isStatusLinkOpen(gone, null, at)).toBe(false);
  });
});
