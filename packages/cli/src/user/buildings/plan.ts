/** `atrium buildings plan`. */
import { writeFile } from 'node:fs/promises';
import type { Invocation } from '../../invocation.ts';
import { failedAt, STANDARD } from '../files.ts';
import { given } from '../given.ts';
import { buildingOf, platformOf, type BuildingOption } from '../platform.ts';
import { storeyNamed } from './buildings.ts';

interface PlanOptions extends BuildingOption {
  readonly output?: string;
  readonly colour?: string;
  readonly at?: string;
}

/** Writes the picture itself to standard output, or to a file, whose name is printed then. */
export const planOf = async (invocation: Invocation<PlanOptions>): Promise<void> => {
  const { words, options, terminal } = invocation;
  const { output: file = STANDARD, colour, at } = options;
  const { client } = await platformOf(invocation);
  const buildingId = await buildingOf(client, options.building);
  const storeyId = await storeyNamed(client, buildingId, words[0]!);
  const { data: picture } = await client.GET(
    '/api/v1/buildings/{buildingId}/storeys/{storeyId}/plan.svg',
    {
      params: { path: { buildingId, storeyId }, query: given({ colour, at }) },
      parseAs: 'text',
    },
  );
  if (file === STANDARD) {
    process.stdout.write(picture);
    return;
  }
  await writeFile(file, picture).catch((error: unknown) => {
    throw failedAt(file, 'written', error);
  });
  terminal.print({ buildingId, storeyId, file }, () => `The plan is in ${file}.`);
};
