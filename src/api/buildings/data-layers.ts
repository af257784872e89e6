/** Values over the spaces of a building. interface.md «Building graph», contract.md section 6. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { isRefusal } from '../../engine/aggregates/decider.ts';
import type {
  DataLayers,
  UploadDiagnostics,
  UploadResult,
} from '../../building/graph/data-layers.ts';
import { LAYER_BODY_VALUES_MAX } from './limits.ts';
import { organisationIn, type OccasionOf } from '../sessions/authenticate.ts';
import { notFound, refused } from '../http/problems.ts';
import {
  LayerListBody,
  LayerParams,
  LayerUploadBody,
  UploadedBody,
  ValueListBody,
} from './layer-schemas.ts';
import { BuildingParams, PageQuery } from './schemas.ts';

export interface DataLayerRouteOptions {
  readonly dataLayers: DataLayers;
  readonly occasionOf: OccasionOf;
}

const LAYERS = '/api/v1/buildings/:buildingId/data-layers';
const VALUES = `${LAYERS}/:layerSlug/values`;
const tags = ['buildings'];

const canRead = { permission: 'platform.buildings:read' } as const;

export const dataLayerRoutes: FastifyPluginAsyncZod<DataLayerRouteOptions> = async (
  app,
  { dataLayers, occasionOf },
) => {
  app.get(
    LAYERS,
    {
      config: canRead,
      schema: {
        operationId: 'listDataLayers',
        tags,
        summary: "The building's data layers, by slug",
        params: BuildingParams,
        querystring: PageQuery,
        response: { 200: LayerListBody },
      },
    },
    async (request) => {
      const { buildingId } = request.params;
      const page = await dataLayers.layers(organisationIn(request), buildingId, request.query);
      if (!page) throw notFound('building');
      return { ...page, items: [...page.items] };
    },
  );

  app.put(
    VALUES,
    {
      config: { permission: 'platform.telemetry:write', bodyValuesMax: LAYER_BODY_VALUES_MAX },
      schema: {
        operationId: 'putLayerValues',
        tags,
        summary: 'Write the values of a data layer to rooms',
        description:
          'Written in one transaction. The first upload creates the layer. A key that matches ' +
          'no room is no error: it is listed in `unmatched`. A key that matches several rooms ' +
          'writes to none of them: it is listed in `diagnostics`. 503 while an import into the ' +
          'building is running.',
        params: LayerParams,
        body: LayerUploadBody,
        response: { 200: UploadedBody },
      },
    },
    async (request) => {
      const { buildingId, layerSlug: slug } = request.params;
      const { keyBy, sourceSystem = null, values: entries } = request.body;
      const { at } = occasionOf(request);
      const upload = { slug, keyBy, sourceSystem, entries, at };
      const outcome = await dataLayers.upload(organisationIn(request), buildingId, upload);
      if (isRefusal(outcome)) throw refused(outcome);
      return uploadedBody(outcome);
    },
  );

  app.get(
    VALUES,
    {
      config: canRead,
      schema: {
        operationId: 'listLayerValues',
        tags,
        summary: 'The values of a data layer, sorted by room code',
        params: LayerParams,
        querystring: PageQuery,
        response: { 200: ValueListBody },
      },
    },
    async (request) => {
      const { buildingId, layerSlug } = request.params;
      const organisation = organisationIn(request);
      const page = await dataLayers.values(organisation, buildingId, layerSlug, request.query);
      if (!page) throw notFound('data layer');
      return { ...page, items: [...page.items] };
    },
  );
};

/** The response types have mutable arrays. */
const uploadedBody = ({ written, unmatched, diagnostics }: UploadResult) => ({
  written,
  unmatched: [...unmatched],
  ...(diagnostics === undefined ? {} : { diagnostics: withMutableKeys(diagnostics) }),
});

const withMutableKeys = (diagnostics: UploadDiagnostics) =>
  'keys' in diagnostics ? { ...diagnostics, keys: [...diagnostics.keys] } : diagnostics;
