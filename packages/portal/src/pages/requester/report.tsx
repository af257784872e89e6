/** "Report something": a place, a few words and a photo. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useForm } from '../../form.ts';
import { useLoaded, useSubmission } from '../../loading.ts';
import { useOutbox } from '../../outbox/use-outbox.ts';
import type { ReportBody } from '../../outbox/waiting.ts';
import { go, useRoute } from '../../router.ts';
import { PageHead } from '../../ui/content.tsx';
import { Button, Form } from '../../ui/controls.tsx';
import { SelectField, TextArea, type Choice } from '../../ui/fields.tsx';
import { errorAt } from '../../ui/field-errors.ts';
import { Icon } from '../../ui/icons.tsx';
import { placeIn } from '../labels/label-address.ts';
import { useBuildings } from '../places.ts';
import { useScanned } from '../report/scanned.ts';
import { formDataOf, type RequestType, type Typed } from '../tickets/answers.ts';
import { RequestForm } from '../tickets/request-form.tsx';
import { waitingPhotosOf } from './photo.ts';
import { PhotoField } from './photo-field.tsx';
import { PlaceFields, type Where } from './place-fields.tsx';
import { usePhotos } from './use-photos.ts';

/** How long the form waits before the report is sent in the background, in milliseconds. */
const WAIT_MS = 10_000;

export const ReportSomething = (): JSX.Element => {
  const { query } = useRoute();
  const labelled = placeIn(query);
  return labelled === null ? <Somewhere /> : <AtLabel key={query.toString()} of={labelled} />;
};

type Labelled = NonNullable<ReturnType<typeof placeIn>>;

const Somewhere = (): JSX.Element => <Report name="report" label={null} />;

/** Shows the form at once, while the place of the label is looked up. */
const AtLabel = ({ of }: { readonly of: Labelled }): JSX.Element => {
  const scanned = useScanned(of);
  const { buildingId, kind, id, code } = of;
  const named = { [kind === 'space' ? 'spaceId' : 'elementId']: id };
  if (scanned.data === null)
    return (
      <Report
        name="report"
        label={null}
        lead="The place of this label is no longer in the building: please choose it."
      />
    );
  const found = scanned.data;
  return (
    <Report
      name={`report/${id}`}
      label={
        found
          ? {
              words: `${found.code} ${found.name}`,
              body: found.elementId
                ? { buildingId, elementId: found.elementId }
                : { buildingId, spaceId: found.spaceId },
            }
          : { words: code ?? 'The place of the label', body: { buildingId, ...named } }
      }
    />
  );
};

interface Label {
  readonly words: string;
  readonly body: Pick<ReportBody, 'buildingId' | 'spaceId' | 'elementId'>;
}

const BLANK = {
  description: '',
  buildingId: '',
  storeyId: '',
  spaceId: '',
  requestType: '',
  /** As JSON. */
  answers: '{}',
};

const Report = ({
  name,
  label,
  lead,
}: {
  /** The name of its draft. */
  readonly name: string;
  /** The scanned place; `null`: the person chooses one. */
  readonly label: Label | null;
  readonly lead?: string;
}): JSX.Element => {
  const { say } = usePortal();
  const { outbox } = useOutbox();
  const form = useForm(name, BLANK);
  const photos = usePhotos();
  const [isElsewhere, setElsewhere] = useState(false);
  const { values, set, setAll } = form;
  const scanned = isElsewhere ? null : label;
  const where = useWhere(values);
  const types = useRequestTypes();
  const slug = values.requestType || GENERAL;
  const type = types.find(({ requestType }) => requestType === slug);
  const isGeneralNamed = types.some(({ requestType }) => requestType === GENERAL);
  const typed = JSON.parse(values.answers) as Typed;
  const place = scanned?.body ?? chosen(where);
  const sending = useSubmission(async () => {
    const { description } = values;
    const typeMembers = type && {
      requestType: type.requestType,
      formData: formDataOf(type, typed),
    };
    const answer = await outbox.add(
      {
        id: form.commandId,
        command: { kind: 'report', body: { ...place, ...typeMembers, description } },
        photos: waitingPhotosOf(form.commandId, await photos.chosen()),
      },
      WAIT_MS,
    );
    form.sent();
    photos.clear();
    if (answer.became === 'ticket') go(['mine', answer.ticketId]);
    else {
      say('It is saved on this device, and will be sent as soon as there is a connection.');
      go(['mine']);
    }
  });
  return (
    <>
      <PageHead title="Report something" {...(lead !== undefined && { lead })} />
      <Form of={sending} draft={form} submitLabel={sending.isBusy ? 'Sending' : 'Send'}>
        {scanned === null ? (
          <PlaceFields where={where} onWhere={setAll} />
        ) : (
          <div class="place-scanned">
            <Icon name="plan" />
            <strong>{scanned.words}</strong>
            <Button kind="quiet" onPress={() => setElsewhere(true)}>
              Another place
            </Button>
          </div>
        )}
        {types.length > 0 && (
          <SelectField
            label="What is it about?"
            value={isGeneralNamed ? slug : values.requestType}
            choices={[...(isGeneralNamed ? [] : [OTHER]), ...types.map(choiceOf)]}
            onValue={(requestType) => setAll({ requestType, answers: '{}' })}
          />
        )}
        <TextArea
          label="What is wrong?"
          value={values.description}
          onValue={set('description')}
          rows={4}
          maxLength={20_000}
          isRequired
        />
        {type && (
          <RequestForm
            key={type.requestType}
            of={type}
            typed={typed}
            buildingId={place.buildingId}
            onTyped={(next) => set('answers')(JSON.stringify(next))}
            errorAt={(key) => errorAt(sending.error, `formData.${key}`)}
          />
        )}
        <PhotoField of={photos} />
      </Form>
    </>
  );
};

/** The request type of a ticket that has none. */
const GENERAL = 'general';

const OTHER: Choice = ['', 'Something else'];

const choiceOf = ({ requestType, name }: RequestType): Choice => [requestType, name];

const NONE: readonly RequestType[] = [];

/** The request types that requesters may choose. */
const useRequestTypes = (): readonly RequestType[] => {
  const { api } = usePortal();
  const { data = NONE } = useLoaded<readonly RequestType[]>(
    async (signal) => (await api.GET('/api/service-desk/request-types', { signal })).data.items,
    [api],
  );
  return data;
};

/** Fills in the building if there is only one. */
const useWhere = ({ buildingId, storeyId, spaceId }: Where): Where => {
  const buildings = useBuildings();
  return { buildingId: buildingId || (buildings[0]?.[0] ?? ''), storeyId, spaceId };
};

const chosen = ({ buildingId, storeyId, spaceId }: Where): Label['body'] => ({
  buildingId,
  ...(storeyId !== '' && { storeyId }),
  ...(spaceId !== '' && { spaceId }),
});
