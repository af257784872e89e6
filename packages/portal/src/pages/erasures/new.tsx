import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useSubmission } from '../../loading.ts';
import { go, to } from '../../router.ts';
import { Card, PageHead } from '../../ui/content.tsx';
import { Form } from '../../ui/controls.tsx';
import { errorAt, focusInvalid } from '../../ui/field-errors.ts';
import { ExplainedChoices, TextArea, TextField } from '../../ui/fields.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { ExportPerson } from './export-person.tsx';
import { SubjectField, type SubjectKind } from './subject-field.tsx';
import { TEXT_CHOICES, type Erasure } from './words.tsx';

const REASON_CHARACTERS_MAX = 500;

interface Values {
  readonly kind: SubjectKind;
  readonly subject: string;
  readonly texts: Erasure['texts'];
  readonly reason: string;
  /** The subject, typed again to confirm. */
  readonly again: string;
}

const BLANK: Values = { kind: 'email', subject: '', texts: 'keep', reason: '', again: '' };

/** Email addresses are compared without regard to case, user ids exactly. */
const isSame = ({ kind, subject, again }: Values): boolean => {
  const [expected, repeated] = [subject.trim(), again.trim()];
  return kind === 'email'
    ? expected.toLowerCase() === repeated.toLowerCase()
    : expected === repeated;
};

/** The input names the person: this page alone holds it, and no draft is stored. */
export const NewErasure = (): JSX.Element => {
  const { api, say } = usePortal();
  const [values, setValues] = useState(BLANK);
  const [isRefused, setRefused] = useState(false);
  const set = (some: Partial<Values>) => setValues((last) => ({ ...last, ...some }));
  const { kind, subject, texts, reason } = values;
  const isDirty = [subject, reason, values.again].some((text) => text !== '');
  const isTyped = isSame(values);
  useUnsaved(isDirty, () => setValues(BLANK));
  const erasing = useSubmission(async (keyOf) => {
    setRefused(!isTyped);
    if (!isTyped) return;
    const person = kind === 'email' ? { email: subject.trim() } : { userId: subject.trim() };
    const body = { subject: person, texts, reason };
    const params = { header: { 'Idempotency-Key': keyOf(body) } };
    const { data } = await api.POST('/api/v1/erasures', { params, body });
    setValues(BLANK);
    if (data.status === 'finished')
      say('This person was erased before, and no new data has come in since.');
    go(['erasures', data.erasureId]);
  });
  const form = useRef<HTMLDivElement>(null);
  const { error, isBusy } = erasing;
  const isNotTyped = isRefused && !isTyped;
  useLayoutEffect(() => {
    if (!isBusy) focusInvalid(form.current);
  }, [isBusy]);
  const noun = kind === 'email' ? 'address' : 'user id';
  return (
    <>
      <PageHead
        title="Erase a person"
        above={[to(['erasures']), 'Erasures']}
        lead="Makes the personal data of a person permanently unreadable, on their request."
      />
      <div class="columns">
        <div ref={form}>
          <Form
            of={erasing}
            submitLabel="Erase this person"
            kind="danger"
            onCancel={() => go(['erasures'])}
          >
            <Card title="Who">
              <div class="erasure-part">
                <SubjectField
                  kind={kind}
                  value={subject}
                  onKind={(next) => set({ kind: next, subject: '', again: '' })}
                  onValue={(next) => set({ subject: next })}
                  error={errorAt(error, 'subject')}
                />
                <ExportPerson of={{ [kind]: subject.trim() }} isDisabled={subject.trim() === ''} />
              </div>
            </Card>
            <Card title="What they wrote">
              <ExplainedChoices
                label="Texts and files of this person"
                choices={TEXT_CHOICES}
                chosen={texts}
                onValue={(next) => set({ texts: next })}
              />
            </Card>
            <Card title="Why">
              <div class="erasure-part">
                <TextArea
                  label="Reason"
                  hint="Stored with the erasure: it must not name the person."
                  value={reason}
                  onValue={(next) => set({ reason: next })}
                  error={errorAt(error, 'reason')}
                  rows={3}
                  maxLength={REASON_CHARACTERS_MAX}
                  isRequired
                />
                <TextField
                  label={`Type the ${noun} again`}
                  hint="This cannot be undone."
                  value={values.again}
                  onValue={(again) => set({ again })}
                  error={isNotTyped ? `It is not the ${noun} above` : undefined}
                  isRequired
                />
              </div>
            </Card>
          </Form>
        </div>
        <div class="erasure-meaning">
          <Meaning />
        </div>
      </div>
    </>
  );
};

const Meaning = (): JSX.Element => (
  <Card title="What happens">
    <ul class="bullets">
      <li>Name, address and phone are removed from tickets, lists, search, reports and exports.</li>
      <li>Tickets stay with their history, and show “Erased person”.</li>
      <li>Their browser sessions end, and their sign-in records are deleted.</li>
      <li>Texts by other people stay, even if they name this person.</li>
      <li>An entry in the service desk’s list of people stays. Remove it there.</li>
      <li>Backups and sent messages keep the data until they expire.</li>
    </ul>
    <p class="small faint">
      An e-mail address and an account are erased together if one entry in the list of people has
      both. Otherwise erase them one after the other.
    </p>
  </Card>
);
