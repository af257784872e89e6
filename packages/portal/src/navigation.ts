/** Every page, and who sees it: what a role may not, it is not shown. contract.md section 2. */
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
  /** It is about one organisation: who belongs to none has none of it. */
  readonly isOfOrganisation: boolean;
  /** Sandboxes do without it: it is in the portal of the main platform alone. */
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

/** Behind one's name, and open to everybody who has signed in. */
export const mySessions = {
  path: 'sessions',
  name: 'My sessions',
  page: lazyPage(async () => (await import('./pages/sessions/page.tsx')).SessionsPage),
} as const satisfies Partial<Place>;

/** Where the QR label of a room or an element leads. */
const reportAt = {
  path: 'report',
  name: 'Raise a ticket',
  page: lazyPage(async () => (await import('./pages/report/page.tsx')).ReportPage),
} as const satisfies Partial<Place>;

/** All pages of those who report and do not work on tickets. */
export const RequesterPages = lazyPage(
  async () => (await import('./pages/requester/page.tsx')).RequesterPages,
);

/** Their addresses: what is scanned is opened by staff too. */
const OF_REQUESTERS: readonly string[] = ['report', 'mine'];

/** Pages that the navigation does not list. */
export const unlisted = [mySessions, reportAt];

/** Fetches the script of the page at a path while it is found out who asks for it. */
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
