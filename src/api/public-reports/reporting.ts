/** A report without sign-in, from the request to its ticket and status link. contract.md 5. */
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { acceptsReports } from '../../domain/public-reports/acceptance.ts';
import type { TicketCommand } from '../../domain/tickets/commands.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import { Refused, type Aggregate, type Answer } from '../../engine/aggregates/aggregate.ts';
import {
  isRefusal,
  type Actor,
  type Occasion,
  type Refusal,
} from '../../engine/aggregates/decider.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { proofRequired, type Admissions } from '../../projections/public-reports/admissions.ts';
import type { Proofs } from '../../use-cases/public-reports/proofs.ts';
import type { StatusLinks } from '../../use-cases/public-reports/status-links.ts';
import { hashOfToken, type StatusTokens } from '../../use-cases/public-reports/status-tokens.ts';
import type { ServiceDesks } from '../../use-cases/service-desk/service-desks.ts';
import { openTicket, type OpenTicketParts } from '../../use-cases/tickets/open-ticket.ts';
import { commandIdOf, madeIdOf, type CommandId } from '../http/commands.ts';
import { invalid, notThere } from '../http/problems.ts';
import { sourceOf } from './attempts.ts';
import type { PublicReportMetrics } from './metrics.ts';
import type { ReportBody } from './schemas.ts';

export interface ReportingParts extends Omit<OpenTicketParts, 'tickets' | 'desks'> {
  readonly tickets: Aggregate<TicketCommand, TicketView>;
  readonly desks: Pick<ServiceDesks, 'configurationOf'>;
  readonly links: StatusLinks;
  readonly tokens: StatusTokens;
  readonly admissions: Admissions;
  readonly proofs: Proofs;
  readonly metrics: PublicReportMetrics;
  readonly clock: Clock;
  readonly publicUrl: string;
}

export interface ReportAnswer {
  readonly number: string;
  readonly statusUrl: string;
  /** Of the command that raised the ticket. */
  readonly raised: Answer<TicketView>;
}

type Report = z.infer<typeof ReportBody>;

/** The actor of callers without sign-in. Unique: no credential maps to a `system` actor. */
const ANONYMOUS: Actor = { kind: 'system', id: 'anonymous', name: 'Without sign-in' };

/**
 * Raises the ticket of a report. A repeat under the same `Idempotency-Key` has the same response.
 *
 * @throws {@link Problem} `NOT_FOUND` unless the organisation accepts reports without sign-in.
 * @throws {@link Refused} with `RATE_LIMITED`, `PROOF_REQUIRED` or a code of {@link openTicket}.
 */
export const reporting = (
  parts: ReportingParts,
): ((request: FastifyRequest, report: Report) => Promise<ReportAnswer>) => {
  const { tickets, graph, desks, links, tokens, admissions, proofs, metrics, clock } = parts;
  const open = openTicket(parts);

  const proofOf = (request: FastifyRequest): { readonly nonce: string | null } | Refusal => {
    const proof = request.headers['x-atrium-proof'];
    if (proof === undefined) return { nonce: null };
    const checked = proofs.check([proof].flat().join());
    return 'nonce' in checked ? checked : proofRequired(checked.reason);
  };

  /** Counts a report that is not recorded yet. @returns Why it is not admitted; `null`: it is. */
  const refusalOf = async (
    request: FastifyRequest,
    { organisation, ...report }: Report,
    { commandId }: CommandId,
  ): Promise<Refusal | null> => {
    const source = sourceOf(request);
    const proof = proofOf(request);
    if (isRefusal(proof)) return proof;
    const { nonce } = proof;
    const cached = admissions.refusal({ source, organisation }, nonce !== null);
    if (cached !== null) return cached;
    const location = await graph.resolveLocation(organisation, report);
    if (isRefusal(location)) throw new Refused(location);
    const roomId = location.spaceId ?? location.buildingId;
    const admitted = await admissions.admit({ commandId, organisation, source, roomId, nonce });
    return isRefusal(admitted) ? admitted : null;
  };

  const admit = async (request: FastifyRequest, report: Report, command: CommandId) => {
    const refusal = await refusalOf(request, report, command);
    if (refusal === null) return;
    // Counted when it was sent first, and perhaps not recorded because the log was away.
    if (command.named && (await admissions.isAdmitted(command.commandId))) return;
    throw notAdmitted(refusal);
  };

  const notAdmitted = (refusal: Refusal): Refused => {
    if (refusal.refused === 'PROOF_REQUIRED') metrics.count('proof_required');
    else metrics.count(refusal.extra?.['of'] === 'source' ? 'source_limit' : 'room_limit');
    return new Refused(refusal);
  };

  const linkOf = async (ticketId: string, organisation: string, occasion: Occasion) => {
    const issued = (await links.look(ticketId))?.view;
    const token = tokens.of(ticketId, issued?.tokenHash);
    if (!issued) {
      const tokenHash = hashOfToken(token);
      const command = { type: 'IssueStatusLink', ticketId, organisation, tokenHash } as const;
      await links.give(ticketId, { commandId: ticketId, command, organisation }, occasion);
    }
    return `${parts.publicUrl}${STATUS_PAGE}#${token}`;
  };

  return async (request, report) => {
    const { organisation, website, ...ticket } = report;
    if (!acceptsReports(await desks.configurationOf(organisation))) throw notThere();
    if (website) {
      metrics.count('unseen_field');
      throw invalid([{ path: 'website', message: 'must be empty' }]);
    }
    const command = commandIdOf(request, { actor: ANONYMOUS, organisation });
    const ticketId = madeIdOf(command);
    const isRecorded = command.named && (await tickets.look(ticketId)) !== null;
    if (!isRecorded) await admit(request, report, command);
    const { named, ...name } = command;
    const occasion: Occasion = { at: clock.now(), by: ANONYMOUS, origin: 'api' };
    const raised = await open(
      // The page shows no form of a request type, so the report has no answers.
      { ...ticket, ticketId, organisation, channel: 'portal', isFormChecked: false },
      occasion,
      { ...name, fresh: !named },
    );
    const statusUrl = await linkOf(ticketId, organisation, occasion);
    metrics.count(raised.replayed ? 'repeated' : 'recorded');
    return { number: raised.view.number, statusUrl, raised };
  };
};

/** The page of a status link; `src/api/portal/pages.ts` serves it. */
const STATUS_PAGE = '/report/status';
