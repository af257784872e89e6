import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useLoaded, useSubmission } from '../../loading.ts';
import { to } from '../../router.ts';
import type { Schemas } from '../../session/requests.ts';
import { Badge, Table, type Column } from '../../ui/content.tsx';
import { Button, Confirm } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Empty, Show } from '../../ui/notices.tsx';
import { At } from '../../ui/times.tsx';
import type { OfBuilding } from '../buildings/detail.tsx';
import { measureOf, usePoints, type BuildingPoints } from './points.ts';
import { className, conditionWords, type Rule } from './words.ts';

/** Open faults that are loaded to be counted by rule. */
const FAULTS_MAX = 1_000;

type OpenFaults = Schemas['FaultList'];

export const RuleList = ({ buildingId }: OfBuilding): JSX.Element => {
  const { api, may } = usePortal();
  const [deleted, setDeleted] = useState<Rule | null>(null);
  const rules = useLoaded(
    async (signal) => {
      const params = { path: { buildingId } };
      const open = { path: { buildingId }, query: { open: true, limit: FAULTS_MAX } };
      const [list, faults] = await Promise.all([
        api.GET('/api/v1/buildings/{buildingId}/diagnostic-rules', { params, signal }),
        api.GET('/api/v1/buildings/{buildingId}/faults', { params: open, signal }),
      ]);
      return { items: list.data.items, faults: faults.data };
    },
    [api, buildingId],
  );
  const points = usePoints(buildingId);
  const mayWrite = may('platform.buildings:write');
  return (
    <>
      {mayWrite && (
        <div class="toolbar">
          <a class="button primary" href={to(['buildings', buildingId, 'rules', 'new'])}>
            <Icon name="plus" />
            New rule
          </a>
        </div>
      )}
      <Show of={rules}>
        {({ items, faults }) =>
          items.length === 0 ? (
            <Empty title="No rules">
              <p>A rule opens a fault when a point leaves its range or stops sending values.</p>
            </Empty>
          ) : (
            <Show of={points}>
              {(loaded) => (
                <Table
                  caption="Diagnostic rules"
                  columns={[
                    ...columnsOf(buildingId, loaded, faults),
                    ...(mayWrite ? [actions(buildingId, setDeleted)] : []),
                  ]}
                  rows={items}
                  keyOf={({ ruleId }) => ruleId}
                />
              )}
            </Show>
          )
        }
      </Show>
      {deleted && (
        <DeleteRule
          buildingId={buildingId}
          of={deleted}
          open={openOf(deleted, rules.data?.faults)}
          onClose={() => setDeleted(null)}
          onDeleted={rules.reload}
        />
      )}
    </>
  );
};

/** The number of a rule's open faults, as text. */
const openOf = ({ ruleId }: Rule, faults: OpenFaults | undefined): string => {
  const found = faults?.items.filter((fault) => fault.ruleId === ruleId).length ?? 0;
  const isCut = faults !== undefined && faults.total > faults.items.length;
  return `${isCut ? 'at least ' : ''}${found.toLocaleString('en')}`;
};

const columnsOf = (
  buildingId: string,
  { byId, byClass }: BuildingPoints,
  faults: OpenFaults,
): readonly Column<Rule>[] => {
  const watched = ({ pointId, pointClass }: Rule) => {
    if (pointId === undefined) return byClass.get(pointClass ?? '') ?? [];
    const point = byId.get(pointId);
    return point === undefined ? [] : [point];
  };
  return [
    { name: 'Rule', cell: ({ title }) => <strong>{title}</strong> },
    {
      name: 'Severity',
      cell: ({ severity }) => (
        <span class="words">
          <Badge tone="warn">{severity}</Badge>
        </span>
      ),
    },
    {
      name: 'Watches',
      cell: (rule) =>
        rule.pointId === undefined ? (
          <>
            {className(rule.pointClass ?? '')}{' '}
            <span class="faint small nowrap">{pointCount(watched(rule).length)}</span>
          </>
        ) : (
          <a href={to(['buildings', buildingId, 'points', rule.pointId])}>
            {byId.get(rule.pointId)?.name ?? 'a point'}
          </a>
        ),
    },
    { name: 'Opens a fault', cell: (rule) => conditionWords(rule, measureOf(watched(rule))) },
    {
      name: 'Ticket',
      cell: ({ raiseTicket }) =>
        raiseTicket && (
          <span class="words">
            {raiseTicket.priority} {raiseTicket.category && <Badge>{raiseTicket.category}</Badge>}
          </span>
        ),
    },
    { name: 'Since', cell: ({ createdAt }) => <At at={createdAt} /> },
    { name: 'Open faults', isNumber: true, cell: (rule) => openOf(rule, faults) },
  ];
};

const pointCount = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'point' : 'points'}`;

const actions = (buildingId: string, onDelete: (rule: Rule) => void): Column<Rule> => ({
  name: 'Actions',
  isNameHidden: true,
  cell: (rule) => (
    <span class="row-end">
      <a
        class="button quiet"
        href={to(['buildings', buildingId, 'rules', 'new'], { like: rule.ruleId })}
        aria-label={`Copy ${rule.title}`}
      >
        Copy
      </a>
      <Button kind="quiet" label={`Delete ${rule.title}`} onPress={() => onDelete(rule)}>
        Delete
      </Button>
    </span>
  ),
});

const DeleteRule = ({
  buildingId,
  of: { ruleId, title },
  open,
  onClose,
  onDeleted,
}: OfBuilding & {
  readonly of: Rule;
  /** The number of its open faults, as text. */
  readonly open: string;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}): JSX.Element => {
  const { api, say } = usePortal();
  const deleting = useSubmission(async () => {
    const params = { path: { buildingId, ruleId } };
    const path = '/api/v1/buildings/{buildingId}/diagnostic-rules/{ruleId}';
    await api.DELETE(path, { params });
    say(`“${title}” is deleted.`);
    onDeleted();
    onClose();
  });
  return (
    <Confirm
      title="Delete this rule?"
      words={
        <>
          <strong>{title}</strong> opens no further faults, and its open faults ({open}) are closed.
          This cannot be undone.
        </>
      }
      submitLabel="Delete"
      of={deleting}
      onClose={onClose}
    />
  );
};
