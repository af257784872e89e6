/**
 * A developer's quota of sandboxes: `allowance-<developer>`. At most three slots are occupied at
 * any time, a rule over all sandboxes of a developer that no single sandbox can enforce.
 *
 * A slot is reserved before its sandbox is requested and confirmed after it. An unconfirmed
 * reservation lapses by the time of the occasion, so that a process that dies in between leaks no
 * slot.
 */
import { z } from 'zod';
import { SANDBOX_RESERVATION_MS, SANDBOXES_ACTIVE_MAX } from './limits.ts';
import {
  refuse,
  tableOf,
  type Decider,
  type Decision,
  type Instant,
  type Occasion,
} from '../../engine/aggregates/decider.ts';
import { instant, text } from '../../engine/log/event-fields.ts';

export const allowanceEventSchemas = {
  PlaceReserved: z.strictObject({
    type: z.literal('PlaceReserved'),
    placeId: z.uuid(),
    sandboxId: text,
    /** The slot is free again from then on, unless it was confirmed. */
    lapsesAt: instant,
  }),
  PlaceConfirmed: z.strictObject({ type: z.literal('PlaceConfirmed'), placeId: z.uuid() }),
  PlaceReleased: z.strictObject({ type: z.literal('PlaceReleased'), placeId: z.uuid() }),
};

export type AllowanceEvent = {
  [T in keyof typeof allowanceEventSchemas]: Readonly<z.infer<(typeof allowanceEventSchemas)[T]>>;
}[keyof typeof allowanceEventSchemas];

export type AllowanceCommand =
  | { readonly type: 'ReservePlace'; readonly placeId: string; readonly sandboxId: string }
  | { readonly type: 'ConfirmPlace'; readonly placeId: string }
  | { readonly type: 'ReleasePlace'; readonly placeId: string };

export interface Allowance {
  readonly slots: ReadonlyMap<string, QuotaSlot>;
}

export interface QuotaSlot {
  readonly sandboxId: string;
  /** `null` for a confirmed slot, which never lapses. */
  readonly lapsesAt: Instant | null;
}

/** Whether it counts at `at`. */
export const isOccupied = ({ lapsesAt }: QuotaSlot, at: Instant): boolean =>
  lapsesAt === null || at < lapsesAt;

const decide = tableOf<AllowanceCommand, [Allowance, Occasion], Decision<AllowanceEvent>>({
  ReservePlace: ({ placeId, sandboxId }, { slots }, { at }) => {
    if (slots.has(placeId)) return [];
    const used = [...slots.values()].filter((slot) => isOccupied(slot, at)).length;
    if (used >= SANDBOXES_ACTIVE_MAX) {
      const limit = SANDBOXES_ACTIVE_MAX;
      const detail =
        `You may have ${limit} sandboxes, and ${used} are active or being deleted. ` +
        'Delete one first, or wait for one that is being deleted.';
      return refuse('SANDBOX_QUOTA_REACHED', detail, { limit, used });
    }
    const lapsesAt = new Date(Date.parse(at) + SANDBOX_RESERVATION_MS).toISOString();
    return [{ type: 'PlaceReserved', placeId, sandboxId, lapsesAt }];
  },

  // A lapsed slot can be confirmed too: its sandbox exists and counts.
  ConfirmPlace: ({ placeId }, { slots }) =>
    slots.get(placeId)?.lapsesAt ? [{ type: 'PlaceConfirmed', placeId }] : [],

  ReleasePlace: ({ placeId }, { slots }) =>
    slots.has(placeId) ? [{ type: 'PlaceReleased', placeId }] : [],
});

const evolve = tableOf<AllowanceEvent, [Allowance], Allowance>({
  PlaceReserved: ({ placeId, sandboxId, lapsesAt }, { slots }) => ({
    slots: new Map(slots).set(placeId, { sandboxId, lapsesAt }),
  }),

  PlaceConfirmed: ({ placeId }, allowance) => {
    const slot = allowance.slots.get(placeId);
    if (!slot) return allowance;
    return { slots: new Map(allowance.slots).set(placeId, { ...slot, lapsesAt: null }) };
  },

  PlaceReleased: ({ placeId }, { slots }) => ({
    slots: new Map([...slots].filter(([held]) => held !== placeId)),
  }),
});

/** Refuses `SANDBOX_QUOTA_REACHED` with `limit` and `used`. */
export const allowanceDecider: Decider<AllowanceCommand, Allowance, AllowanceEvent> = {
  initial: { slots: new Map() },
  decide,
  evolve,
};

/** The allowance as of a fact. */
export const allowanceAfter = (
  { event }: { readonly event: AllowanceEvent },
  before: Allowance | null,
): Allowance => evolve(event, before ?? allowanceDecider.initial);
