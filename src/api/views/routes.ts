/** Saved views of the ticket list, own and shared. contract.md section 5. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ViewDetails } from '../../domain/views/events.ts';
import { VIEWS_OF_ORGANISATION_MAX, VIEWS_OF_PERSON_MAX } from '../../domain/views/limits.ts';
import {
  hiddenViews,
  mayEdit,
  visibleViews,
  type SavedView,
  type SavedViews,
  type ViewCommand,
  type ViewRights,
} from '../../domain/views/views.ts';
import { compareText } from '../../domain/compare-text.ts';
import { foldText } from '../../domain/fold-text.ts';
import type { ServiceDesks } from '../../use-cases/service-desk/service-desks.ts';
import type { ViewRepository } from '../../use-cases/views/views.ts';
import { callerIn, organisationIn, type OccasionOf } from '../sessions/authenticate.ts';
import {
  answerCommand,
  commandIdOf,
  madeIdOf,
  type CommandId,
  type Visibility,
} from '../http/commands.ts';
import { etagOf, expectedRevisionsOf } from '../http/conditional.ts';
import { notFound } from '../http/problems.ts';
import { TicketFilterQuery } from '../tickets/schemas.ts';
import { checkFieldFilters } from '../tickets/selection.ts';
import { ChangeViewBody, CreateViewBody, ViewBody, ViewListBody, ViewParams } from './schemas.ts';

export interface ViewRouteOptions {
  readonly views: ViewRepository;
  readonly desks: Pick<ServiceDesks, 'configurationOf'>;
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
}

const VIEWS = '/api/service-desk/views';
const VIEW = `${VIEWS}/:viewId`;
const tags = ['views'];
/** All readers of tickets may have their own views; the command checks further rights. */
const config = { permission: 'service-desk.tickets:read' } as const;

export const viewRoutes: FastifyPluginAsyncZod<ViewRouteOptions> = async (app, options) => {
  const { views, desks, occasionOf, visibility } = options;

  const give = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { commandId, bodyHash }: CommandId,
    command: ViewCommand,
    { filters }: Partial<Pick<ViewDetails, 'filters'>> = {},
  ): Promise<SavedViews> => {
    const organisation = organisationIn(request);
    // Only for a command that is decided: a repeat is answered though fields have changed since.
    const checked = async () => {
      const { fields } = TicketFilterQuery.parse(filters ?? {});
      await checkFieldFilters(desks, { organisation, ...(fields && { fields }) }, 'filters.');
      return command;
    };
    const given = { commandId, command: checked, organisation };
    const answer = await views.give(
      organisation,
      bodyHash === undefined ? given : { ...given, bodyHash },
      occasionOf(request),
    );
    await answerCommand(reply, answer, [], visibility);
    return answer.view;
  };

  /** The view with its own revision in the `ETag`, not the stream's. */
  const answered = (request: FastifyRequest, reply: FastifyReply, view: SavedView | undefined) => {
    if (!view) throw notFound('view');
    const body = bodyOf(view, request);
    // An erasure of the author is no revision.
    const isByRevision = body.editable && view.createdBy.erased !== true;
    void reply.header('etag', etagOf(view.revision, isByRevision ? null : body));
    return body;
  };

  app.get(
    VIEWS,
    {
      config,
      schema: {
        operationId: 'listViews',
        tags,
        summary: "The caller's own views and the shared views, by name",
        description:
          'Managers also get the private views of others, which count towards the limit of the ' +
          'organisation: without their content, to delete those that are no longer needed.',
        response: { 200: ViewListBody },
      },
    },
    async (request) => {
      const found = await views.look(organisationIn(request));
      const all: SavedViews = found?.view ?? new Map();
      const { actor } = callerIn(request);
      const items = visibleViews(all, actor)
        .map((view) => ({ view, folded: foldText(view.name) }))
        .toSorted((a, b) => compareText(a.folded, b.folded))
        .map(({ view }) => bodyOf(view, request));
      if (!rightsOf(request).mayManage) return { items };
      const others = hiddenViews(all, actor).map(({ viewId, createdBy, createdAt, updatedAt }) => ({
        viewId,
        createdBy,
        createdAt,
        updatedAt,
      }));
      return { items, others };
    },
  );

  app.post(
    VIEWS,
    {
      config,
      schema: {
        operationId: 'createView',
        tags,
        summary: 'Save a view of the ticket list',
        description:
          `At most ${VIEWS_OF_PERSON_MAX} views per person and ${VIEWS_OF_ORGANISATION_MAX} ` +
          'per organisation, shared or not. A shared view also needs ' +
          '`service-desk.tickets:write`.',
        body: CreateViewBody,
        conventions: ['idempotency-key', 'command', 'location'],
        problems: ['VIEW_LIMIT_REACHED'],
        response: { 201: ViewBody },
      },
    },
    async (request, reply) => {
      const name = commandIdOf(request);
      const viewId = madeIdOf(name);
      const details = request.body;
      const organisation = organisationIn(request);
      const rights = rightsOf(request);
      const command = { type: 'CreateView', viewId, organisation, details, ...rights } as const;
      const all = await give(request, reply, name, command, details);
      void reply.code(201).header('location', `${VIEWS}/${viewId}`);
      return answered(request, reply, all.get(viewId));
    },
  );

  app.get(
    VIEW,
    {
      config,
      schema: {
        operationId: 'getView',
        tags,
        summary: 'One view',
        params: ViewParams,
        conventions: ['etag'],
        response: { 200: ViewBody },
      },
    },
    async (request, reply) => {
      const found = await views.look(organisationIn(request));
      const visible = visibleViews(found?.view ?? new Map(), callerIn(request).actor);
      const { viewId } = request.params;
      return answered(
        request,
        reply,
        visible.find((view) => view.viewId === viewId),
      );
    },
  );

  app.patch(
    VIEW,
    {
      config,
      schema: {
        operationId: 'changeView',
        tags,
        summary: 'Change a view',
        description:
          'Absent members stay; `filters` and `columns` are replaced as a whole. A shared view ' +
          'can be changed by its author and by managers.',
        params: ViewParams,
        body: ChangeViewBody,
        conventions: ['idempotency-key', 'command', 'if-match'],
        response: { 200: ViewBody },
      },
    },
    async (request, reply) => {
      const { viewId } = request.params;
      const changes = request.body;
      const command = { type: 'ChangeView', changes, ...addressed(request, viewId) } as const;
      const all = await give(request, reply, commandIdOf(request), command, changes);
      return answered(request, reply, all.get(viewId));
    },
  );

  app.delete(
    VIEW,
    {
      config,
      schema: {
        operationId: 'deleteView',
        tags,
        summary: 'Delete a view',
        description:
          'A view can be deleted by its author and by managers, who can also delete the `others` ' +
          'of the list.',
        params: ViewParams,
        conventions: ['idempotency-key', 'command', 'if-match'],
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { viewId } = request.params;
      await give(request, reply, commandIdOf(request), {
        type: 'DeleteView',
        ...addressed(request, viewId),
      });
      return reply.code(204).send(null);
    },
  );
};

const rightsOf = (request: FastifyRequest): ViewRights => {
  const { permissions } = callerIn(request);
  return {
    mayShare: permissions.has('service-desk.tickets:write'),
    mayManage: permissions.has('service-desk.configuration:write'),
  };
};

/** Matches the view's own revision: the stream's changes with every other view. */
const addressed = (request: FastifyRequest, viewId: string) => {
  const expectedRevisions = expectedRevisionsOf(request);
  return {
    viewId,
    ...rightsOf(request),
    ...(expectedRevisions === undefined ? {} : { expectedRevisions }),
  };
};

const bodyOf = (view: SavedView, request: FastifyRequest): z.input<typeof ViewBody> => ({
  ...view,
  filters: { ...view.filters },
  columns: [...view.columns],
  editable: mayEdit(view, callerIn(request).actor, rightsOf(request)),
});
