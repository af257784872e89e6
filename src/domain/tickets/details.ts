/** The editable members of a ticket, and the effect of a patch on them. */
import { isRefusal, refuse, type Refusal } from '../../engine/aggregates/decider.ts';
import type { TicketPatch } from './commands.ts';
import type { Priority, TicketChanges, TicketLocation } from './events.ts';
import { answersBy, type TicketForm } from './form.ts';
import { jsonOf, mergePatch, sameJson, withinSize } from './free-form.ts';
import type { FreeForm, JsonObject } from './free-form.ts';

export interface TicketDetails extends TicketLocation {
  readonly subject: string | null;
  readonly description: string;
  readonly priority: Priority;
  readonly category: string | null;
  readonly formData: JsonObject;
  readonly metadata: JsonObject;
}

/**
 * The new values of the members that `patch` changes; `{}` if it changes nothing.
 *
 * Refuses `VALIDATION_FAILED` for an object that is no JSON or would be too large when merged, and
 * for a changed `formData` that does not fit its form.
 */
export const changesBy = (
  patch: TicketPatch,
  details: TicketDetails,
  form?: TicketForm,
): TicketChanges | Refusal => {
  const patched = merged(details.formData, patch.formData);
  if (typeof patched === 'string') return invalidMember('formData', patched);
  const isChecked = form !== undefined && !sameJson(patched, details.formData);
  const answers = isChecked ? answersBy(form, patched, details.formData) : { formData: patched };
  if (isRefusal(answers)) return answers;
  const { formData } = answers;
  const metadata = merged(details.metadata, patch.metadata);
  if (typeof metadata === 'string') return invalidMember('metadata', metadata);

  const changed = (name: 'subject' | 'description' | 'priority' | 'category') =>
    patch[name] === undefined || patch[name] === details[name] ? {} : { [name]: patch[name] };
  const moves = patch.location !== undefined && !sameLocation(patch.location, details);
  return {
    ...changed('subject'),
    ...changed('description'),
    ...changed('priority'),
    ...changed('category'),
    ...(moves ? { location: locationOf(patch.location) } : {}),
    ...(sameJson(formData, details.formData) ? {} : { formData }),
    ...(sameJson(metadata, details.metadata) ? {} : { metadata }),
  };
};

export const locationOf = ({ storeyId, spaceId, elementId }: TicketLocation): TicketLocation => ({
  storeyId,
  spaceId,
  elementId,
});

export const sameLocation = (a: TicketLocation, b: TicketLocation): boolean =>
  a.storeyId === b.storeyId && a.spaceId === b.spaceId && a.elementId === b.elementId;

/** Refuses `VALIDATION_FAILED` and names the member of the body. */
export const invalidMember = (path: string, message: string): Refusal =>
  refuse('VALIDATION_FAILED', `${path}: ${message}`, { errors: [{ path, message }] });

/** The object after the patch, or the reason of its refusal. `null` empties it. */
const merged = (before: JsonObject, sent: FreeForm | null | undefined): JsonObject | string => {
  if (sent === undefined) return before;
  const patch = jsonOf(sent ?? {});
  if (typeof patch === 'string') return patch;
  return sent === null ? {} : withinSize(mergePatch(before, patch));
};
