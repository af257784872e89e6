/** Three fields: what, details, and who. */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AtriumError } from '../../../../sdk/src/problems.ts';
import { draftsOf, ownDraft } from '../../drafts.ts';
import { errorAt, focusInvalid } from '../../ui/field-errors.ts';
import { TextArea, TextField } from '../../ui/fields.tsx';
import { Trouble } from '../../ui/notices.tsx';
import { RestoredDraft } from '../../ui/restored-draft.tsx';
import type { NewReport, ReportPlace } from './requests.ts';

const SUBJECT_MAX = 300;
const DETAILS_MAX = 20_000;
const PERSON_MAX = 200;

export const ReportForm = ({
  place,
  onOpen,
  onReport,
  refused,
}: {
  readonly place: ReportPlace;
  /** Called when the form is shown, so that a proof of work can be prepared. */
  readonly onOpen: () => void;
  readonly onReport: (report: NewReport) => void;
  /** The last report that was refused, and why. */
  readonly refused?: { readonly report: NewReport; readonly problem: AtriumError };
}): JSX.Element => {
  const [draft] = useState(() =>
    ownDraft<Draft>(
      draftsOf(['nobody']),
      `report/${place.building.id}/${place.place === null ? '' : place.place.id}`,
    ),
  );
  const [restoredAt, setRestoredAt] = useState(refused ? null : (draft.found?.at ?? null));
  const [content, setContent] = useState<Draft>(
    () => (refused ? draftOf(valuesOf(refused.report)) : draft.found?.content) ?? draftOf(BLANK),
  );
  const { subject, details, name, email } = content.values;
  const set = (member: keyof typeof BLANK) => (value: string) =>
    setContent(({ values }) => draftOf({ ...values, [member]: value }));
  const isBlank = Object.values(content.values).every((value) => value === '');
  useLayoutEffect(() => {
    if (isBlank) draft.remove();
    else draft.write(content);
  }, [draft, content, isBlank]);
  const discard = () => {
    setRestoredAt(null);
    setContent(draftOf(BLANK));
  };
  const unseen = useRef<HTMLInputElement>(null);
  useEffect(onOpen, [onOpen]);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => focusInvalid(form.current), []);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const website = unseen.current?.value ?? '';
    // The outbox keeps it from now on.
    draft.remove();
    onReport({
      organisation: place.organisation,
      buildingId: place.building.id,
      ...(place.place !== null && { [`${place.place.kind}Id`]: place.place.id }),
      subject: subject.trim(),
      description: details.trim() === '' ? subject.trim() : details.trim(),
      ...(name.trim() !== '' && { reporterName: name.trim() }),
      ...(email.trim() !== '' && { reporterEmail: email.trim() }),
      ...(website !== '' && { website }),
    });
  };

  return (
    <>
      <PlaceHead of={place} />
      <Trouble error={refused?.problem} />
      {restoredAt !== null && <RestoredDraft at={restoredAt} onDiscard={discard} />}
      <form ref={form} onSubmit={submit}>
        <TextField
          label="What is wrong?"
          hint={`Such as “The radiator drips”`}
          value={subject}
          onValue={set('subject')}
          isRequired
          maxLength={SUBJECT_MAX}
          error={errorAt(refused?.problem, 'subject')}
        />
        <TextArea
          label="Details (optional)"
          value={details}
          onValue={set('details')}
          rows={4}
          maxLength={DETAILS_MAX}
          error={errorAt(refused?.problem, 'description')}
        />
        <fieldset class="fields">
          <TextField
            label="Your name (optional)"
            value={name}
            onValue={set('name')}
            maxLength={PERSON_MAX}
            error={errorAt(refused?.problem, 'reporterName')}
          />
          <TextField
            label="Your e-mail (optional)"
            type="email"
            value={email}
            onValue={set('email')}
            maxLength={PERSON_MAX}
            error={errorAt(refused?.problem, 'reporterEmail')}
          />
        </fieldset>
        <div class="unseen" aria-hidden="true">
          <label>
            Leave this empty
            <input ref={unseen} name="website" tabIndex={-1} autocomplete="off" />
          </label>
        </div>
        <button type="submit" class="button primary large">
          Send
        </button>
      </form>
      <p class="faint small">
        The service desk reads what you write here. Do you have an account?{' '}
        <a href={`/#/report${location.search}`}>Report with it</a>.
      </p>
    </>
  );
};

const BLANK = { subject: '', details: '', name: '', email: '' };

interface Draft {
  readonly values: typeof BLANK;
  readonly commandId: string;
}

const draftOf = (values: typeof BLANK): Draft => ({ values, commandId: crypto.randomUUID() });

const valuesOf = (report: NewReport): typeof BLANK => ({
  subject: report.subject ?? '',
  // A report without details has its subject as description.
  details: report.description === report.subject ? '' : report.description,
  name: report.reporterName ?? '',
  email: report.reporterEmail ?? '',
});

const PlaceHead = ({ of: { building, place } }: { readonly of: ReportPlace }): JSX.Element => (
  <header>
    <h1>{place === null ? building.name : `${place.code} ${place.name}`}</h1>
    {place === null ? (
      <p class="notice">
        The place of this label no longer exists. Describe the place in the details.
      </p>
    ) : (
      <p class="lead">{[place.storey, building.name].filter(Boolean).join(' · ')}</p>
    )}
  </header>
);
