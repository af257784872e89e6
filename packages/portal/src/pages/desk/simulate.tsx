import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useSubmission } from '../../loading.ts';
import type { Schemas } from '../../session/requests.ts';
import { Badge, Card, Facts, type Tone } from '../../ui/content.tsx';
import { Form } from '../../ui/controls.tsx';
import { errorAt } from '../../ui/field-errors.ts';
import { SelectField, TextArea, TextField } from '../../ui/fields.tsx';
import { At } from '../../ui/times.tsx';
import { useBuildings } from '../places.ts';
import { formDataOf, requestTypeIn, typeChoices, type Typed } from '../tickets/answers.ts';
import { RequestForm } from '../tickets/request-form.tsx';
import { PriorityBadge, PriorityField, StateBadge, type Priority } from '../tickets/words.tsx';
import type { Configuration } from './document.ts';

type Result = Schemas['Simulation'];
type Outcome = Result['rules'][number]['outcome'];

const TONES: Readonly<Record<Outcome, Tone>> = {
  matched: 'good',
  not_matched: 'neutral',
  disabled: 'neutral',
  not_reached: 'warn',
};

/** Simulates how the unsaved configuration would route a ticket. */
export const Simulation = ({
  of,
  onRefused,
}: {
  readonly of: Configuration;
  /** Called with the error of a refused configuration. */
  readonly onRefused: (error: unknown) => void;
}): JSX.Element => {
  const { api } = usePortal();
  const buildings = useBuildings();
  const [description, setDescription] = useState('');
  const [category, setCategory] = useState('');
  const [priority, setPriority] = useState<Priority>('medium');
  const [requestType, setRequestType] = useState('general');
  const [typed, setTyped] = useState<Typed>({});
  const [chosen, setBuilding] = useState('');
  const type = requestTypeIn(of, requestType);
  const [result, setResult] = useState<Result | null>(null);
  const buildingId = chosen || (buildings[0]?.[0] ?? '');
  const trying = useSubmission(async () => {
    onRefused(undefined);
    const { data } = await api.POST('/api/service-desk/configuration/simulate', {
      body: {
        configuration: of,
        ticket: {
          buildingId,
          description,
          priority,
          requestType,
          ...(category !== '' && { category }),
          ...(type && { formData: formDataOf(type, typed) }),
        },
      },
    });
    setResult(data);
  });
  useEffect(() => {
    if (trying.error !== undefined) onRefused(trying.error);
  }, [trying.error]);
  return (
    <Card title="Try it on a ticket">
      <Form of={trying} submitLabel="Simulate">
        <TextArea
          label="Description"
          value={description}
          onValue={setDescription}
          rows={2}
          isRequired
        />
        <div class="fields">
          <SelectField
            label="Request type"
            value={requestType}
            choices={typeChoices(of, requestType)}
            onValue={setRequestType}
          />
          <PriorityField value={priority} onValue={setPriority} />
          <TextField label="Category" value={category} onValue={setCategory} />
          <SelectField
            label="Building"
            value={buildingId}
            choices={buildings}
            onValue={setBuilding}
          />
        </div>
        {type && (
          <RequestForm
            of={type}
            typed={typed}
            buildingId={buildingId}
            onTyped={setTyped}
            errorAt={(key) => errorAt(trying.error, `formData.${key}`)}
          />
        )}
      </Form>
      {result && <Outcomes of={result} />}
    </Card>
  );
};

const Outcomes = ({
  of: { ticket, rules, sla, warnings },
}: {
  readonly of: Result;
}): JSX.Element => (
  <div class="stack outcome" role="status">
    <Facts
      of={[
        ['State', <StateBadge of={ticket.state} />],
        ['Priority', <PriorityBadge of={ticket.priority} />],
        ['Team', ticket.assignedTeamId],
        ['User', ticket.assignedUserId],
        ['Service level', sla.policy ?? 'by its priority'],
        ['First response', <At at={ticket.slaFirstResponseDueAt} />],
        ['Resolution', <At at={ticket.slaResolutionDueAt} />],
      ]}
    />
    {rules.length > 0 && (
      <ol class="stack">
        {rules.map(({ ruleId, name, outcome }) => (
          <li key={ruleId} class="row">
            <Badge tone={TONES[outcome]}>{outcome.replaceAll('_', ' ')}</Badge> {name}
          </li>
        ))}
      </ol>
    )}
    {warnings.map((warning) => (
      <p key={warning} class="notice">
        {warning}
      </p>
    ))}
  </div>
);
