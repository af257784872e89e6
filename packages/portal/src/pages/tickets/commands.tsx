/** The ticket's forms: a transition with a note, an assignment, an edit. */
import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useState } from 'preact/hooks';
import { changesOf } from '../../form-content.ts';
import { useForm } from '../../form.ts';
import type { Conflict } from '../../merge.ts';
import { useSubmission } from '../../loading.ts';
import { saveForm } from '../../saving.ts';
import { Conflicts } from '../../ui/conflicts.tsx';
import { Dialog, Form } from '../../ui/controls.tsx';
import { errorAt } from '../../ui/field-errors.ts';
import { SelectField, TextArea, TextField } from '../../ui/fields.tsx';
import { formPatchOf, typedOf, type RequestType, type Typed } from './answers.ts';
import { useTicketActions } from './quick.ts';
import { RequestForm } from './request-form.tsx';
import { ChangedByOthers, useTicketCommands } from './ticket-commands.ts';
import { PriorityField, stateName, type Priority, type State, type Ticket } from './words.tsx';

interface CommandParts {
  /** The ticket when the form was opened; later versions do not change the form. */
  readonly of: Ticket;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text);

export const MoveTicket = ({ of, onClose, onDone }: CommandParts): JSX.Element => {
  const { say } = usePortal();
  const { id, number } = of;
  const { unlessChanged, move } = useTicketCommands();
  const { allowed } = useTicketActions();
  const blankOf = (ticket: Ticket) => ({
    from: ticket.state,
    state: allowed(ticket)[0] ?? '',
    note: '',
  });
  const form = useForm(`tickets/${id}/move`, blankOf(of), of.revision);
  const opened: Ticket = { ...of, state: form.base.from, revision: form.revision ?? of.revision };
  const states = allowed(opened);
  const state = states.find((possible) => possible === form.values.state) ?? states[0];
  const moving = useSubmission(async () => {
    if (state === undefined) return;
    const note = orNull(form.values.note);
    try {
      const body = { state, ...(note !== null && { note }) };
      await unlessChanged(opened, ['state'], move(body, form.commandId));
    } catch (error) {
      if (!(error instanceof ChangedByOthers)) throw error;
      const { current } = error;
      const base = blankOf(current);
      form.rebase((last) => ({
        base,
        revision: current.revision,
        values: { ...base, ...changesOf(last.base, last.values) },
        conflicts: [],
      }));
      const words = `Somebody else has moved it to ${stateName[current.state]} meanwhile.`;
      throw new Error(`${words} Nothing is saved yet: choose again.`, { cause: error });
    }
    say(`${number}: ${stateName[state]}.`);
    form.sent();
    onDone();
  });
  return (
    <Dialog title={`Move ${number}`} onClose={onClose}>
      <Form
        of={moving}
        draft={form}
        submitLabel="Move"
        onCancel={onClose}
        isReady={state !== undefined}
      >
        {state !== form.values.state && (
          <p class="notice">
            {state === undefined
              ? `${stateName[opened.state]}: it cannot be moved any more.`
              : `It cannot become ${stateName[form.values.state as State]} any more.`}
          </p>
        )}
        <SelectField
          label="To"
          value={state ?? ''}
          choices={states.map((possible) => [possible, stateName[possible]])}
          onValue={form.set('state')}
        />
        <TextArea
          label="Internal note (optional)"
          value={form.values.note}
          onValue={form.set('note')}
          rows={3}
          maxLength={20_000}
        />
      </Form>
    </Dialog>
  );
};

const assignmentOf = ({ assignedUserId, assignedTeamId }: Ticket) => ({
  assignedUserId: assignedUserId ?? '',
  assignedTeamId: assignedTeamId ?? '',
  note: '',
});

export const AssignTicket = ({ of, onClose, onDone }: CommandParts): JSX.Element => {
  const { say, me } = usePortal();
  const { load, assign, note: addNote } = useTicketCommands();
  const form = useForm(`tickets/${of.id}/assign`, assignmentOf(of), of.revision);
  const assigning = useSubmission(async () => {
    let done = `${of.number} is assigned.`;
    const isSaved = await saveForm(form, {
      send: ({ note, ...assignment }, revision) => {
        const entries = Object.entries(assignment).map(([name, text]) => [name, orNull(text)]);
        if (entries.length === 0 && note) {
          done = `The note is on ${of.number}.`;
          return addNote(of.id, note, form.commandId);
        }
        const body = { ...Object.fromEntries(entries), ...(note && { note }) };
        return assign(body, form.commandId)(of.id, revision);
      },
      load: async () => {
        const ticket = await load(of.id);
        return { values: assignmentOf(ticket), revision: ticket.revision };
      },
      texts: [],
    });
    if (!isSaved) return;
    say(done);
    form.sent();
    onDone();
  });
  return (
    <Dialog title={`Assign ${of.number}`} onClose={onClose}>
      <Form of={assigning} draft={form} submitLabel="Assign" onCancel={onClose}>
        <Conflicts of={form} labels={{ assignedUserId: 'User', assignedTeamId: 'Team' }} />
        <TextField
          label="User"
          value={form.values.assignedUserId}
          onValue={form.set('assignedUserId')}
          maxLength={200}
          list={[me.actor.id]}
          hint="Blank: nobody."
        />
        <TextField
          label="Team"
          value={form.values.assignedTeamId}
          onValue={form.set('assignedTeamId')}
          maxLength={200}
        />
        <TextArea
          label="Internal note (optional)"
          value={form.values.note}
          onValue={form.set('note')}
          rows={2}
          maxLength={20_000}
        />
      </Form>
    </Dialog>
  );
};

/** Each answer is a member of the form, so that two people can change different answers. */
const ANSWER = 'answer ';

const detailsOf = (
  { subject, description, priority, category, formData }: Ticket,
  type: RequestType | undefined,
) => ({
  subject: subject ?? '',
  description,
  priority: priority as string,
  category: category ?? '',
  ...renamed(type ? typedOf(type, formData) : {}, (key) => `${ANSWER}${key}`),
});

const renamed = (typed: Typed, as: (key: string) => string): Typed =>
  Object.fromEntries(Object.entries(typed).map(([key, value]) => [as(key), value]));

/** The answers among the members of the form. */
const answersIn = (values: Readonly<Record<string, string | undefined>>): Typed =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      name.startsWith(ANSWER) && value !== undefined ? [[name.slice(ANSWER.length), value]] : [],
    ),
  );

const LABELS = {
  subject: 'Subject',
  description: 'Description',
  priority: 'Priority',
  category: 'Category',
};

const answerLabels = (type: RequestType | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries((type?.fields ?? []).map(({ key, label }) => [`${ANSWER}${key}`, label]));

const TEXTS = ['subject', 'description', 'category'] as const;

const isText = (name: string): boolean => TEXTS.some((text) => text === name);

export const EditTicket = ({
  of,
  type: typeNow,
  onClose,
  onDone,
}: CommandParts & {
  /** Its request type in the configuration. */
  readonly type: RequestType | undefined;
}): JSX.Element => {
  const { say } = usePortal();
  const { load, patch, note } = useTicketCommands();
  const [type] = useState(typeNow);
  const form = useForm(`tickets/${of.id}/edit`, detailsOf(of, type), of.revision);
  const typed = answersIn(form.values);
  const editing = useSubmission(async () => {
    const isSaved = await saveForm(form, {
      send: ({ subject, category, description, priority, ...others }, revision) => {
        const changed = new Set(Object.keys(answersIn(others)));
        const body = {
          ...(description !== undefined && { description }),
          ...(priority !== undefined && { priority: priority as Priority }),
          ...(type && changed.size > 0 && { formData: formPatchOf(type, typed, changed) }),
          ...(subject !== undefined && { subject: orNull(subject) }),
          ...(category !== undefined && { category: orNull(category) }),
        };
        return patch(body, form.commandId)(of.id, revision);
      },
      load: async () => {
        const ticket = await load(of.id);
        return { values: detailsOf(ticket, type), revision: ticket.revision };
      },
      texts: ['description'],
    });
    if (!isSaved) return;
    const values: Readonly<Record<string, string>> = form.values;
    for (const { name, mine, theirs } of form.conflicts.filter(({ name }) => isText(name)))
      if (values[name] === theirs && mine !== '')
        await note(
          of.id,
          `Not saved, ${LABELS[name as keyof typeof LABELS]}:\n\n${mine}`,
          `${form.commandId}.${name}`,
        );
    say(`${of.number} is changed.`);
    if (form.sent()) onDone();
  });
  const kept = ({ name, mine }: Conflict) =>
    isText(name) && mine !== '' ? 'yours is kept as an internal note' : null;
  return (
    <Dialog title={`Edit ${of.number}`} onClose={onClose} isWide>
      <Form of={editing} draft={form} submitLabel="Save" onCancel={onClose}>
        <Conflicts of={form} labels={{ ...LABELS, ...answerLabels(type) }} kept={kept} />
        <TextField
          label="Subject"
          value={form.values.subject}
          onValue={form.set('subject')}
          maxLength={300}
        />
        <TextArea
          label="Description"
          value={form.values.description}
          onValue={form.set('description')}
          rows={6}
          maxLength={20_000}
          isRequired
        />
        <div class="fields">
          <PriorityField value={form.values.priority as Priority} onValue={form.set('priority')} />
          <TextField
            label="Category"
            value={form.values.category}
            onValue={form.set('category')}
            maxLength={200}
          />
        </div>
        {type && (
          <RequestForm
            of={type}
            typed={typed}
            buildingId={of.buildingId}
            onTyped={(next) => form.setAll(renamed(next, (key) => `${ANSWER}${key}`))}
            errorAt={(key) => errorAt(editing.error, `formData.${key}`)}
          />
        )}
      </Form>
    </Dialog>
  );
};
