/** `atrium whoami`. */
import type { Invocation } from '../invocation.ts';
import { atriumOf } from '../session/client.ts';
import { record } from '../terminal/text.ts';

export const whoami = async (invocation: Invocation): Promise<void> => {
  const { client, connection } = await atriumOf(invocation);
  const { server, source } = connection;
  const { data } = await client.GET('/api/v1/me');
  const { actor, organisation, roles, permissions, scope } = data;
  invocation.terminal.print({ server, source, ...data }, () =>
    record({
      name: actor.name ?? actor.id,
      organisation,
      roles: roles.join(', ') || null,
      scope,
      server,
      credential: source,
      permissions: permissions.join(' '),
    }),
  );
};
