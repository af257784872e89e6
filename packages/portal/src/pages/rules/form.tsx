import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useForm } from '../../form.ts';
import { useSubmission } from '../../loading.ts';
import { go } from '../../router.ts';
import { Card } from '../../ui/content.tsx';
import { Form } from '../../ui/controls.tsx';
import { errorAt } from '../../ui/field-errors.ts';
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx';
import type { Option } from '../../ui/picker.tsx';
import type { OfBuilding } from '../buildings/detail.tsx';
import { PriorityField, type Priority } from '../tickets/words.tsx';
import { ChooseField } from './choose.tsx';
import { comparisonIn, comparisonsOf, ruleOf, type RuleErrors, type RuleValues } from './draft.ts';
import { measureOf, POINTS_MAX, type BuildingPoints } from './points.ts';
import { plainly } from './problems.ts';
import { TimeField } from './time-field.tsx';
import { Trial } from './trial.tsx';
import { className } from './words.ts';

const SEVERITIES = ['critical', 'high', 'medium', 'low'];

const TARGETS = [
  ['class', 'All points of a class'],
  ['point', 'One point'],
] as const;

export const RuleForm = ({
  buildingId,
  points,
  name,
  initial,
}: OfBuilding & {
  readonly points: BuildingPoints;
  /** The name of its draft. */
  readonly name: string;
  readonly initial: RuleValues;
}): JSX.Element => {
  const { api, may, say } = usePortal();
  const form = useForm(name, initial);
  const { values, set } = form;
  const [errors, setErrors] = useState<RuleErrors>({});
  const watched = useMemo(() => watchedBy(values, points), [values, points]);
  const measure = measureOf(watched);
  const comparison = comparisonIn(values, measure);
  const read = (isTrial: boolean) => {
    const outcome = ruleOf(values, measure, { isTrial });
    setErrors('errors' in outcome ? outcome.errors : {});
    return 'rule' in outcome ? outcome.rule : null;
  };
  const making = useSubmission(async () => {
    const rule = read(false);
    if (rule === null) throw new Error('Some fields are missing or invalid.');
    const params = { path: { buildingId }, header: { 'Idempotency-Key': form.commandId } };
    const path = '/api/v1/buildings/{buildingId}/diagnostic-rules';
    await api.POST(path, { params, body: rule }).catch((error: unknown) => {
      throw plainly(error);
    });
    form.sent();
    say(`“${rule.title}” is active.`);
    go(['buildings', buildingId, 'rules']);
  });
  const errorOf = (member: keyof RuleValues): string | undefined =>
    errors[member] ?? errorAt(making.error, member);
  return (
    <div class="rule-columns">
      <Card title="New rule">
        <Form of={making} draft={form} submitLabel="Create the rule">
          <TextField
            label="Title of its faults"
            value={values.title}
            onValue={set('title')}
            maxLength={200}
            placeholder="Too warm"
            error={errorOf('title')}
          />
          <TextField
            label="Severity"
            value={values.severity}
            onValue={set('severity')}
            list={SEVERITIES}
            maxLength={64}
            error={errorOf('severity')}
          />
          <SelectField
            label="Watches"
            choices={TARGETS}
            value={values.target}
            onValue={set('target')}
          />
          <Target values={values} set={set} points={points} errorOf={errorOf} />
          <SelectField
            label="A fault opens when the value"
            value={comparison}
            choices={comparisonsOf(measure)}
            onValue={set('comparison')}
          />
          {comparison === 'stale' ? (
            <TimeField
              label="Without an observation for"
              value={values.silence}
              unit={values.silenceUnit}
              error={errorOf('silence')}
              onValue={set('silence')}
              onUnit={set('silenceUnit')}
            />
          ) : (
            <>
              {measure.valueType === 'number' && (
                <TextField
                  label={unitLabel(measure.unit)}
                  value={values.threshold}
                  onValue={set('threshold')}
                  error={errorOf('threshold')}
                  type="number"
                  step="any"
                />
              )}
              <TimeField
                label="For at least"
                value={values.lasting}
                unit={values.lastingUnit}
                error={errorOf('lasting') ?? errorAt(making.error, 'forSeconds')}
                onValue={set('lasting')}
                onUnit={set('lastingUnit')}
              />
            </>
          )}
          {may('service-desk.tickets:write') && (
            <TicketOfRule values={values} setAll={form.setAll} error={making.error} />
          )}
        </Form>
      </Card>
      <Trial
        buildingId={buildingId}
        points={watched}
        measure={measure}
        ruleOf={() => read(true)}
        written={values}
      />
    </div>
  );
};

const TicketOfRule = ({
  values: { raises, priority, category, requestType },
  setAll,
  error,
}: {
  readonly values: RuleValues;
  readonly setAll: (some: Partial<RuleValues>) => void;
  /** The error of the command. */
  readonly error: unknown;
}): JSX.Element => (
  <>
    <CheckField
      label="Each fault raises a ticket"
      isChecked={raises}
      onValue={(next) => setAll({ raises: next })}
    />
    {raises && (
      <>
        <PriorityField
          value={priority as Priority}
          onValue={(next) => setAll({ priority: next })}
        />
        <TextField
          label="Category"
          value={category}
          onValue={(next) => setAll({ category: next })}
          error={errorAt(error, 'raiseTicket.category')}
        />
        <TextField
          label="Request type"
          value={requestType}
          onValue={(next) => setAll({ requestType: next })}
          placeholder="general"
          error={errorAt(error, 'raiseTicket.requestType')}
          hint={
            'When the fault closes, the ticket is resolved, unless someone has already ' +
            'moved it to another state.'
          }
        />
      </>
    )}
  </>
);

const unitLabel = (unit: string | null): string =>
  unit === null || unit === '1' ? 'Threshold' : `Threshold in ${unit}`;

const watchedBy = (
  { target, pointId, pointClass }: RuleValues,
  { byId, byClass }: BuildingPoints,
) => {
  if (target !== 'point') return byClass.get(pointClass) ?? [];
  const point = byId.get(pointId);
  return point === undefined ? [] : [point];
};

const Target = ({
  values: { target, pointId, pointClass },
  set,
  points: { points, byClass, total },
  errorOf,
}: {
  readonly values: RuleValues;
  readonly set: (name: 'pointId' | 'pointClass') => (value: string) => void;
  readonly points: BuildingPoints;
  readonly errorOf: (member: keyof RuleValues) => string | undefined;
}): JSX.Element => {
  const classes = useMemo(
    () =>
      [...byClass].map(([name, of]): Option => ({
        value: name,
        label: `${className(name)} (${of.length})`,
      })),
    [byClass],
  );
  const pointOptions = useMemo(
    () =>
      points.map(({ id, code, name }): Option => ({
        value: id,
        label: `${code} ${name}`,
      })),
    [points],
  );
  const left = total - points.length;
  return (
    <>
      {target === 'point' ? (
        <ChooseField
          label="Point"
          options={pointOptions}
          value={pointId}
          error={errorOf('pointId')}
          onValue={set('pointId')}
        />
      ) : (
        <ChooseField
          label="Class"
          options={classes}
          value={pointClass}
          error={errorOf('pointClass')}
          onValue={set('pointClass')}
        />
      )}
      {left > 0 && (
        <p class="hint">
          These are the first {POINTS_MAX.toLocaleString('en')} points. For any other point, use
          “Watch this point” on its page.
        </p>
      )}
    </>
  );
};
