import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useForm } from '../../form.ts';
import { useSubmission } from '../../loading.ts';
import { go } from '../../router.ts';
import { Dialog, Form } from '../../ui/controls.tsx';
import { errorAt } from '../../ui/field-errors.ts';
import { SelectField, TextArea, TextField } from '../../ui/fields.tsx';
import { useElements, useLoadedBuildings, useSpaces, useStoreys } from '../places.ts';
import {
  answersIn,
  formDataOf,
  requestTypeIn,
  typeChoices,
  withAnswers,
  type Configuration,
} from './answers.ts';
import { useConfiguration } from './configuration.ts';
import { RequestForm } from './request-form.tsx';
import { priorities, type Priority } from './words.tsx';

const BLANK = {
  buildingId: '',
  storeyId: '',
  spaceId: '',
  elementId: '',
  subject: '',
  description: '',
  category: '',
  requestType: '',
  reporterName: '',
  reporterEmail: '',
  priority: '',
  /** JSON by request type: answers survive a change of the type. */
  answers: '{}',
};

/** The request type of a ticket that has none. */
const GENERAL = 'general';

const NOWHERE = { storeyId: '', spaceId: '', elementId: '' };

/** Blank values are not sent: they have defaults, or are optional. Answers are sent separately. */
const filled = (draft: typeof BLANK) =>
  Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => name !== 'answers' && value.trim() !== ''),
  ) as Partial<Omit<typeof BLANK, 'answers' | 'priority'>> & { priority?: Priority };

/** A room, or an element that may be in one. */
export interface TicketPlace {
  readonly buildingId: string;
  readonly storeyId: string;
  readonly spaceId: string;
  readonly elementId?: string;
}

/** @param place The initial place. */
export const NewTicket = ({
  place,
  onClose,
}: {
  readonly place?: TicketPlace;
  readonly onClose: () => void;
}): JSX.Element => {
  const { api, say } = usePortal();
  const placeId = place && (place.elementId ?? place.spaceId);
  const form = useForm(placeId ? `tickets/new/${placeId}` : 'tickets/new', {
    ...BLANK,
    ...place,
  });
  const { values: draft, set, setAll } = form;
  const { buildings, isLoading } = useLoadedBuildings();
  const buildingId = draft.buildingId || (buildings[0]?.[0] ?? '');
  const storeys = useStoreys(buildingId);
  const spaces = useSpaces(buildingId, draft.storeyId);
  const { storeyId, spaceId, elementId } = draft;
  const hasElements = spaceId !== '' || elementId !== '';
  const elements = useElements(hasElements ? buildingId : '', { storeyId, spaceId });
  const configuration = useConfiguration();
  const slug = draft.requestType || GENERAL;
  const type = requestTypeIn(configuration, slug);
  const typed = answersIn(draft.answers).get(slug) ?? {};
  const raising = useSubmission(async () => {
    const { description } = draft;
    const { data } = await api.POST('/api/service-desk/requests', {
      // A retry after a crash raises no second ticket.
      params: { header: { 'Idempotency-Key': form.commandId } },
      body: {
        ...filled(draft),
        buildingId,
        description,
        ...(type && { formData: formDataOf(type, typed) }),
      },
    });
    form.sent();
    say(`${data.number} is raised.`);
    onClose();
    go(['tickets', data.id]);
  });
  return (
    <Dialog title="New ticket" onClose={onClose} isWide>
      <Form
        of={raising}
        draft={form}
        submitLabel="Raise"
        onCancel={onClose}
        isReady={buildingId !== '' || !isLoading}
      >
        <TextField
          label="Subject"
          value={draft.subject}
          onValue={set('subject')}
          maxLength={300}
          error={errorAt(raising.error, 'subject')}
        />
        <TextArea
          label="Description"
          value={draft.description}
          onValue={set('description')}
          rows={5}
          maxLength={20_000}
          isRequired
          error={errorAt(raising.error, 'description')}
        />
        <div class="fields">
          {configuration && (
            <TypeField of={configuration} value={draft.requestType} onValue={set('requestType')} />
          )}
          <SelectField
            label="Priority"
            value={draft.priority}
            choices={[
              ['', `${type?.priority ?? 'medium'} (default)`],
              ...priorities.map((priority) => [priority, priority] as const),
            ]}
            onValue={set('priority')}
          />
          <TextField
            label="Category"
            value={draft.category}
            onValue={set('category')}
            placeholder={type?.category ?? ''}
            error={errorAt(raising.error, 'category')}
          />
        </div>
        {type && (
          <RequestForm
            key={slug}
            of={type}
            typed={typed}
            buildingId={buildingId}
            onTyped={(next) => set('answers')(withAnswers(draft.answers, slug, next))}
            errorAt={(key) => errorAt(raising.error, `formData.${key}`)}
          />
        )}
        <div class="fields">
          <SelectField
            label="Building"
            value={buildingId}
            choices={buildings}
            onValue={(id) => setAll({ ...NOWHERE, buildingId: id })}
          />
          <SelectField
            label="Storey"
            value={draft.storeyId}
            choices={[['', 'Not said'], ...storeys]}
            onValue={(id) => setAll({ ...NOWHERE, storeyId: id })}
          />
          <SelectField
            label="Space"
            value={draft.spaceId}
            choices={[['', 'Not said'], ...spaces]}
            onValue={(id) => setAll({ spaceId: id, elementId: '' })}
          />
          {hasElements && (
            <SelectField
              label="Element"
              value={draft.elementId}
              choices={[['', 'Not said'], ...elements]}
              onValue={set('elementId')}
            />
          )}
        </div>
        <div class="fields">
          <TextField
            label="Reported by"
            value={draft.reporterName}
            onValue={set('reporterName')}
            error={errorAt(raising.error, 'reporterName')}
          />
          <TextField
            label="Their e-mail address"
            type="email"
            value={draft.reporterEmail}
            onValue={set('reporterEmail')}
            error={errorAt(raising.error, 'reporterEmail')}
          />
        </div>
      </Form>
    </Dialog>
  );
};

/** A list if the configuration has request types, else a text. */
const TypeField = ({
  of,
  value,
  onValue,
}: {
  readonly of: Configuration;
  readonly value: string;
  readonly onValue: (requestType: string) => void;
}): JSX.Element => {
  const parts = { label: 'Request type', onValue };
  return (of.requestTypes ?? []).length > 0 ? (
    <SelectField {...parts} value={value || GENERAL} choices={typeChoices(of, value)} />
  ) : (
    <TextField {...parts} value={value} placeholder={GENERAL} />
  );
};
