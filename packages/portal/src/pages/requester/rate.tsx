/** The rating of the reporter: once, from one star to five. contract.md section 5. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useForm } from '../../form.ts';
import { useSubmission } from '../../loading.ts';
import { Card } from '../../ui/content.tsx';
import { Form } from '../../ui/controls.tsx';
import { TextArea } from '../../ui/fields.tsx';
import type { Report } from './one.tsx';

const SCORES = [1, 2, 3, 4, 5] as const;

const starsOf = (score: number): string => (score === 1 ? '1 star' : `${score} stars`);

export const Rate = ({
  of: ticket,
  onDone,
}: {
  readonly of: Report['ticket'];
  readonly onDone: () => void;
}): JSX.Element | null => {
  const { id, state, rating } = ticket;
  if (rating !== null)
    return (
      <Card title="Your rating">
        <p class="rated" role="img" aria-label={starsOf(rating.score)}>
          {'★'.repeat(rating.score)}
          <span class="faint">{'★'.repeat(SCORES.length - rating.score)}</span>
        </p>
        {rating.comment !== null && <p class="written">{rating.comment}</p>}
      </Card>
    );
  return state === 'closed' ? <RateForm id={id} onDone={onDone} /> : null;
};

const RateForm = ({
  id,
  onDone,
}: {
  readonly id: string;
  readonly onDone: () => void;
}): JSX.Element => {
  const { api } = usePortal();
  const name = useId();
  const form = useForm(`report/${id}/rating`, { score: '', comment: '' });
  const { score, comment } = form.values;
  const rating = useSubmission(async () => {
    await api.POST('/api/service-desk/requests/{id}/rating', {
      params: { path: { id }, header: { 'Idempotency-Key': form.commandId } },
      body: { score: Number(score), ...(comment.trim() !== '' && { comment }) },
    });
    form.sent();
    onDone();
  });
  return (
    <Card title="How was it?">
      <Form of={rating} draft={form} submitLabel="Rate">
        <fieldset class="stars">
          <legend class="visually-hidden">Stars</legend>
          {SCORES.map((stars) => (
            <label key={stars} class={stars <= Number(score) ? 'on' : undefined}>
              <input
                type="radio"
                class="visually-hidden"
                name={name}
                value={stars}
                required
                checked={score === String(stars)}
                onChange={() => form.set('score')(String(stars))}
              />
              <span aria-hidden="true">★</span>
              <span class="visually-hidden">{starsOf(stars)}</span>
            </label>
          ))}
        </fieldset>
        <TextArea
          label="Anything to add? (optional)"
          value={comment}
          onValue={form.set('comment')}
          rows={2}
          maxLength={20_000}
        />
      </Form>
    </Card>
  );
};
