/** The data and the answers of the release of commit be3c377: test/fixtures/README.md. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const fixture = (name: string): string => {
  const path = fileURLToPath(new URL(`../../fixtures/be3c377/${name}.gz`, import.meta.url));
  return gunzipSync(readFileSync(path)).toString();
};

export interface Answer {
  /** The demo user who sent the request. */
  readonly as: string;
  readonly path: string;
  readonly body: unknown;
}

export interface EarlyAnswers {
  /** The platform's time of its answers; no timer was due then. */
  readonly now: string;
  readonly answers: readonly Answer[];
}

export const earlyAnswers = (): EarlyAnswers => JSON.parse(fixture('answers.json')) as EarlyAnswers;

/** The statements that make its database, with the log in schema `es`. */
export const earlyDatabase = (): string => fixture('database.sql');

/** The same log, as exported by its `atrium events export`. */
export const earlyEvents = (): string => fixture('events.ndjson');

/** A command that it recorded: the request as it was sent. */
export const earlyCommand = {
  as: 'agent@acme.test',
  key: 'furnish-0',
  number: 'SR-000006',
  body: {
    subject: 'Radiator 0',
    description: 'The radiator of room 0 stays cold.',
    priority: 'low',
    category: 'hvac',
    reporterName: 'Reporter 0',
    metadata: { externalId: 'WO-0', nested: { n: 0 } },
    formData: { floor: 0 },
  },
} as const;
