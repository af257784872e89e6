/** Every page, and who sees it: what a role may not, it is not shown. contract.md section 2. */
import type { FunctionComponent } from 'preact';
import type { rolesFor } from './role-names.ts';
import type { Me } from './session/requests.ts';
import type { IconName } from './ui/icons.tsx';
import { AuditPage } from './pages/audit/page.tsx';
import { BuildingsPage } from './pages/buildings/page.tsx';
import { DeskPage } from './pages/desk/page.tsx';
import { KeysPage } from './pages/keys/page.tsx';
import { LivePage } from './pages/live/page.tsx';
import { OperationsPage } from './pages/operations/page.tsx';
import { SandboxesPage } from './pages/sandboxes/page.tsx';
import { TicketsPage } from './pages/tickets/page.tsx';
import { WebhooksPage } from './pages/webhooks/page.tsx';

export interface Place {
  /** The first part of its address. */
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  readonly needs: keyof typeof rolesFor;
  /** It is about one organisation: who belongs to none has none of it. */
  readonly isOfOrganisation: boolean;
  readonly page: FunctionComponent;
}

const places: readonly Place[] = [
  {
    path: 'tickets',
    name: 'Tickets',
    icon: 'tickets',
    needs: 'service-desk.tickets:read',
    isOfOrganisation: true,
    page: TicketsPage,
  },
  {
    path: 'desk',
    name: 'Service desk',
    icon: 'desk',
    needs: 'service-desk.configuration:write',
    isOfOrganisation: true,
    page: DeskPage,
  },
  {
    path: 'buildings',
    name: 'Buildings',
    icon: 'buildings',
    needs: 'platform.buildings:read',
    isOfOrganisation: true,
    page: BuildingsPage,
  },
  {
    path: 'live',
    name: 'Live',
    icon: 'live',
    needs: 'platform.buildings:read',
    isOfOrganisation: true,
    page: LivePage,
  },
  {
    path: 'sandboxes',
    name: 'Sandboxes',
    icon: 'sandboxes',
    needs: 'platform.sandboxes:read',
    isOfOrganisation: true,
    page: SandboxesPage,
  },
  {
    path: 'webhooks',
    name: 'Webhooks',
    icon: 'webhooks',
    needs: 'platform.webhooks:read',
    isOfOrganisation: true,
    page: WebhooksPage,
  },
  {
    path: 'keys',
    name: 'API keys',
    icon: 'keys',
    needs: 'platform.keys:read',
    isOfOrganisation: true,
    page: KeysPage,
  },
  {
    path: 'audit',
    name: 'Audit',
    icon: 'audit',
    needs: 'platform.audit:read',
    isOfOrganisation: false,
    page: AuditPage,
  },
  {
    path: 'operations',
    name: 'Operations',
    icon: 'operations',
    needs: 'platform.operations:read',
    isOfOrganisation: false,
    page: OperationsPage,
  },
];

/** Whoever may see it. */
export const placeAt = (path: string): Place | undefined =>
  places.find((place) => place.path === path);

export const placesFor = ({ permissions, organisation }: Me): readonly Place[] =>
  places.filter(
    ({ needs, isOfOrganisation }) =>
      permissions.includes(needs) && (organisation !== null || !isOfOrganisation),
  );
