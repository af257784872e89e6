import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useSubmission } from '../../loading.ts';
import { go } from '../../router.ts';
import type { Schemas } from '../../session/requests.ts';
import { Dialog, Form } from '../../ui/controls.tsx';
import { errorAt } from '../../ui/field-errors.ts';
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx';

type Draft = Schemas['NewSandbox'];

/** The defaults of the server; interface.md gives the ranges. */
const DEFAULTS = {
  name: '',
  storeys: '3',
  areaSqm: '3000',
  ttlDays: '14',
  seedTelemetryDays: '7',
  spacesMin: '10',
  spacesMax: '30',
  seed: '',
  timeZone: 'UTC',
};
type Written = keyof typeof DEFAULTS;

const NUMBERS: readonly (readonly [Written, string, number, number])[] = [
  ['storeys', 'Storeys', 1, 50],
  ['areaSqm', 'Gross area in m²', 1, 10_000_000],
  ['ttlDays', 'Days until it expires', 1, 30],
  ['seedTelemetryDays', 'Days of telemetry', 0, 30],
  ['spacesMin', 'Spaces per storey, at least', 1, 1_000],
  ['spacesMax', 'Spaces per storey, at most', 1, 1_000],
];

const KINDS = [
  ['office', 'Office'],
  ['mall', 'Mall'],
] as const;
const DENSITIES = [
  ['sparse', 'Sparse'],
  ['realistic', 'Realistic'],
  ['dense', 'Dense'],
] as const;
const PROFILES = [
  ['office-hours', 'Office hours'],
  ['24x7', 'Round the clock'],
  ['peak-evenings', 'Peak in the evenings'],
] as const;

const FAULT_KINDS = [
  ['stuck-damper', 'Dampers stuck open'],
  ['drifting-sensor', 'Room temperatures that drift'],
  ['silent-sensor', 'CO₂ sensors that are silent'],
  ['night-fan', 'Fans that run at night'],
] as const;

export const NewSandbox = ({ onClose }: { readonly onClose: () => void }): JSX.Element => {
  const { api, say } = usePortal();
  const [written, setWritten] = useState(DEFAULTS);
  const [buildingType, setKind] = useState('office');
  const [equipmentDensity, setDensity] = useState('realistic');
  const [occupancyProfile, setProfile] = useState('office-hours');
  const [liveTelemetry, setLive] = useState(true);
  const [kinds, setKinds] = useState<ReadonlySet<string>>(
    new Set(FAULT_KINDS.map(([kind]) => kind)),
  );
  const set = (name: Written) => (value: string) =>
    setWritten((last) => ({ ...last, [name]: value }));
  const creating = useSubmission(async (keyOf) => {
    const { name, seed, timeZone } = written;
    const faultKinds = [...kinds];
    const numbers = Object.fromEntries(NUMBERS.map(([name]) => [name, Number(written[name])]));
    const choices = {
      buildingType,
      equipmentDensity,
      occupancyProfile,
      liveTelemetry,
      timeZone,
      faultKinds,
    };
    const body = { name, ...numbers, ...choices, ...(seed.trim() !== '' && { seed }) } as Draft;
    const params = { header: { 'Idempotency-Key': keyOf(body) } };
    const { data } = await api.POST('/api/v1/sandboxes', { params, body });
    say(`${name} is being provisioned.`);
    onClose();
    go(['sandboxes', data.sandboxId]);
  });
  return (
    <Dialog title="New sandbox" onClose={onClose} isWide>
      <Form of={creating} submitLabel="Create" onCancel={onClose}>
        <div class="fields">
          <TextField
            label="Name"
            value={written.name}
            onValue={set('name')}
            error={errorAt(creating.error, 'name')}
            maxLength={100}
            isRequired
          />
          <SelectField
            label="Kind of building"
            value={buildingType}
            onValue={setKind}
            choices={KINDS}
          />
        </div>
        <div class="fields">
          {NUMBERS.map(([name, label, min, max]) => (
            <TextField
              key={name}
              label={label}
              type="number"
              min={min}
              max={max}
              step={name === 'areaSqm' ? 'any' : 1}
              value={written[name]}
              onValue={set(name)}
              error={errorAt(creating.error, name)}
              isRequired
            />
          ))}
        </div>
        <div class="fields">
          <SelectField
            label="Equipment"
            value={equipmentDensity}
            onValue={setDensity}
            choices={DENSITIES}
          />
          <SelectField
            label="Occupancy"
            value={occupancyProfile}
            onValue={setProfile}
            choices={PROFILES}
          />
          <TextField
            label="Seed"
            hint="The same seed gives the same building. Blank: a random seed."
            value={written.seed}
            onValue={set('seed')}
            error={errorAt(creating.error, 'seed')}
          />
        </div>
        <TextField
          label="Time zone"
          hint="Local time of the simulated people, such as Europe/Berlin."
          value={written.timeZone}
          onValue={set('timeZone')}
          error={errorAt(creating.error, 'timeZone')}
          isRequired
        />
        <fieldset class="choices">
          <legend>Deliberate faults in its values</legend>
          {FAULT_KINDS.map(([kind, label]) => (
            <CheckField
              key={kind}
              label={label}
              isChecked={kinds.has(kind)}
              onValue={(isChosen) =>
                setKinds((last) => {
                  const next = new Set(last);
                  if (isChosen) next.add(kind);
                  else next.delete(kind);
                  return next;
                })
              }
            />
          ))}
        </fieldset>
        <CheckField label="Keep producing telemetry" isChecked={liveTelemetry} onValue={setLive} />
      </Form>
    </Dialog>
  );
};
