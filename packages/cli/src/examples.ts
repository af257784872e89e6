/** Examples for the help of commands whose own texts have none. */
import type { Command } from 'commander';

const WEBHOOK = '0198c3a1-7b5e-7c4d-9f2a-3e5d6b7c8a90';
const RULE = '0198c3a2-1d4f-7a6b-8c3e-5f7a9b1c2d3e';
const FAULT = '0198c3a3-6e8a-7d2c-b4f5-7a9c1e3b5d7f';
const STREAM = 'ticket-0198c3a4-2b6d-7e8f-9a1c-4d6e8f0a2b3c';

/** By the words of the command. */
const examples: Readonly<Record<string, string>> = {
  'profiles list': 'profiles list --json',
  'sandbox clock get': 'sandbox clock get --sandbox "Checkout team"',
  'sandbox snapshot list': 'sandbox snapshot list',
  'sandbox list': 'sandbox list --json',
  'sandbox open': 'sandbox open "Checkout team" --docs',
  'sandbox reset': 'sandbox reset "Checkout team" --yes --wait',
  'keys list': 'keys list --json',
  'tickets get': 'tickets get SR-000042',
  'webhooks list': 'webhooks list --all',
  'webhooks get': `webhooks get ${WEBHOOK}`,
  'webhooks rotate-secret': `webhooks rotate-secret ${WEBHOOK}`,
  'webhooks test': `webhooks test ${WEBHOOK} --wait`,
  'webhooks reset-failures': `webhooks reset-failures ${WEBHOOK}`,
  'webhooks delete': `webhooks delete ${WEBHOOK} --yes`,
  'webhooks deliveries': `webhooks deliveries ${WEBHOOK} --dead`,
  'webhooks redeliver': `webhooks redeliver ${WEBHOOK} ${FAULT} --wait`,
  'buildings list': 'buildings list --all',
  'buildings get': 'buildings get W2',
  'buildings spaces': 'buildings spaces --building W2 --search pantry',
  'rules list': 'rules list --building W2',
  'rules get': `rules get ${RULE} --building W2`,
  'rules delete': `rules delete ${RULE} --building W2 --yes`,
  'faults list': 'faults list --building W2 --open',
  'faults get': `faults get ${FAULT} --building W2`,
  'faults ticket': `faults ticket ${FAULT} --building W2`,
  'erasures list': 'erasures list --all',
  'erasures get': `erasures get ${FAULT}`,
  start: 'start',
  import: 'import warehouse.json --organisation acme',
  doctor: 'doctor --within 2 --json',
  'support-bundle': 'support-bundle bundle.tgz --log atrium.log',
  'events tail': 'events tail --category ticket --from-start',
  'events export': 'events export --to events.ndjson',
  'events import': 'events import events.ndjson --dry-run',
  'events verify': 'events verify events.ndjson',
  'backup create': 'backup create --to /backups --keep 14',
  'backup list': 'backup list --from /backups',
  'backup verify': 'backup verify --from /backups --identity backup.key',
  'backup drill': 'backup drill',
  'backup restore': 'backup restore --from /backups --identity backup.key',
  'log restored': 'log restored --dry-run',
  'log adopt': 'log adopt --dry-run',
  'audit replay': 'audit replay --key 2b8Jk3PqLm5TzXv0aW1cDe --as-of 2026-03-01T09:00:00Z',
  'audit verify': 'audit verify --against checkpoint.json --public-key audit.pub',
  'audit checkpoint': 'audit checkpoint --to checkpoint.json',
  'audit key': 'audit key --key audit.key',
  'projections status': 'projections status --json',
  'projections prepare': 'projections prepare',
  'projections rebuild': 'projections rebuild ticket-list --wait 600',
  'projections verify': 'projections verify ticket-list --wait 600',
  'projections parked': 'projections parked ticket-list',
  'projections retry': `projections retry ticket-list ${STREAM}`,
  'projections skip': `projections skip ticket-list ${STREAM}`,
  'projections drop': 'projections drop ticket-list 3',
  'processes status': 'processes status --json',
  'processes parked': 'processes parked work-order-intake',
  'processes retry': `processes retry work-order-intake ${STREAM}`,
  'processes skip': `processes skip work-order-intake ${STREAM}`,
  'feed blocked': 'feed blocked',
  'feed skip': `feed skip ${STREAM.slice('ticket-'.length)}`,
  skip: `skip ${STREAM} --yes`,
  'releases status': 'releases status --json',
  'releases raise': 'releases raise --dry-run',
  'secrets rewrap': 'secrets rewrap',
  'dev-token': 'dev-token agent@acme.test',
};

/** @param path The words before it. */
export const addExamples = (command: Command, path: readonly string[] = []): void => {
  const example = examples[path.join(' ')];
  if (example !== undefined) command.addHelpText('after', `\nExamples:\n  $ atrium ${example}`);
  for (const one of command.commands) addExamples(one, [...path, one.name()]);
};
