import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Card } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { TextField } from '../../ui/fields.tsx';
import { edges } from '../tickets/edges.ts';
import { stateName, states, type State } from '../tickets/words.tsx';
import { changed, type EditorParts, type Workflow } from './document.ts';
import { useErrorsAt } from './errors.ts';
import { ItemChoice } from './item.tsx';
import { WorkflowGraph } from './workflow-graph.tsx';

const allowedIn = ({ transitions }: Workflow, from: State): readonly State[] =>
  transitions[from] ?? edges[from];

/** A state that keeps all its transitions is left out of the document. */
const toggled = (workflow: Workflow, from: State, to: State): Workflow => {
  const before = allowedIn(workflow, from);
  const after = edges[from].filter((state) => before.includes(state) !== (state === to));
  const { [from]: _, ...others } = workflow.transitions;
  const isWhole = after.length === edges[from].length;
  return {
    ...workflow,
    transitions: isWhole ? others : { ...others, [from]: after },
  };
};

/** States that a ticket can reach and never leave, although the graph has a transition. */
const deadEnds = (workflow: Workflow): readonly State[] =>
  states.filter((state) => edges[state].length > 0 && allowedIn(workflow, state).length === 0);

/** The allowed transitions between states, by type of request. */
export const WorkflowsEditor = ({
  of,
  onChange,
  shown,
}: EditorParts & {
  /** The index of the workflow to open, from the link of a refusal. */
  readonly shown: number | null;
}): JSX.Element => {
  const list = of.workflows;
  const [selected, setChosen] = useState(shown ?? 0);
  const at = Math.min(selected, list.length - 1);
  const chosen = list[at];
  const set = (workflows: Workflow[]) => onChange({ ...of, workflows });
  const add = () => {
    const names = list.map(({ requestType }) => requestType);
    const requestType = names.includes('general') ? `type-${list.length + 1}` : 'general';
    set([...list, { requestType, transitions: {} }]);
    setChosen(list.length);
  };
  return (
    <Card
      title="Workflows"
      actions={
        <Button icon="plus" onPress={add}>
          Add a workflow
        </Button>
      }
    >
      <p class="faint small below">
        A workflow removes transitions between states for tickets of one type. Other types keep all
        transitions.
      </p>
      <ItemChoice
        label="Workflows"
        names={list.map((workflow) => workflow.requestType)}
        chosen={at}
        onChoose={setChosen}
      />
      {chosen && (
        <WorkflowFields
          key={at}
          of={chosen}
          path={`workflows[${at}]`}
          onChange={(next) => set(changed(list, at, next))}
        />
      )}
    </Card>
  );
};

const WorkflowFields = ({
  of,
  path,
  onChange,
}: {
  readonly of: Workflow;
  readonly path: string;
  readonly onChange: (next: Workflow | null) => void;
}): JSX.Element => {
  const errorAt = useErrorsAt(path);
  const isAllowed = (from: State, to: State) => allowedIn(of, from).includes(to);
  const toggle = (from: State, to: State) => onChange(toggled(of, from, to));
  const stuck = deadEnds(of);
  return (
    <div class="stack">
      <TextField
        label="Type of request"
        value={of.requestType}
        onValue={(requestType) => onChange({ ...of, requestType })}
        error={errorAt('.requestType')}
      />
      {errorAt('.transitions') && <p class="field-error">{errorAt('.transitions')}</p>}
      <p class="faint small">
        Click a transition, or focus it with tab and press space, to allow or forbid it.
      </p>
      <WorkflowGraph
        label={`Transitions of ${of.requestType}`}
        isAllowed={isAllowed}
        onToggle={toggle}
      />
      {stuck.length > 0 && (
        <p class="notice" role="status">
          No ticket can leave {stuck.map((state) => stateName[state]).join(', ')}.
        </p>
      )}
      <details>
        <summary>The same as a table</summary>
        <table class="table ways">
          <caption class="visually-hidden">
            Transitions of {of.requestType}: from the state of the row to the state of the column
          </caption>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">To</th>
            </tr>
          </thead>
          <tbody>
            {states
              .filter((from) => edges[from].length > 0)
              .map((from) => (
                <tr key={from}>
                  <th scope="row">{stateName[from]}</th>
                  <td data-name="To">
                    <span class="row">
                      {edges[from].map((to) => (
                        <label key={to} class="check">
                          <input
                            type="checkbox"
                            checked={isAllowed(from, to)}
                            aria-label={`${stateName[from]} to ${stateName[to]}, in the table`}
                            onChange={() => toggle(from, to)}
                          />
                          {stateName[to]}
                        </label>
                      ))}
                    </span>
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
      <div class="form-end">
        <Button label={`Remove ${of.requestType}`} onPress={() => onChange(null)}>
          Remove
        </Button>
      </div>
    </div>
  );
};
