/** Three fields: what, details, and who. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AtriumError } from '../../../../sdk/src/problems.ts';
import { TextArea, TextField } from '../../ui/fields.tsx';
import { Trouble } from '../../ui/notices.tsx';
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
  const before = refused?.report;
  const [subject, setSubject] = useState(before?.subject ?? '');
  const [details, setDetails] = useState(detailsOf(before));
  const [name, setName] = useState(before?.reporterName ?? '');
  const [email, setEmail] = useState(before?.reporterEmail ?? '');
  const unseen = useRef<HTMLInputElement>(null);
  useEffect(onOpen, [onOpen]);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const website = unseen.current?.value ?? '';
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
      <form onSubmit={submit}>
        <TextField
          label="What is wrong?"
          hint={`Such as “The radiator drips”`}
          value={subject}
          onValue={setSubject}
          isRequired
          maxLength={SUBJECT_MAX}
        />
        <TextArea
          label="Details (optional)"
          value={details}
          onValue={setDetails}
          rows={4}
          maxLength={DETAILS_MAX}
        />
        <fieldset class="fields">
          <TextField
            label="Your name (optional)"
            value={name}
            onValue={setName}
            maxLength={PERSON_MAX}
          />
          <TextField
            label="Your e-mail (optional)"
            type="email"
            value={email}
            onValue={setEmail}
            maxLength={PERSON_MAX}
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

/** A report without details has its subject as description. */
const detailsOf = (report: NewReport | undefined): string =>
  report === undefined || report.description === report.subject ? '' : report.description;

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
