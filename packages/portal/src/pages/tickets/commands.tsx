/** What can be done to a ticket: moved, assigned, edited. The server says whether it may be. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useSubmission } from '../../loading.ts';
import { Dialog, Form } from '../../ui/controls.tsx';
import { SelectField, TextArea, TextField } from '../../ui/fields.tsx';
import { useTicketActions } from './quick.ts';
import { PriorityField, stateName, type Priority, type State, type Ticket } from './words.tsx';

interface CommandParts {
  readonly of: Ticket;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export const MoveTicket = ({ of: ticket, onClose, onDone }: CommandParts): JSX.Element => {
  const { api, say } = usePortal();
  const { id, number } = ticket;
  const allowed = useTicketActions().allowed(ticket);
  const [chosen, setChosen] = useState<State | undefined>(allowed[0]);
  const [note, setNote] = useState('');
  const moving = useSubmission(async () => {
    if (chosen === undefined) return;
    await api.POST('/api/service-desk/requests/{id}/transition', {
      params: { path: { id } },
      body: { state: chosen, ...(note.trim() !== '' && { note }) },
    });
    say(`${number}: ${stateName[chosen]}.`);
    onDone();
  });
  return (
    <Dialog title={`Move ${number}`} onClose={onClose}>
      <Form of={moving} submitLabel="Move" onCancel={onClose}>
        <SelectField
          label="To"
          value={chosen ?? ''}
          choices={allowed.map((state) => [state, stateName[state]])}
          onValue={(state) => setChosen(state as State)}
        />
        <TextArea label="Internal note (optional)" value={note} onValue={setNote} rows={3} />
      </Form>
    </Dialog>
  );
};

export const AssignTicket = ({ of, onClose, onDone }: CommandParts): JSX.Element => {
  const { api, say, me } = usePortal();
  const [user, setUser] = useState(of.assignedUserId ?? '');
  const [team, setTeam] = useState(of.assignedTeamId ?? '');
  const [note, setNote] = useState('');
  const assigning = useSubmission(async () => {
    await api.POST('/api/service-desk/requests/{id}/assign', {
      params: { path: { id: of.id } },
      body: {
        assignedUserId: user.trim() === '' ? null : user,
        assignedTeamId: team.trim() === '' ? null : team,
        ...(note.trim() !== '' && { note }),
      },
    });
    say(`${of.number} is assigned.`);
    onDone();
  });
  return (
    <Dialog title={`Assign ${of.number}`} onClose={onClose}>
      <Form of={assigning} submitLabel="Assign" onCancel={onClose}>
        <TextField
          label="User"
          value={user}
          onValue={setUser}
          maxLength={200}
          list={[me.actor.id]}
          hint="Left blank: nobody."
        />
        <TextField label="Team" value={team} onValue={setTeam} maxLength={200} />
        <TextArea label="Internal note (optional)" value={note} onValue={setNote} rows={2} />
      </Form>
    </Dialog>
  );
};

export const EditTicket = ({ of, onClose, onDone }: CommandParts): JSX.Element => {
  const { api, say } = usePortal();
  const [subject, setSubject] = useState(of.subject ?? '');
  const [description, setDescription] = useState(of.description);
  const [priority, setPriority] = useState<Priority>(of.priority);
  const [category, setCategory] = useState(of.category ?? '');
  const editing = useSubmission(async () => {
    await api.PATCH('/api/service-desk/requests/{id}', {
      // Somebody else's change since is not written over.
      params: { path: { id: of.id }, header: { 'If-Match': `"${of.revision}"` } },
      body: {
        subject: subject.trim() === '' ? null : subject,
        description,
        priority,
        category: category.trim() === '' ? null : category,
      },
    });
    say(`${of.number} is changed.`);
    onDone();
  });
  return (
    <Dialog title={`Edit ${of.number}`} onClose={onClose} isWide>
      <Form of={editing} submitLabel="Save" onCancel={onClose}>
        <TextField label="Subject" value={subject} onValue={setSubject} maxLength={300} />
        <TextArea
          label="Description"
          value={description}
          onValue={setDescription}
          rows={6}
          isRequired
        />
        <div class="fields">
          <PriorityField value={priority} onValue={setPriority} />
          <TextField label="Category" value={category} onValue={setCategory} />
        </div>
      </Form>
    </Dialog>
  );
};
