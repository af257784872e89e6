/**
 * Every page, and who sees it: pages that a role may not open are hidden. contract.md section 2.
 */
import type { rolesFor } from './role-names.ts';
import type { Me } from './session/requests.ts';
import type { IconName } from './ui/icons.tsx';
import { lazyPage, type LazyPage } from './ui/lazy-page.tsx';

export interface Place {
  /** The first part of its address. */
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  readonly needs: keyof typeof rolesFor;
  /** Needs an organisation: hidden from people who belong to none. */
  readonly isOfOrganisation: boolean;
  /** Only in the portal of the main platform, not in a sandbox. */
  readonly isOutsideSandboxes?: true;
  readonly page: LazyPage;
}

const places: readonly Place[] = [
  {
    path: 'tickets',
    name: 'Tickets',
    icon: 'tickets',
    needs: 'service-desk.tickets:read',
    isOfOrganisation: true,
    page: lazyPage(async () => (await import('./pages/tickets/page.tsx')).TicketsPage),
  },
  {
    path: 'reports',
    name: 'Reports',
    icon: 'reports',
    needs: 'service-desk.reports:read',
    isOfOrganisation: true,
    page: lazyPage(async () => (await import('./pages/reports/page.tsx')).ReportsPage),
  },
  {
    path: 'desk',
    name: 'Service desk',
    icon: 'desk',
    needs: 'service-desk.configuration:write',
    isOfOrganisation: true,
    page: lazyPage(async () => (await import('./pages/desk/page.tsx')).DeskPage),
  },
  {
    path: 'buildings',
    name: 'Buildings',
    icon: 'buildings',
    needs: 'platform.buildings:read',
    isOfOrganisation: true,
    page: lazyPage(async () => (await import('./pages/buildings/page.tsx')).BuildingsPage),
  },
  {
    path: 'live',
    name: 'Live',
    icon: 'live',
    needs: 'platform.buildings:read',
    isOfOrganisation: true,
    page: lazyPage(async () => (await import('./pages/live/page.tsx')).LivePage),
  },
  {
    path: 'sandboxes',
    name: 'Sandboxes',
    icon: 'sandboxes',
    needs: 'platform.sandboxes:read',
    isOfOrganisation: true,
    isOutsideSandboxes: true,
    page: lazyPage(async () => (await import('./pages/sandboxes/page.tsx')).SandboxesPage),
  },
  {
    path: 'webhooks',
    name: 'Webhooks',
    icon: 'webhooks',
    needs: 'platform.webhooks:read',
    isOfOrganisation: true,
    page: lazyPage(async () => (await import('./pages/webhooks/page.tsx')).WebhooksPage),
  },
  {
    path: 'keys',
    name: 'API keys',
    icon: 'keys',
    needs: 'platform.keys:read',
    isOfOrganisation: true,
    isOutsideSandboxes: true,
    page: lazyPage(async () => (await import('./pages/keys/page.tsx')).KeysPage),
  },
  {
    path: 'erasures',
    name: 'Erasures',
    icon: 'erasures',
    needs: 'platform.erasure:write',
    isOfOrganisation: true,
    page: lazyPage(async () => (await import('./pages/erasures/page.tsx')).ErasuresPage),
  },
  {
    path: 'audit',
    name: 'Audit',
    icon: 'audit',
    needs: 'platform.audit:read',
    isOfOrganisation: false,
    isOutsideSandboxes: true,
    page: lazyPage(async () => (await import('./pages/audit/page.tsx')).AuditPage),
  },
  {
    path: 'operations',
    name: 'Operations',
    icon: 'operations',
    needs: 'platform.operations:read',
    isOfOrganisation: false,
    isOutsideSandboxes: true,
    page: lazyPage(async () => (await import('./pages/operations/page.tsx')).OperationsPage),
  },
];

/** The page of a path, whatever the permissions. */
export const placeAt = (path: string): Place | undefined =>
  places.find((place) => place.path === path);

/** A page of the account menu, open to everyone who has signed in. */
export const mySessions = {
  path: 'sessions',
  name: 'My sessions',
  page: lazyPage(async () => (await import('./pages/sessions/page.tsx')).SessionsPage),
} as const satisfies Partial<Place>;

/** The target of the QR label of a room or an element. */
const reportAt = {
  path: 'report',
  name: 'Raise a ticket',
  page: lazyPage(async () => (await import('./pages/report/page.tsx')).ReportPage),
} as const satisfies Partial<Place>;

/** The pages of people who report but do not work on tickets. */
export const RequesterPages = lazyPage(
  async () => (await import('./pages/requester/page.tsx')).RequesterPages,
);

/** Their paths: staff open scanned labels too. */
const OF_REQUESTERS: readonly string[] = ['report', 'mine'];

/** Pages that the navigation does not list. */
export const unlisted = [mySessions, reportAt];

/** Fetches the script of the page at a path while the session is being read. */
export const preload = (path = 'tickets'): void => {
  if (OF_REQUESTERS.includes(path)) RequesterPages.preload();
  [...places, ...unlisted].find((place) => place.path === path)?.page.preload();
};

export const placesFor = ({ permissions, organisation, sandbox }: Me): readonly Place[] =>
  places.filter(
    ({ needs, isOfOrganisation, isOutsideSandboxes }) =>
      permissions.includes(needs) &&
      (organisation !== null || !isOfOrganisation) &&
      !(isOutsideSandboxes && sandbox),
  );
