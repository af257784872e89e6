/**
 * DDL with the operator class `gin_trgm_ops`, qualified by the schema of its extension: any schema
 * is possible, and the search path is not relied on.
 */
export const trigramIndex = (ddl: string): string => `
  do $do$ begin
    execute format($ddl$${ddl.replaceAll('gin_trgm_ops', '%I.gin_trgm_ops')}$ddl$,
      (select nspname from pg_opclass join pg_namespace n on n.oid = opcnamespace
        where opcname = 'gin_trgm_ops'));
  end $do$`;
