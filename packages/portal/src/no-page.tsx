import type { JSX } from 'preact';
import { placeAt, type Place } from './navigation.ts';
import { rolesFor } from './role-names.ts';
import { to } from './router.ts';
import type { Me } from './session/requests.ts';
import { Empty } from './ui/notices.tsx';

const any = new Intl.ListFormat('en', { type: 'disjunction' });
const roleList = new Intl.ListFormat('en');

/** Shown for an unknown page, and for one that the person's roles do not open. */
export const NoPage = ({
  path,
  me: { roles, organisation, sandbox },
  places,
}: {
  readonly path: string | undefined;
  readonly me: Me;
  /** The pages that the roles open. */
  readonly places: readonly Place[];
}): JSX.Element => {
  const place = path === undefined ? undefined : placeAt(path);
  const first = places[0];
  if (place?.isOutsideSandboxes && sandbox) {
    const there = new URL(to([place.path]), sandbox.pageUrl).href;
    return (
      <Empty isPage title={`A sandbox has no ${place.name}`}>
        <p>
          <a href={there}>{place.name} of the main portal</a>
        </p>
      </Empty>
    );
  }
  const openers: readonly string[] = place ? rolesFor[place.needs] : [];
  return (
    <Empty isPage title={titleOf(place, first)}>
      <p>
        {roles.length === 0 ? 'You have no role here.' : `Your role: ${roleList.format(roles)}.`}
      </p>
      {place && openers.length > 0 && (
        <p>
          {openers.some((role) => roles.includes(role)) && organisation === null
            ? 'This page shows one organisation, and your account belongs to none.'
            : `It needs the role ${any.format(openers)}, which an administrator can give you.`}
        </p>
      )}
      {first && (
        <p>
          <a href={to([first.path])}>{first.name}</a>
        </p>
      )}
    </Empty>
  );
};

const titleOf = (place: Place | undefined, first: Place | undefined): string => {
  if (place) return `Your role has no access to ${place.name}`;
  return first ? 'There is no such page' : 'Your role has no access to any page';
};
