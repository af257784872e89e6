import type { Pool } from 'pg';
import { WEBHOOK_ATTEMPTS_SHOWN_MAX } from '../../domain/webhooks/limits.ts';
import type { SubscriptionView } from '../../domain/webhooks/subscription/view.ts';
import { statementsOf } from '../../engine/projections/apply/table-sql.ts';
import { webhookAttempts, type AttemptRow } from './attempts.ts';
import { webhookDeadLetters } from './dead-letters.ts';
import { webhookSkippedEvents, type SkippedEventsRow } from './skipped-events.ts';
import { webhookSubscriptions } from './subscriptions.ts';

export interface WebhookQueries {
  /** The organisation's subscriptions, oldest first. */
  list(
    organisation: string,
    range: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly items: readonly SubscriptionView[]; readonly total: number }>;
  /** All of an organisation. */
  ofOrganisation(organisation: string): Promise<readonly SubscriptionView[]>;
  byId(webhookIds: readonly string[]): Promise<readonly SubscriptionView[]>;
  /** The number of events that each subscription has missed since its last pause. */
  skippedEvents(webhookIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The last {@link WEBHOOK_ATTEMPTS_SHOWN_MAX} of queued deliveries, newest first. */
  attempts(webhookId: string): Promise<readonly AttemptRow[]>;
  /** The last {@link WEBHOOK_ATTEMPTS_SHOWN_MAX} dead letters, newest first. */
  deadLetters(webhookId: string): Promise<readonly AttemptRow[]>;
  /** Where the delivery was queued, if its attempts are still listed. */
  queuedAt(
    webhookId: string,
    deliveryId: string,
  ): Promise<{ readonly journal: string; readonly revision: number } | null>;
  count(): Promise<{ readonly active: number; readonly paused: number }>;
}

const one = statementsOf(webhookSubscriptions);
const [SUBSCRIPTION] = one.tables;
const [SKIPPED] = statementsOf(webhookSkippedEvents).tables;
const attempt = statementsOf(webhookAttempts);
const [ATTEMPT] = attempt.tables;
const dead = statementsOf(webhookDeadLetters);
const [DEAD_LETTER] = dead.tables;

export const webhookQueries = (pool: Pool): WebhookQueries => ({
  async list(organisation, { limit, offset }) {
    const [{ rows: items }, { rows: counts }] = await Promise.all([
      pool.query<SubscriptionView>(
        `select ${one.members} from ${SUBSCRIPTION} where organisation_id = $1
         order by created_at, webhook_id limit $2 offset $3`,
        [organisation, limit, offset],
      ),
      pool.query<{ total: number }>(
        `select count(*)::int as total from ${SUBSCRIPTION} where organisation_id = $1`,
        [organisation],
      ),
    ]);
    return { items, total: counts[0]!.total };
  },

  async ofOrganisation(organisation) {
    const { rows } = await pool.query<SubscriptionView>({
      name: 'webhooks of organisation',
      text: `select ${one.members} from ${SUBSCRIPTION} where organisation_id = $1
             order by created_at, webhook_id`,
      values: [organisation],
    });
    return rows;
  },

  async byId(webhookIds) {
    const { rows } = await pool.query<SubscriptionView>(
      `select ${one.members} from ${SUBSCRIPTION} where webhook_id = any($1::uuid[])`,
      [webhookIds],
    );
    return rows;
  },

  async skippedEvents(webhookIds) {
    const { rows } = await pool.query<SkippedEventsRow>(
      `select webhook_id as "webhookId", skipped_events as "skippedEvents" from ${SKIPPED}
       where webhook_id = any($1::uuid[])`,
      [webhookIds],
    );
    return new Map(rows.map(({ webhookId, skippedEvents }) => [webhookId, skippedEvents]));
  },

  async attempts(webhookId) {
    const { rows } = await pool.query<AttemptRow>(
      `select ${attempt.members} from ${ATTEMPT} where webhook_id = $1
       order by started_at desc, fact_id limit $2`,
      [webhookId, WEBHOOK_ATTEMPTS_SHOWN_MAX],
    );
    return rows;
  },

  async deadLetters(webhookId) {
    const { rows } = await pool.query<AttemptRow>(
      `select ${dead.members} from ${DEAD_LETTER} where webhook_id = $1
       order by finished_at desc, delivery_id limit $2`,
      [webhookId, WEBHOOK_ATTEMPTS_SHOWN_MAX],
    );
    return rows;
  },

  async queuedAt(webhookId, deliveryId) {
    const { rows } = await pool.query<{ journal: string; revision: number }>(
      `select journal, revision from ${ATTEMPT} where webhook_id = $1 and delivery_id = $2
       union all
       select journal, revision from ${DEAD_LETTER} where webhook_id = $1 and delivery_id = $2
       limit 1`,
      [webhookId, deliveryId],
    );
    return rows[0] ?? null;
  },

  async count() {
    const { rows } = await pool.query<{ active: number; paused: number }>(
      `select (count(*) filter (where paused_at is null))::int as active,
              (count(*) filter (where paused_at is not null))::int as paused
       from ${SUBSCRIPTION}`,
    );
    return rows[0]!;
  },
});
