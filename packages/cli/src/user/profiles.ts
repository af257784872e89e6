/** `atrium profiles`. */
import { signInNeeded } from '../failures.ts';
import type { Invocation } from '../invocation.ts';
import { profileNamedBy } from '../session/connection.ts';
import { profilesOf } from '../session/profiles.ts';

export const listProfiles = async (invocation: Invocation): Promise<void> => {
  const { env, terminal } = invocation;
  const profiles = profilesOf(env);
  const used = await profileNamedBy(invocation);
  const names = await profiles.names();
  const items = await Promise.all(
    names.map(async (profile) => {
      const { server = null, name = null } = (await profiles.read(profile)) ?? {};
      return { profile, used: profile === used, server, name };
    }),
  );
  await terminal.printTable(
    { items },
    {
      head: ['', 'profile', 'server', 'signed in as'],
      rows: items.map((item) => [
        item.used ? '*' : '',
        item.profile,
        item.server ?? '',
        item.name ?? '',
      ]),
      empty: 'Nobody is signed in. Run: atrium login',
    },
  );
};

export const useProfile = async ({ words, env, terminal }: Invocation): Promise<void> => {
  const profiles = profilesOf(env);
  const [profile = ''] = words;
  if ((await profiles.read(profile)) === null)
    throw signInNeeded(
      `there is no profile ${profile}; create it with: atrium login --profile ${profile}`,
    );
  await profiles.choose(profile);
  terminal.print({ profile }, () => `Using profile ${profile}.`);
};
