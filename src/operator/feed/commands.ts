/** `atrium feed …`. docs/operating/when-something-breaks.md. */
import { systemClock } from '../../engine/time/clock.ts';
import { feedControl, type BlockedTicket } from '../../processes/tickets/feed-control.ts';
import type { Env } from '../command-logger.ts';
import { onConsumers } from '../open-consumers.ts';
import { OperatorError } from '../operator-error.ts';
import { tableOf } from '../tables.ts';

export interface FeedCommand {
  readonly action: 'blocked' | 'skip';
  /** Required by `skip`. */
  readonly ticket?: string;
  readonly json?: boolean;
  readonly env: Env;
}

/**
 * Lists the tickets that block a change feed, or skips one. Needs no server: a skip is an event in
 * the log, which every server reads.
 *
 * @returns The exit code: 0.
 * @throws {@link OperatorError} if every event of the ticket can be read, and `BadConfiguration`,
 *   each with one line.
 */
export const feedCommand = ({ action, ticket = '', json, env }: FeedCommand): Promise<number> =>
  onConsumers(env, async ({ log, db, consumers, checkLog }) => {
    await checkLog();
    const { logger } = consumers;
    const control = feedControl({ log, pool: db.pool, clock: systemClock, logger });
    const say = (value: unknown, lines: () => string) =>
      process.stdout.write(`${json ? JSON.stringify(value) : lines()}\n`);
    if (action === 'blocked') {
      const items = await control.blocked();
      say({ items }, () => blockedTable(items));
      return 0;
    }
    const skipped = await control.skip(ticket, OPERATOR);
    if (!skipped) throw new OperatorError(`no ticket ${ticket}, or all of it can be read`);
    say(
      skipped,
      () => `the feed passes over ticket ${ticket} from revision ${skipped.revision} on`,
    );
    return 0;
  });

const blockedTable = (items: readonly BlockedTicket[]): string =>
  items.length === 0
    ? 'no feed is blocked'
    : tableOf([
        ['ticket', 'revision', 'organisation', 'since', 'why'],
        ...items.map(({ ticketId, revision, organisation, since, error }) =>
          [ticketId, revision, organisation ?? '-', since, error].map(String),
        ),
      ]);

const OPERATOR = { kind: 'system', id: 'atrium feed' } as const;
