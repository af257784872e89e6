/** "Report something": a place, a few words and a photo. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useForm } from '../../form.ts';
import { useLoaded, useSubmission } from '../../loading.ts';
import type { OutboxItem } from '../../outbox/outbox.ts';
import { useOutbox } from '../../outbox/use-outbox.ts';
import type { ReportBody } from '../../outbox/waiting.ts';
import { go, useRoute } from '../../router.ts';
import { PageHead } from '../../ui/content.tsx';
import { Button, Form } from '../../ui/controls.tsx';
import { SelectField, TextArea, type Choice } from '../../ui/fields.tsx';
import { errorAt } from '../../ui/field-errors.ts';
import { Icon } from '../../ui/icons.tsx';
import { Trouble } from '../../ui/notices.tsx';
import { placeIn } from '../labels/label-address.ts';
import { useLoadedBuildings } from '../places.ts';
import { useScanned } from '../report/scanned.ts';
import {
  answersIn,
  formDataOf,
  typedOf,
  unansweredKeys,
  withAnswers,
  type RequestType,
} from '../tickets/answers.ts';
import { RequestForm } from '../tickets/request-form.tsx';
import { useChangedItem } from './change-item.ts';
import { waitingPhotosOf } from './photo.ts';
import { PhotoField } from './photo-field.tsx';
import { PlaceFields, type Where } from './place-fields.tsx';
import { usePhotos } from './use-photos.ts';

/** How long the form waits before the report is sent in the background, in milliseconds. */
const WAIT_MS = 10_000;

export const ReportSomething = (): JSX.Element => {
  const { query } = useRoute();
  const changed = useChangedReport();
  const labelled = changed === null ? placeIn(query) : labelledIn(changed.body);
  const key = changed?.id ?? query.toString();
  return labelled === null ? (
    <Report key={key} name="report" label={null} changed={changed} />
  ) : (
    <AtLabel key={key} of={labelled} changed={changed} />
  );
};

type Labelled = NonNullable<ReturnType<typeof placeIn>>;

/** A report that the server has refused, and that is changed. */
interface ChangedReport extends Pick<OutboxItem, 'id' | 'photos'> {
  readonly body: ReportBody;
}

const useChangedReport = (): ChangedReport | null => {
  const item = useChangedItem();
  return item?.command.kind === 'report' ? { ...item, body: item.command.body } : null;
};

/** The place of the label that a report was made at; `null`: it was chosen in the form. */
const labelledIn = ({ buildingId, storeyId, spaceId, elementId }: ReportBody): Labelled | null => {
  if (elementId) return { buildingId, kind: 'element', id: elementId, code: null };
  return spaceId && !storeyId ? { buildingId, kind: 'space', id: spaceId, code: null } : null;
};

/** Shows the form at once, while the place of the label is looked up. */
const AtLabel = ({
  of,
  changed,
}: {
  readonly of: Labelled;
  readonly changed: ChangedReport | null;
}): JSX.Element => {
  const scanned = useScanned(of);
  const { buildingId, kind, id, code } = of;
  const named = { [kind === 'space' ? 'spaceId' : 'elementId']: id };
  if (scanned.data === null)
    return (
      <Report
        key="unlabelled"
        name="report"
        label={null}
        changed={changed}
        lead="The place of this label is no longer in the building: please choose it."
      />
    );
  const found = scanned.data;
  return (
    <Report
      name={`report/${id}`}
      changed={changed}
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
  /** As JSON by request type. */
  answers: '{}',
};

const valuesOf = (body: ReportBody): typeof BLANK => {
  const { formData = {}, storeyId } = body;
  const fields = Object.keys(formData).map((key) => ({ key }));
  return {
    description: body.description,
    buildingId: body.buildingId,
    storeyId: storeyId ?? '',
    spaceId: (storeyId && body.spaceId) ?? '',
    requestType: body.requestType ?? '',
    answers: withAnswers('{}', body.requestType ?? GENERAL, typedOf({ fields }, formData)),
  };
};

const Report = ({
  name: nameOfNew,
  label,
  changed,
  lead,
}: {
  /** The name of the draft of a new report. */
  readonly name: string;
  /** The scanned place; `null`: the person chooses one. */
  readonly label: Label | null;
  /** The refused report that this one replaces; `null`: it is a new one. */
  readonly changed: ChangedReport | null;
  readonly lead?: string;
}): JSX.Element => {
  const { say } = usePortal();
  const { outbox } = useOutbox();
  const name = changed === null ? nameOfNew : `report/change/${changed.id}`;
  const form = useForm(name, changed === null ? BLANK : valuesOf(changed.body));
  const photos = usePhotos(form, name, changed?.photos);
  const [isElsewhere, setElsewhere] = useState(false);
  const { values, set, setAll } = form;
  const scanned = isElsewhere ? null : label;
  const buildings = useOnlineBuildings();
  const where = whereIn(values, buildings.buildings);
  const types = useRequestTypes();
  const slug = values.requestType || GENERAL;
  const type = types.find(({ requestType }) => requestType === slug);
  const isGeneralNamed = types.some(({ requestType }) => requestType === GENERAL);
  const typed = answersIn(values.answers).get(slug) ?? {};
  const unanswered = type ? unansweredKeys(type, typed) : [];
  const place = scanned?.body ?? chosen(where);
  const sending = useSubmission(async () => {
    // Offline it would be kept, and refused later.
    if (unanswered.length > 0) throw new Error('Please answer what is required.');
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
    if (changed !== null) outbox.discard(changed.id);
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
      <Form
        of={sending}
        draft={photos.draft}
        submitLabel={sending.isBusy ? 'Sending' : 'Send'}
        isReady={place.buildingId !== '' || buildings.buildings.length > 1}
      >
        {scanned === null ? (
          <>
            <PlaceFields buildings={buildings.buildings} where={where} onWhere={setAll} />
            <Trouble error={buildings.error} again={buildings.reload} />
          </>
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
            onValue={(requestType) => setAll({ requestType })}
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
            onTyped={(next) => set('answers')(withAnswers(values.answers, slug, next))}
            errorAt={(key) =>
              errorAt(sending.error, `formData.${key}`) ??
              (sending.error !== undefined && unanswered.includes(key) ? 'Is required' : undefined)
            }
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

/** The buildings, loaded again when the connection is restored. */
const useOnlineBuildings = (): ReturnType<typeof useLoadedBuildings> => {
  const loaded = useLoadedBuildings();
  const { error, reload } = loaded;
  useEffect(() => {
    if (error === undefined) return;
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, [error, reload]);
  return loaded;
};

/** Fills in the building if there is only one. */
const whereIn = ({ buildingId, storeyId, spaceId }: Where, buildings: readonly Choice[]): Where => {
  const [only, ...others] = buildings;
  const known = only && others.length === 0 ? only[0] : '';
  return { buildingId: buildingId || known, storeyId, spaceId };
};

const chosen = ({ buildingId, storeyId, spaceId }: Where): Label['body'] => ({
  buildingId,
  ...(storeyId !== '' && { storeyId }),
  ...(spaceId !== '' && { spaceId }),
});
