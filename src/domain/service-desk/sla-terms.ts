/** The service levels of a ticket. contract.md section 5. */
import { SLA_WARNING_PERCENT_DEFAULT } from './limits.ts';
import { defaultSlaMinutes, type SlaMinutes } from '../tickets/sla.ts';
import type { BusinessCalendar } from './business-hours.ts';
import type { Configuration } from './configuration.ts';
import { matches, type Routable } from './matching.ts';

export interface SlaTerms extends SlaMinutes {
  /** The policy's name; `null`: none matches, and the defaults by priority count. */
  readonly policy: string | null;
  /** Each clock warns after this share of its time. */
  readonly warningPercent: number;
  /** `null`: around the clock. */
  readonly calendar: BusinessCalendar | null;
  readonly pauseWhileWaiting: boolean;
}

/**
 * The terms of the first policy that matches, or the defaults by priority.
 *
 * @param ticket As routing left it.
 * @param foundTexts Texts of the configuration in the ticket: {@link configuredTextsFinder}.
 */
export const slaTermsOf = (
  { slaPolicies, calendars }: Configuration,
  ticket: Routable,
  foundTexts: ReadonlySet<string>,
): SlaTerms => {
  const policy = slaPolicies.find(
    ({ match }) => match === undefined || matches(match, ticket, foundTexts),
  );
  if (!policy) {
    return {
      policy: null,
      ...defaultSlaMinutes[ticket.priority],
      warningPercent: SLA_WARNING_PERCENT_DEFAULT,
      calendar: null,
      pauseWhileWaiting: false,
    };
  }
  const { name, firstResponseMinutes, resolutionMinutes, calendar } = policy;
  return {
    policy: name,
    firstResponseMinutes,
    resolutionMinutes,
    warningPercent: policy.warningPercent ?? SLA_WARNING_PERCENT_DEFAULT,
    // Validation ensures that the calendar of a policy exists.
    calendar: calendar === undefined ? null : (calendars[calendar] ?? null),
    pauseWhileWaiting: policy.pauseWhileWaiting ?? false,
  };
};
